// POST /mcp: the API as tools of the Model Context Protocol, by its streamable HTTP without state
// and without streams: each message is answered by itself. A tool's call is a request to the API by
// the same caller, so that its rate, permissions and validation are the API's (docs/mcp.md).
import type { Context } from "hono";
import type { HttpReply } from "../../endpoint.ts";
import { OPEN_BODY_BYTES } from "../../limits.ts";
import { settingsOf } from "../../settings.ts";
import type { ApiContext } from "../api-context.ts";
import { VERSION } from "../openapi.ts";
import { refuseSpentRate, takeRate } from "../permit.ts";
import { requestAsCaller } from "../request-as-caller.ts";
import { checkArguments } from "./check-arguments.ts";
import { endpointTools } from "./endpoint-tools.ts";
import { errorMessage, isRecord, readMessage, resultMessage, RpcError } from "./json-rpc.ts";
import { SEND_TEST_TOOL } from "./send-test-tool.ts";
import { ArgumentError, type CallApi, textResult, type Tool, type ToolResult } from "./tool.ts";
import { WHY_TOOL } from "./why-tool.ts";

/** Newest first. Their differences do not touch tools. */
const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
const CALL = "tools/call";
const INSTRUCTIONS =
  "Transactional email. `why` explains what became of mail to an address; `send_test` shows " +
  "whether mail leaves. Tools that send or delete say so: ask before you call them.";

type McpContext = Context<ApiContext>;

/** Answers a request as the API does. */
type Answer = (request: Request, c: McpContext) => Response | Promise<Response>;

/**
 * Refuses a large message of a caller whose rate is used up, as the API does. A small one is read, so
 * that a tool's call is answered in the protocol.
 */
export function refuseLargeMessage(c: McpContext): void {
  const isSmall =
    c.get("uncounted") === undefined &&
    Number(c.get("headers").get("Content-Length")) <= OPEN_BODY_BYTES;
  if (!isSmall) refuseSpentRate(c);
}

/** Returns the handler of POST /mcp. Its request is authenticated already. */
export function serveMcp(answer: Answer): (c: McpContext) => Promise<HttpReply> {
  let tools: readonly Tool[] | undefined;
  return async (c) => {
    tools ??= [WHY_TOOL, SEND_TEST_TOOL, ...(await endpointTools(c.env))];
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
    const message = readMessage(text);
    if (message?.id === undefined) return { status: 202 };
    const { id: asked } = message;
    id = asked;
    const result = await resultFor(message.method, message.params, tools, c, answer);
    return { status: 200, body: resultMessage(asked, result) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { status: id === null ? 400 : 200, body: errorMessage(id, error) };
  }
}

/** Only what the key may do is offered. */
function toolsFor(tools: readonly Tool[], c: McpContext): readonly Tool[] {
  const isFull = c.get("caller").key.permissions === "full";
  return tools.filter(({ isForAnyKey }) => isFull || isForAnyKey);
}

async function resultFor(
  method: string,
  params: Readonly<Record<string, unknown>>,
  tools: readonly Tool[],
  c: McpContext,
  answer: Answer,
): Promise<unknown> {
  switch (method) {
    case "initialize":
      return {
        protocolVersion:
          PROTOCOL_VERSIONS.find((one) => one === params["protocolVersion"]) ??
          PROTOCOL_VERSIONS[0],
        capabilities: { tools: {} },
        serverInfo: { name: "postern", title: "Postern", version: VERSION },
        instructions: INSTRUCTIONS,
      };
    case "ping":
      return {};
    case "tools/list":
      return { tools: tools.map(({ definition }) => definition) };
    case CALL:
      return callTool(params, tools, c, answer);
    default:
      throw new RpcError("unknownMethod", `there is no method ${method}`);
  }
}

/**
 * An unknown tool is an error of the protocol. A wrong argument is the tool's own answer, which the
 * model reads.
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
    Promise.resolve(answer(requestAsCaller(c, method, path, body, headers), c));
}
