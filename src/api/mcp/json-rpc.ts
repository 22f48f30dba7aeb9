// Messages of JSON-RPC 2.0, as the Model Context Protocol uses them. Pure.
import { parseExactly } from "../../lib/json.ts";
import { EXACT_MEMBERS } from "../../resources/templates/variable-limits.ts";

export interface RpcRequest {
  /** The message's id. Undefined: the message is a notification, so it gets no answer. */
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Code and HTTP status of each error: those of JSON-RPC 2.0 §5.1, and the protocol's own
 * (docs/mcp.md).
 */
const RPC_ERRORS = {
  parse: [-32_700, 400],
  invalid: [-32_600, 400],
  unknownMethod: [-32_601, 200],
  /** An unknown method, with the HTTP status that protocol version 2026-07-28 requires for it. */
  absentMethod: [-32_601, 404],
  invalidParams: [-32_602, 200],
  invalidMeta: [-32_602, 400],
  headerMismatch: [-32_020, 400],
  unsupportedVersion: [-32_022, 400],
} as const;

/**
 * The error that answers a request in place of a result. The client shows `message` to its user.
 */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  constructor(kind: keyof typeof RPC_ERRORS, message: string, data?: unknown) {
    super(message);
    [this.code, this.status] = RPC_ERRORS[kind];
    this.data = data;
  }
}

/** Parses the JSON of a message. Throws an RpcError if the text is not JSON. */
export function parseMessage(text: string): unknown {
  try {
    return parseExactly(text, EXACT_MEMBERS);
  } catch {
    throw new RpcError("parse", "the body must be JSON");
  }
}

/** Returns the id of a message that may be malformed. Null: the message has no usable id. */
export function idOf(message: unknown): string | number | null {
  const id = isRecord(message) ? message["id"] : undefined;
  return typeof id === "string" || Number.isInteger(id) ? (id as string | number) : null;
}

/**
 * Reads one message. Returns null for a client's response: the service sends no requests, so it
 * expects no response. Throws an RpcError for an invalid message.
 */
export function readMessage(message: unknown): RpcRequest | null {
  if (!isRecord(message) || message["jsonrpc"] !== "2.0")
    throw new RpcError("invalid", "the body must be one JSON-RPC 2.0 message, not a batch");
  const { id, method, params = {} } = message;
  if (method === undefined && ("result" in message || "error" in message)) return null;
  const answerable = idOf(message) ?? undefined;
  if (typeof method !== "string" || answerable !== id || !isRecord(params))
    throw new RpcError("invalid", "the message must have a method, an id and params by name");
  return { id: answerable, method, params };
}

export function resultMessage(id: string | number, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

/** Writes an error as a message. `id` is null if the request's id could not be read. */
export function errorMessage(
  id: string | number | null,
  { code, message, data }: RpcError,
): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
