// Messages of JSON-RPC 2.0, as the Model Context Protocol has them. Pure.

export interface RpcRequest {
  /** Undefined: the message is a notification, and gets no answer. */
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The codes of JSON-RPC 2.0 §5.1. */
export const RPC_ERRORS = {
  parse: -32_700,
  invalid: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
} as const;

/** A request that has no result. `message` is shown to the client's person. */
export class RpcError extends Error {
  readonly code: number;

  constructor(kind: keyof typeof RPC_ERRORS, message: string) {
    super(message);
    this.code = RPC_ERRORS[kind];
  }
}

/**
 * Reads one message. Returns null for a client's answer, because the service asks nothing. Throws
 * an RpcError.
 */
export function readMessage(text: string): RpcRequest | null {
  const message = parse(text);
  if (!isRecord(message) || message["jsonrpc"] !== "2.0")
    throw new RpcError("invalid", "the body must be one JSON-RPC 2.0 message, not a batch");
  const { id, method, params = {} } = message;
  if (method === undefined && ("result" in message || "error" in message)) return null;
  const isId = id === undefined || typeof id === "string" || typeof id === "number";
  if (typeof method !== "string" || !isId || !isRecord(params))
    throw new RpcError("invalid", "the message must have a method, an id and params by name");
  return { id, method, params };
}

export function resultMessage(id: string | number, result: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

/** `id`: null where the request's could not be read. */
export function errorMessage(id: string | number | null, { code, message }: RpcError): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcError("parse", "the body must be JSON");
  }
}
