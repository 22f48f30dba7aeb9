// Reads a send's custom headers (contract.md §Custom headers). Drops three kinds of headers without
// an error: headers with malformed names, headers that the service sets, and headers that carry
// trust signals. Pure.
import {
  CUSTOM_HEADER_VALUE_CHARACTERS,
  CUSTOM_HEADERS,
  HEADER_NAME_CHARACTERS,
} from "../../limits.ts";
import { pathSegment } from "../../refusal.ts";
import type { FieldProblems } from "./field-problems.ts";
import { type JsonObject, readMap } from "./fields.ts";
import { toOneLine } from "./sanitize.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9-]*$/;

const DROPPED = new Set(
  (
    "from sender to cc bcc reply-to subject date message-id mime-version " +
    "return-path received x-received delivered-to x-original-to envelope-to errors-to " +
    "dkim-signature domainkey-signature authentication-results received-spf " +
    "feedback-id tls-required x-originating-ip " +
    "disposition-notification-to return-receipt-to"
  ).split(" "),
);
const DROPPED_PREFIX =
  /^(?:content|resent|arc|bimi|cfbl|tls-report|x-forwarded|x-ses|x-spam|x-virus|x-ms-exchange|x-google|x-service)-/;
const KEPT = new Set(["content-language"]);

type Header = readonly [name: string, value: string];

/**
 * The values of several fields with the same name. Only a translation from another API makes this
 * value, because JSON cannot: in a request to Postern, a header has one value.
 */
export class HeaderFields {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

/**
 * Returns the headers that are not dropped, in order. Compares names without regard to case. If two
 * headers have the same name, returns the later header, as with equal JSON keys.
 */
export function readHeaders(input: JsonObject, problems: FieldProblems): Header[] {
  const kept = selectHeaders(readMap(input, "headers", problems));
  const fields = kept.flatMap(([name, value]) =>
    value instanceof HeaderFields
      ? value.values.map((one) => [name, one] as const)
      : [[name, value] as const],
  );
  if (fields.length > CUSTOM_HEADERS)
    problems.malformed("headers", `has more than ${CUSTOM_HEADERS} entries`);
  return fields
    .map(([name, value]) => readHeader(name, value, problems))
    .filter((header) => header !== undefined);
}

/**
 * Selects the headers that are not dropped and not null, with their values as given. Stops at one
 * more than the maximum number, because the body of an attacker may have millions of headers.
 */
export function selectHeaders(given: JsonObject): (readonly [name: string, value: unknown])[] {
  const kept = new Map<string, readonly [name: string, value: unknown]>();
  for (const name of Object.keys(given)) {
    if (!isDroppedHeader(name) && given[name] !== null)
      kept.set(name.toLowerCase(), [name, given[name]]);
    if (kept.size > CUSTOM_HEADERS) break;
  }
  return [...kept.values()];
}

/** Returns whether a send over HTTP drops headers of that name. */
function isDroppedHeader(name: string): boolean {
  return name.length > HEADER_NAME_CHARACTERS || !NAME.test(name) || isReservedHeader(name);
}

/**
 * Returns whether only the service or a receiving server may set headers of that name. Every
 * punctuation character counts as a hyphen, because spam filters also accept `X-Spam_Score` (Exim's
 * spelling) as another filter's verdict.
 */
export function isReservedHeader(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "-");
  return DROPPED.has(plain) || (DROPPED_PREFIX.test(plain) && !KEPT.has(plain));
}

function readHeader(name: string, value: unknown, problems: FieldProblems): Header | undefined {
  const path = `headers.${pathSegment(name)}`;
  if (typeof value !== "string") {
    problems.invalid(path, "must be a string");
    return undefined;
  }
  const line = toHeaderLine(value);
  if (line.length > CUSTOM_HEADER_VALUE_CHARACTERS)
    problems.invalid(path, `is longer than ${CUSTOM_HEADER_VALUE_CHARACTERS} characters`);
  return [name, line];
}

/** Writes a header's value on one line, which is the stored form. */
export function toHeaderLine(value: string): string {
  return toOneLine(value).trim();
}
