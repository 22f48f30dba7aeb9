// Publishes TXT records through the records API of Cloudflare's DNS, in the zone that the service
// owns (docs/dns.md). Each call ends within a few seconds. Returns failures of the API as outcomes
// and never throws them.
import type { Settings } from "../../settings.ts";
import {
  type ApiAnswer,
  callApi,
  describeAnswer,
  isGone,
  isSuccess,
  memberOf,
} from "./cloudflare-calls.ts";

export interface TxtRecord {
  /** Absolute name without the final dot. */
  readonly name: string;
  /** The whole text of the TXT record, not yet split into character strings. */
  readonly text: string;
}

export type Publication =
  | { readonly kind: "published"; readonly recordId: string }
  /** The record does not exist. `reason` has the status and Cloudflare's error code. */
  | { readonly kind: "refused"; readonly reason: string }
  /** The record may exist: the API did not respond, or its response was unreadable. */
  | { readonly kind: "unclear"; readonly reason: string };

const RECORD_TTL_SECONDS = 300;
const CHARACTER_STRING_BYTES = 255;

export async function publishTxt(
  settings: Settings,
  record: TxtRecord,
  timeoutMs?: number,
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
    return { kind: "refused", reason: describeAnswer(answer) };
  const recordId = isSuccess(answer) ? idOf(memberOf(answer.json, "result")) : undefined;
  if (recordId === undefined)
    return { kind: "unclear", reason: `${describeAnswer(answer)}, without a record` };
  return { kind: "published", recordId };
}

/** Removes a record. Returns true if the record no longer exists, or never existed. */
export async function removeRecord(
  settings: Settings,
  recordId: string,
  timeoutMs?: number,
): Promise<boolean> {
  const answer = await call(settings, "DELETE", `/${encodeURIComponent(recordId)}`, timeoutMs);
  return isGone(answer);
}

/** Removes the TXT records of a name. Returns true if no TXT records remain. */
export async function removeTxtNamed(
  settings: Settings,
  name: string,
  timeoutMs?: number,
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

function call(
  settings: Settings,
  method: string,
  path: string,
  timeoutMs: number | undefined,
  body?: unknown,
): Promise<ApiAnswer> {
  const records = `/zones/${encodeURIComponent(settings.dnsZoneId)}/dns_records${path}`;
  return callApi(settings, method, records, { token: settings.dnsApiToken, body, timeoutMs });
}

function idOf(record: unknown): string | undefined {
  const id = memberOf(record, "id");
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * Quotes a text as character strings, as the API requires (RFC 1035 §5.1). The text must not
 * contain quotes or backslashes.
 */
function quoteText(text: string): string {
  const strings: string[] = [];
  for (let start = 0; start < text.length; start += CHARACTER_STRING_BYTES)
    strings.push(`"${text.slice(start, start + CHARACTER_STRING_BYTES)}"`);
  return strings.join(" ");
}
