// A tool of the Model Context Protocol: its definition, its result, and its calls of the API.

/** Hints for the person who lets a model act (docs/mcp.md §What a tool may do). */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** True: it reaches people or programs outside the service. */
  readonly openWorldHint: boolean;
}

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
  /** The same as the first text, for programs. */
  readonly structuredContent?: unknown;
}

/** A request to the API that stands for the tool's caller in every respect. */
export type CallApi = (
  method: string,
  path: string,
  body?: { readonly type: string; readonly text: string },
  headers?: Readonly<Record<string, string>>,
) => Promise<Response>;

export interface ToolContext {
  readonly callApi: CallApi;
  readonly serviceDomain: string;
  /** Unix milliseconds. */
  readonly now: number;
}

export interface Tool {
  readonly definition: ToolDefinition;
  /** True: a `send_only` key may use it. */
  readonly isForAnyKey: boolean;
  /** Throws an ArgumentError for arguments that no request can be made of. */
  readonly run: (args: ToolArguments, context: ToolContext) => Promise<ToolResult>;
}

/** An argument that no request can be made of. The model reads the message, and can mend it. */
export class ArgumentError extends Error {
  constructor(argument: string, problem: string) {
    super(`The argument ${argument} ${problem}.`);
  }
}

export function textResult(text: string, isError = false): ToolResult {
  return { content: [{ type: "text", text }], isError };
}

/** An argument as text: models write numbers for texts, and the reverse. */
export function textOf(argument: unknown): string {
  return typeof argument === "string" ? argument : (JSON.stringify(argument) ?? "");
}
