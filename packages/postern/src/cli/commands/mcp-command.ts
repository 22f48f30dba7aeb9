// `postern mcp`: the deployment's tools for a program that speaks the Model Context Protocol over
// its child's standard input and output. Each line is one message, and the deployment answers it at
// POST /mcp, so that the tools are always those of the deployment (decision 0019).
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import type { ChosenDeployment } from "../chosen-deployment.ts";
import type { SingleCommand } from "../command.ts";

const TIMEOUT_MS = 60_000;
/** JSON-RPC 2.0 §5.1. */
const INTERNAL_ERROR = -32_603;

interface RpcMessage {
  readonly id?: string | number;
}

export const MCP_COMMAND: SingleCommand = {
  name: "mcp",
  summary: "Serve the deployment's tools to an agent (Model Context Protocol)",
  examples: [
    "claude mcp add postern -- npx postern mcp",
    "npx @modelcontextprotocol/inspector npx postern mcp",
  ],
  run: async ({ deployment }) => {
    const to = deployment();
    const pending = new Set<Promise<void>>();
    for await (const line of createInterface({ input: stdin })) {
      if (line.trim() === "") continue;
      const answering = answer(line, to).finally(() => pending.delete(answering));
      pending.add(answering);
    }
    await Promise.all(pending);
  },
};

async function answer(line: string, to: ChosenDeployment): Promise<void> {
  const { id } = parse(line);
  try {
    const text = await post(line, to);
    if (text !== "") stdout.write(`${text}\n`);
  } catch (cause) {
    if (id === undefined) return;
    const error = { code: INTERNAL_ERROR, message: (cause as Error).message };
    stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, error })}\n`);
  }
}

/** Returns the answer in one line; empty: the message needs none. */
async function post(line: string, { url, key }: ChosenDeployment): Promise<string> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: line,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  const isAnswer = response.ok || text.includes('"jsonrpc"');
  if (!isAnswer) throw new Error(`${url}/mcp answered ${response.status}: ${text}`);
  return text.trim();
}

function parse(line: string): RpcMessage {
  try {
    return JSON.parse(line) as RpcMessage;
  } catch {
    return {};
  }
}
