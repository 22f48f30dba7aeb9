// Makes endpoints of the API into tools for agents. The tools are listed in public/api/tools.json,
// which `npm run client` makes from the endpoints table (tools/openapi/agent-tools.ts).
import type { Env } from "../../env.ts";
import { publishedFile } from "../../published-file.ts";
import {
  ArgumentError,
  type CallApi,
  textOf,
  type Tool,
  type ToolArguments,
  type ToolDefinition,
} from "./tool.ts";
import { resultOf } from "./tool-result.ts";

/** An endpoint as a tool, with the rule that turns the tool's arguments into a request. */
export interface EndpointTool {
  readonly definition: ToolDefinition;
  /** True: a `send_only` key may use the tool. */
  readonly isForAnyKey: boolean;
  readonly method: string;
  /** The endpoint's path, in which an argument replaces each `{name}`. */
  readonly path: string;
  /** Arguments that are not in the body. `name` is the parameter's name in the API. */
  readonly parameters: readonly {
    readonly argument: string;
    readonly in: "path" | "query" | "header";
    readonly name: string;
  }[];
  /** The media type of the request's body. Absent: the request has no body. */
  readonly bodyType?: string;
}

/** The argument with a body that is not JSON. */
export const CSV = "csv";
/** The argument that asks a read-only tool for its whole answer. */
export const WHOLE = "whole";

export async function endpointTools(env: Env): Promise<readonly Tool[]> {
  const tools = await publishedFile<readonly EndpointTool[]>(env, "tools.json");
  return tools.map((tool) => ({
    definition: tool.definition,
    isForAnyKey: tool.isForAnyKey,
    run: async (args, { callApi }) => {
      if (!tool.definition.annotations.readOnlyHint)
        return resultOf(await callEndpoint(tool, args, callApi));
      const { [WHOLE]: whole, ...others } = args;
      const isWhole = whole === true || whole === "true";
      return resultOf(await callEndpoint(tool, others, callApi), isWhole);
    },
  }));
}

/**
 * Puts arguments into the path, the query and the headers, as the tool declares. All undeclared
 * arguments become the body. If the endpoint has no body, they become the query.
 */
async function callEndpoint(
  { method, path: template, parameters, bodyType }: EndpointTool,
  args: ToolArguments,
  callApi: CallApi,
): Promise<Response> {
  const named = new Map(parameters.map((one) => [one.argument, one]));
  const search = new URLSearchParams();
  const headers: Record<string, string> = {};
  const members: Record<string, unknown> = {};
  let path = template;
  for (const [name, value] of Object.entries(args)) {
    const parameter = named.get(name);
    if (parameter?.in === "path")
      path = path.replace(`{${name}}`, () => segmentOf(name, textOf(value)));
    else if (parameter?.in === "header") headers[parameter.name] = textOf(value);
    else if (parameter?.in === "query" || bodyType === undefined)
      for (const one of [value].flat()) search.append(name, textOf(one));
    else members[name] = value;
  }
  const [, absent] = /\{(\w+)\}/.exec(path) ?? [];
  if (absent !== undefined) throw new ArgumentError(absent, "is missing");
  const query = search.size === 0 ? "" : `?${search.toString()}`;
  return callApi(method, path + query, bodyOf(bodyType, members), headers);
}

/**
 * Encodes an argument as a segment of a path. Refuses `.` and `..`, which would lead to another
 * endpoint.
 */
function segmentOf(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new ArgumentError(name, `can't be "${value}"`);
  return encodeURIComponent(value);
}

function bodyOf(type: string | undefined, members: ToolArguments) {
  if (type === undefined) return undefined;
  const isJson = type === "application/json";
  return { type, text: isJson ? JSON.stringify(members) : textOf(members[CSV]) };
}
