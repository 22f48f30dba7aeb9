// A tool of the Model Context Protocol: its definition, its result, and its calls to the API.

/** Hints for the person who allows a model to act (docs/mcp.md §What a tool may do). */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** True: the tool affects people or programs outside the service. */
  readonly openWorldHint: boolean;
}

/** The hints of a tool that changes nothing. */
export const readOnly = (title: string): ToolAnnotations => ({
  title,
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
});

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: ToolAnnotations;
}

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly isError: boolean;
  /** The same content as in the result's first text, as data for programs. */
  readonly structuredContent?: unknown;
}

/**
 * Sends a request to the API on behalf of the tool's caller, with that caller's rate and
 * permissions.
 */
export type CallApi = (
  method: string,
  path: string,
  body?: { readonly type: string; readonly text: string },
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>;

export interface ToolContext {
  readonly callApi: CallApi;
  readonly serviceDomain: string;
  /** The time of the call, in Unix milliseconds. */
  readonly now: number;
}

export interface Tool {
  readonly definition: ToolDefinition;
  /** True: a `send_only` key may use the tool. */
  readonly isForAnyKey: boolean;
  /** Runs the tool. Throws an ArgumentError for arguments that cannot become a request. */
  readonly run: (args: ToolArguments, context: ToolContext) => Promise<ToolResult>;
}

/**
 * Reports an argument that cannot become a request. The model reads the message and can correct the
 * argument.
 */
export class ArgumentError extends Error {
  constructor(argument: string, problem: string) {
    super(`The argument ${argument} ${problem}.`);
  }
}

export function textResult(text: string, isError = false): ToolResult {
  return { content: [{ type: "text", text }], isError };
}

/** Converts an argument to text, because models send numbers as texts and texts as numbers. */
export function textOf(argument: unknown): string {
  return typeof argument === "string" ? argument : (JSON.stringify(argument) ?? "");
}
