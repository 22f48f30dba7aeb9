// Makes and parses identifiers with a type prefix (contract.md §Identifiers and times). A resource
// that a team manages has a UUIDv4. An id that must contain a time has a UUIDv7.

const UUID_BYTES = 16;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL_ID = /^email_([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})$/;
/** The first characters of a message id. A UUID follows. */
export const EMAIL_PREFIX = "email_";
const DASH_BEFORE = new Set([4, 6, 8, 10]);
/**
 * Number of hex digits for the time in a version 7 UUID, and the index of the version in a UUID's
 * text.
 */
const TIME_DIGITS = 12;
const VERSION_AT = 14;

/** Returns a UUID version 7 (RFC 9562): 48 bits of milliseconds, and 74 random bits. */
export function uuidv7(nowMs: number): string {
  return withTime(nowMs, crypto.randomUUID());
}

/** Returns a UUID version 7 with the given time. Its other 74 bits come from the 16 `bytes`. */
export function uuidv7Of(nowMs: number, bytes: Uint8Array): string {
  const variant = new Uint8Array(bytes);
  variant[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return withTime(nowMs, formatUuid(variant));
}

/** Replaces the first 52 bits of a UUID by a time and the version. */
function withTime(nowMs: number, uuid: string): string {
  const time = nowMs.toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid.slice(VERSION_AT + 1)}`;
}

/** Formats 16 bytes as `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`. */
export function formatUuid(bytes: Uint8Array): string {
  return (
    `${hexOf(bytes, 0, 4)}-${hexOf(bytes, 4, 6)}-${hexOf(bytes, 6, 8)}-` +
    `${hexOf(bytes, 8, 10)}-${hexOf(bytes, 10, UUID_BYTES)}`
  );
}

function hexOf(bytes: Uint8Array, from: number, to: number): string {
  let hex = "";
  for (let index = from; index < to; index += 1) hex += HEX[bytes[index] ?? 0];
  return hex;
}

/** Tells whether the text is a UUID in its usual spelling. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns the 16 bytes of a UUID in its usual spelling, or undefined for anything else. */
export function parseUuid(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!isUuid(text)) return undefined;
  const bytes = new Uint8Array(UUID_BYTES);
  for (let index = 0, at = 0; index < UUID_BYTES; index += 1, at += 2) {
    if (DASH_BEFORE.has(index)) at += 1;
    bytes[index] = Number.parseInt(text.slice(at, at + 2), 16);
  }
  return bytes;
}

/** Returns the time at which a message was accepted, in Unix milliseconds, from its id. */
export function timeOfEmailId(emailId: string): number {
  return timeOfUuidv7(emailId.slice(EMAIL_PREFIX.length));
}

/** Returns the Unix milliseconds in a version 7 UUID. */
export function timeOfUuidv7(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

export type IdPrefix =
  | "team"
  | "key"
  | "template"
  | "domain"
  | "sup"
  | "imp"
  | "wh"
  | "rpl"
  | "member"
  | "invitation"
  | "req"
  | "reply";

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${crypto.randomUUID()}`;
}

/** Returns the UUID of a message id; undefined: the text is not a message id. */
export function uuidOfEmailId(id: string): string | undefined {
  return EMAIL_ID.exec(id)?.[1];
}

/** Returns a new message id, `email_<uuidv7>`. */
export function newEmailId(nowMs: number): string {
  return `email_${uuidv7(nowMs)}`;
}
