// One HTTP call with JSON both ways, for the DNS API, the worker and the gateway. An answer of any
// status is an answer; only silence is thrown.

/**
 * Nobody answered, or not in time. The message is a clause: `connection refused (ECONNREFUSED)`.
 */
export class NoAnswer extends Error {}

export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined: not JSON. */
  readonly json: unknown;
  readonly text: string;
}

export interface Call {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;

/**
 * Redirects are not followed: a token goes where it is meant to and nowhere else. Throws NoAnswer.
 */
export async function call(
  method: string,
  url: string,
  { token, body, headers = {}, timeoutMs = TIMEOUT_MS }: Call = {},
): Promise<JsonAnswer> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: parsed(text), text };
  } catch (error) {
    throw new NoAnswer(reasonOf(error, timeoutMs), { cause: error });
  }
}

/** `member(answer.json, "error", "message")`; undefined where there is no such member. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return current;
}

/**
 * What an answer that is no success says of itself, on one line: an error of this API or of
 * Cloudflare's, else the beginning of its text.
 */
export function wordsOf({ status, json, text }: JsonAnswer): string {
  const own = member(json, "error", "message");
  const errors = member(json, "errors");
  const cloudflare = Array.isArray(errors)
    ? errors.map(
        (error) => `${String(member(error, "message"))} [code: ${String(member(error, "code"))}]`,
      )
    : [];
  const fields = member(json, "error", "errors");
  const words =
    typeof own === "string"
      ? `${own}${fields === undefined ? "" : ` ${JSON.stringify(fields)}`}`
      : cloudflare.join("; ");
  return `HTTP ${status}: ${(words || text.slice(0, 200) || "no body").replace(/\s+/g, " ")}`;
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `no answer within ${timeoutMs / 1000} s`;
  const cause =
    error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
