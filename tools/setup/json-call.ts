// Makes one HTTP call with JSON in the request and in the response: to the DNS API, the worker or
// the gateway.

/** The result of a call without a response. Its text ends a sentence, such as `ECONNREFUSED`. */
export class NoHttpResponse extends Error {}

export interface JsonResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body. Undefined: the body is not JSON. */
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

/** Makes the call. Follows no redirect, because the token must not reach another host. */
export async function call(
  method: string,
  url: string,
  { token, body, headers = {}, timeoutMs = TIMEOUT_MS }: Call = {},
): Promise<JsonResponse | NoHttpResponse> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        "user-agent": "postern-setup",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: parseJson(text), text };
  } catch (error) {
    return new NoHttpResponse(reasonOf(error, timeoutMs), { cause: error });
  }
}

/** Reads a member of nested objects, or undefined: `member(json, "error", "message")`. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return current;
}

/**
 * Returns the text of a failed response on one line. It is the error message of Postern's or
 * Cloudflare's API, or else the beginning of the body, which may be an HTML page.
 */
export function errorTextOf({ status, json, text }: JsonResponse): string {
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
  const raw = json === undefined && text !== "" ? `no JSON, but ${text.slice(0, 200)}` : text;
  return `HTTP ${status}: ${(words || raw.slice(0, 220) || "no body").replace(/\s+/g, " ")}`;
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError")
    return `no answer within ${timeoutMs / 1000} s`;
  const cause =
    error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code || cause?.message || (error instanceof Error ? error.message : String(error));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
