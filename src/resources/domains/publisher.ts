// Publishes TXT records through the records API of Cloudflare's DNS, in the zone that the service
// owns (docs/dns.md). Each call ends within a few seconds. Failures of the API are returned as
// outcomes and never thrown.
import type { Settings } from "../../settings.ts";

export interface TxtRecord {
  /** Absolute name without the final dot. */
  readonly name: string;
  /** The whole text of the TXT record, not yet split into character strings. */
  readonly text: string;
}

export type Publication =
  | { readonly kind: "published"; readonly recordId: string }
  /** The record certainly does not exist. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The record may exist: there was no answer, or an unreadable one. */
  | { readonly kind: "unclear"; readonly reason: string };

type ApiAnswer =
  | { readonly kind: "answer"; readonly status: number; readonly json: unknown }
  | { readonly kind: "none"; readonly reason: string };

const DNS_API_TIMEOUT_MS = 5_000;
const RECORD_TTL_SECONDS = 300;
const CHARACTER_STRING_BYTES = 255;

export async function publishTxt(
  settings: Settings,
  record: TxtRecord,
  timeoutMs = DNS_API_TIMEOUT_MS,
): Promise<Publication> {
  const body = {
    type: "TXT",
    name: record.name,
    content: quoteText(record.text),
    ttl: RECORD_TTL_SECONDS,
    proxied: false,
  };
  const answer = await call(settings, "POST", "", timeoutMs, body);
  if (answer.kind === "none") return { kind: "unclear", reason: answer.reason };
  if (answer.status >= 400 && answer.status < 500)
    return { kind: "refused", reason: `HTTP ${answer.status}` };
  const recordId = isSuccess(answer) ? idOf(memberOf(answer.json, "result")) : undefined;
  if (recordId === undefined)
    return { kind: "unclear", reason: `HTTP ${answer.status} without a record` };
  return { kind: "published", recordId };
}

/** Removes a record. Returns true when the record is gone, even if it was removed earlier. */
export async function removeRecord(
  settings: Settings,
  recordId: string,
  timeoutMs = DNS_API_TIMEOUT_MS,
): Promise<boolean> {
  const answer = await call(settings, "DELETE", `/${encodeURIComponent(recordId)}`, timeoutMs);
  return answer.kind === "answer" && (answer.status === 404 || isSuccess(answer));
}

/** Removes the TXT records of a name. Returns true when none remain. */
export async function removeTxtNamed(
  settings: Settings,
  name: string,
  timeoutMs = DNS_API_TIMEOUT_MS,
): Promise<boolean> {
  const answer = await call(
    settings,
    "GET",
    `?type=TXT&name=${encodeURIComponent(name)}`,
    timeoutMs,
  );
  const found =
    answer.kind === "answer" && isSuccess(answer) ? memberOf(answer.json, "result") : undefined;
  if (!Array.isArray(found)) return false;
  // Filters the records here too, because an API that ignores the filter would list the whole zone.
  const ids = found
    .filter((record) => memberOf(record, "name") === name && memberOf(record, "type") === "TXT")
    .map(idOf);
  const removed = await Promise.all(
    ids.map(async (id) => id !== undefined && removeRecord(settings, id, timeoutMs)),
  );
  return removed.every(Boolean);
}

async function call(
  settings: Settings,
  method: string,
  path: string,
  timeoutMs: number,
  body?: unknown,
): Promise<ApiAnswer> {
  const url = `${settings.dnsApiUrl}/zones/${encodeURIComponent(settings.dnsZoneId)}/dns_records${path}`;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${settings.dnsApiToken}`,
        "Content-Type": "application/json",
      },
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

/** Parses JSON. Returns undefined for other text. */
function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isSuccess(answer: Extract<ApiAnswer, { kind: "answer" }>): boolean {
  return answer.status >= 200 && answer.status < 300 && memberOf(answer.json, "success") === true;
}

function idOf(record: unknown): string | undefined {
  const id = memberOf(record, "id");
  return typeof id === "string" && id !== "" ? id : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/**
 * Quotes a text as character strings, as the API requires (RFC 1035 §5.1). The text contains
 * neither a quote nor a backslash.
 */
function quoteText(text: string): string {
  const strings: string[] = [];
  for (let start = 0; start < text.length; start += CHARACTER_STRING_BYTES)
    strings.push(`"${text.slice(start, start + CHARACTER_STRING_BYTES)}"`);
  return strings.join(" ");
}
