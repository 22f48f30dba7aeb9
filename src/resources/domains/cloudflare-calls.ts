// Calls Cloudflare's API, or an API that is compatible with it (docs/dns.md §The records API).
// Returns failures as values and never throws them.
import type { Settings } from "../../settings.ts";
import { printable } from "./dns-answer-texts.ts";

export type ApiAnswer =
  | { readonly kind: "answer"; readonly status: number; readonly json: unknown }
  /** The API did not respond, or its response was unreadable. `reason` is the name of the error. */
  | { readonly kind: "none"; readonly reason: string };

export interface CloudflareCall {
  readonly token: string;
  readonly body?: unknown;
  readonly timeoutMs?: number | undefined;
}

/** An error's code and text from Cloudflare, such as code 81045 for a zone that is full. */
interface ApiError {
  readonly code: string | null;
  readonly message: string;
}

const API_TIMEOUT_MS = 5_000;

/** Makes one call. `path` begins with a slash, and may have a query. */
export async function callApi(
  { dnsApiUrl }: Pick<Settings, "dnsApiUrl">,
  method: string,
  path: string,
  { token, body, timeoutMs = API_TIMEOUT_MS }: CloudflareCall,
): Promise<ApiAnswer> {
  try {
    const response = await fetch(`${dnsApiUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      kind: "answer",
      status: response.status,
      json: parseJsonOrUndefined(await response.text()),
    };
  } catch (error) {
    return { kind: "none", reason: error instanceof Error ? error.name : "unknown" };
  }
}

/** Returns whether the call succeeded, by the response's status and by its member `success`. */
export function isSuccess(answer: ApiAnswer): boolean {
  return (
    answer.kind === "answer" &&
    answer.status >= 200 &&
    answer.status < 300 &&
    memberOf(answer.json, "success") === true
  );
}

/**
 * Returns whether a deleted object no longer exists. An object that did not exist before counts
 * too.
 */
export function isGone(answer: ApiAnswer): boolean {
  return answer.kind === "answer" && (answer.status === 404 || isSuccess(answer));
}

/** Returns the first error of an answer, with Cloudflare's code and text if the answer has them. */
export function apiErrorOf(answer: ApiAnswer): ApiError {
  if (answer.kind === "none") return { code: null, message: answer.reason };
  const errors = memberOf(answer.json, "errors");
  const [first]: unknown[] = Array.isArray(errors) ? errors : [];
  const [code, message] = [memberOf(first, "code"), memberOf(first, "message")];
  return {
    code: typeof code === "number" || typeof code === "string" ? printable(String(code)) : null,
    message:
      typeof message === "string" ? printable(message).replace(/\.$/, "") : `HTTP ${answer.status}`,
  };
}

/** Formats an answer for the log, such as `HTTP 400, 81045: Record quota exceeded`. */
export function describeAnswer(answer: ApiAnswer): string {
  const { code, message } = apiErrorOf(answer);
  if (answer.kind === "none") return message;
  return `HTTP ${answer.status}${code === null ? "" : `, ${code}: ${message}`}`;
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Parses JSON. Returns undefined for other text. */
function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
