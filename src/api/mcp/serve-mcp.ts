// POST /mcp serves the API as tools of the Model Context Protocol, over its streamable HTTP without
// sessions and without streams: each POST has one message and gets one answer. A tool's call
// becomes a request to the API by the same caller, so the API's rate, permissions and validation
// apply (docs/mcp.md).
import type { Context } from "hono";
import type { HttpReply } from "../../endpoint.ts";
import { runInTurn } from "../../lib/large-turns.ts";
import { OPEN_BODY_BYTES } from "../../limits.ts";
import { settingsOf } from "../../settings.ts";
import type { ApiContext } from "../api-context.ts";
import { VERSION } from "../openapi.ts";
import { refuseSpentRate, takeRate } from "../permit.ts";
import { requestAsCaller } from "../request-as-caller.ts";
import { checkArguments } from "./check-arguments.ts";
import { CHECK_WEBHOOKS_TOOL } from "./check-webhooks-tool.ts";
import { endpointTools } from "./endpoint-tools.ts";
import {
  errorMessage,
  idOf,
  isRecord,
  parseMessage,
  readMessage,
  resultMessage,
  RpcError,
  type RpcRequest,
} from "./json-rpc.ts";
import { CALL, DISCOVER, HANDSHAKE_VERSIONS, isStateless, VERSIONS } from "./protocol-version.ts";
import { EMAIL_TEXT_TOOL } from "./email-text-tool.ts";
import { REPLIES_TOOL } from "./replies-tool.ts";
import { SEND_TEST_TOOL } from "./send-test-tool.ts";
import { ArgumentError, type CallApi, textResult, type Tool, type ToolResult } from "./tool.ts";
import { WHY_TOOL } from "./why-tool.ts";

const OWN_TOOLS = [WHY_TOOL, CHECK_WEBHOOKS_TOOL, EMAIL_TEXT_TOOL, REPLIES_TOOL, SEND_TEST_TOOL];
const SERVER = { name: "postern", title: "Postern", version: VERSION } as const;
const CAPABILITIES = { tools: {} } as const;
const INSTRUCTIONS =
  "Transactional email. `why` explains what became of mail to an address, `list_recipients` finds " +
  "addresses by their beginning, `check_webhooks` tells which webhooks fail, and `send_test` shows " +
  "whether mail leaves. Tools that send or delete say so: ask before you call them.";
/**
 * Time for which clients may cache a list of tools. The cache is private, because the list depends
 * on the key's permissions.
 */
const KEPT_TOOLS = { ttlMs: 300_000, cacheScope: "private" } as const;
const KEPT_DISCOVERY = { ttlMs: 3_600_000, cacheScope: "public" } as const;

type McpContext = Context<ApiContext>;

/** Sends a request through the API's middleware and returns the response. */
type Answer = (request: Request, c: McpContext) => Response | Promise<Response>;

/**
 * Refuses a large message if the caller's rate is used up, as the API does. A small message passes:
 * it is read first, so its refusal can be a JSON-RPC answer.
 */
export function refuseLargeMessage(c: McpContext): void {
  const isSmall =
    c.get("uncounted") === undefined &&
    Number(c.get("headers").get("Content-Length")) <= OPEN_BODY_BYTES;
  if (!isSmall) refuseSpentRate(c);
}

/** Returns the handler of POST /mcp. The middleware has authenticated the request. */
export function serveMcp(answer: Answer): (c: McpContext) => Promise<HttpReply> {
  let tools: readonly Tool[] | undefined;
  return async (c) => {
    tools ??= [...OWN_TOOLS, ...(await endpointTools(c.env))];
    let isCounted = false;
    const reply = await replyTo(await c.req.text(), toolsFor(tools, c), c, async (request) => {
      const response = await answer(request, c);
      isCounted ||= response.headers.has("RateLimit-Limit");
      return response;
    });
    if (!isCounted) await takeRate(c);
    return reply;
  };
}

async function replyTo(
  text: string,
  tools: readonly Tool[],
  c: McpContext,
  answer: Answer,
): Promise<HttpReply> {
  let id: string | number | null = null;
  try {
    const parsed = await runInTurn(text.length, () => parseMessage(text));
    id = idOf(parsed);
    const message = readMessage(parsed);
    if (message === null) return { status: 202 };
    const isNew = isStateless(message, c.get("headers"));
    if (id === null) return { status: 202 };
    const result = await resultOfMethod(message, isNew, tools, c, answer);
    return { status: 200, body: resultMessage(id, isNew ? withLabels(result) : result) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { status: error.status, body: errorMessage(id, error) };
  }
}

/** Adds the members that every result must have since version 2026-07-28 of the protocol. */
function withLabels(result: object): object {
  return {
    resultType: "complete",
    ...result,
    _meta: { "io.modelcontextprotocol/serverInfo": SERVER },
  };
}

/** Lists only the tools that the key may use. */
function toolsFor(tools: readonly Tool[], c: McpContext): readonly Tool[] {
  const isFull = c.get("caller").key?.permissions === "full";
  return tools.filter(({ isForAnyKey }) => isFull || isForAnyKey);
}

async function resultOfMethod(
  { method, params }: RpcRequest,
  isNew: boolean,
  tools: readonly Tool[],
  c: McpContext,
  answer: Answer,
): Promise<object> {
  if (method === CALL) return callTool(params, tools, c, answer);
  if (method === "tools/list")
    return { tools: tools.map(({ definition }) => definition), ...(isNew && KEPT_TOOLS) };
  if (isNew && method === DISCOVER)
    return {
      supportedVersions: VERSIONS,
      capabilities: CAPABILITIES,
      instructions: INSTRUCTIONS,
      ...KEPT_DISCOVERY,
    };
  if (!isNew && method === "initialize") {
    const asked = HANDSHAKE_VERSIONS.find((one) => one === params["protocolVersion"]);
    return {
      protocolVersion: asked ?? HANDSHAKE_VERSIONS[0],
      capabilities: CAPABILITIES,
      serverInfo: SERVER,
      instructions: INSTRUCTIONS,
    };
  }
  if (!isNew && method === "ping") return {};
  throw new RpcError(isNew ? "absentMethod" : "unknownMethod", `there is no method ${method}`);
}

/**
 * Calls a tool. An unknown tool is an error of the protocol. A wrong argument gives a tool result
 * instead, because the model reads only results.
 */
async function callTool(
  { name, arguments: args = {} }: Readonly<Record<string, unknown>>,
  tools: readonly Tool[],
  c: McpContext,
  answer: Answer,
): Promise<ToolResult> {
  const tool = tools.find(({ definition }) => definition.name === name);
  if (typeof name !== "string") throw new RpcError("invalidParams", "the tool's name is missing");
  if (!tool) throw new RpcError("invalidParams", `this key has no tool ${name}`);
  if (!isRecord(args)) throw new RpcError("invalidParams", "arguments must be an object");
  try {
    checkArguments(args);
    return await tool.run(args, {
      callApi: callerOf(c, answer),
      serviceDomain: settingsOf(c.env).serviceDomain,
      now: c.get("now"),
    });
  } catch (error) {
    if (error instanceof ArgumentError) return textResult(error.message, true);
    throw error;
  }
}

function callerOf(c: McpContext, answer: Answer): CallApi {
  return (method, path, body, headers) =>
    Promise.resolve(answer(requestAsCaller({ c, door: "mcp" }, method, path, body, headers), c));
}
