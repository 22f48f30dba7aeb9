// `postern mcp`: gives the deployment's tools to a program that uses the Model Context Protocol
// over standard input and output. Each line is one message, and the deployment answers it at POST
// /mcp. The tools are therefore always those of the deployment (decision 0019).
import { createInterface } from "node:readline";
import type { ChosenDeployment } from "../chosen-deployment.ts";
import type { SingleCommand } from "../command.ts";
import type { ProgramStreams } from "../program-streams.ts";

const TIMEOUT_MS = 60_000;
/** JSON-RPC 2.0 §5.1. */
const INTERNAL_ERROR = -32_603;

/**
 * Matches a text that a header can carry unchanged. Any other text is sent in base64, and so is a
 * text that already looks like such base64.
 */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

interface RpcMessage {
  readonly id?: string | number;
  readonly method?: unknown;
  readonly params?: {
    readonly name?: unknown;
    readonly requestId?: string | number;
    readonly _meta?: Readonly<Record<string, unknown>>;
  } | null;
}

export const MCP_COMMAND: SingleCommand = {
  name: "mcp",
  summary: "Serve the deployment's tools to an agent (Model Context Protocol)",
  examples: [
    "claude mcp add postern -- npx postern mcp",
    "npx @modelcontextprotocol/inspector npx postern mcp",
  ],
  run: async ({ deployment, streams: { input, output } }) => {
    const to = deployment();
    const pending = new Set<Promise<void>>();
    const cancels = new Map<unknown, AbortController>();
    for await (const line of createInterface({ input })) {
      if (line.trim() === "") continue;
      const message = parse(line);
      if (message.method === "notifications/cancelled") {
        cancels.get(message.params?.requestId)?.abort();
        continue;
      }
      const cancel = new AbortController();
      if (message.id !== undefined) cancels.set(message.id, cancel);
      const answering = answer(line, message, to, output, cancel.signal).finally(() => {
        pending.delete(answering);
        if (cancels.get(message.id) === cancel) cancels.delete(message.id);
      });
      pending.add(answering);
    }
    await Promise.all(pending);
  },
};

/** Writes the answer, unless the request was cancelled. */
async function answer(
  line: string,
  message: RpcMessage,
  to: ChosenDeployment,
  output: ProgramStreams["output"],
  cancelled: AbortSignal,
): Promise<void> {
  try {
    const text = await post(line, message, to, cancelled);
    if (text !== "" && !cancelled.aborted) output.write(`${text}\n`);
  } catch (cause) {
    const { id } = message;
    if (id === undefined || cancelled.aborted) return;
    const error = { code: INTERNAL_ERROR, message: (cause as Error).message };
    output.write(`${JSON.stringify({ jsonrpc: "2.0", id, error })}\n`);
  }
}

/** Returns the answer in one line. Returns an empty text if the message needs no answer. */
async function post(
  line: string,
  message: RpcMessage,
  { url, key }: ChosenDeployment,
  cancelled: AbortSignal,
): Promise<string> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...headersFor(message),
    },
    body: line,
    signal: AbortSignal.any([cancelled, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const text = await response.text();
  const isAnswer = response.ok || text.includes('"jsonrpc"');
  if (!isAnswer) throw new Error(`${url}/mcp answered ${response.status}: ${text}`);
  return text.trim();
}

/**
 * Returns the headers that protocol version 2026-07-28 introduced. They repeat members of the
 * message. Returns no headers if the message gives no version. If a header cannot carry the
 * version, returns none too: the deployment then refuses the version in the message's body.
 */
function headersFor({ method, params }: RpcMessage): Record<string, string> {
  const version = params?._meta?.[VERSION_KEY];
  if (typeof version !== "string" || !PLAIN.test(version)) return {};
  const name = params?.name;
  return {
    "MCP-Protocol-Version": version,
    ...(typeof method === "string" && { "Mcp-Method": headerValue(method) }),
    ...(typeof name === "string" && { "Mcp-Name": headerValue(name) }),
  };
}

function headerValue(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

function parse(line: string): RpcMessage {
  try {
    return (JSON.parse(line) as RpcMessage | null) ?? {};
  } catch {
    return {};
  }
}
