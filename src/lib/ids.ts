// Makes identifiers with a type prefix (contract.md §Identifiers and times): UUIDv4 for what a team
// manages, UUIDv7 where the id must tell its time.

const UUID_BYTES = 16;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DASH_BEFORE = new Set([4, 6, 8, 10]);

/**
 * Random bytes for the ids of a batch: asking for them one id at a time costs more than the rest of
 * an id.
 */
const pool = new Uint8Array(100 * UUID_BYTES);
let poolUsed = pool.length;

/**
 * A UUID version 7 (RFC 9562): 48 bits of milliseconds, the rest from `random` (16 bytes, of which
 * 74 bits are used).
 */
export function uuidv7(nowMs: number, random: Uint8Array = randomBytes()): string {
  const bytes = new Uint8Array(random);
  for (let index = 5, rest = nowMs; index >= 0; index -= 1, rest = Math.floor(rest / 256))
    bytes[index] = rest % 256;
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  return formatUuid(bytes);
}

/** 16 that were given out to nobody before. */
function randomBytes(): Uint8Array {
  if (poolUsed === pool.length) {
    crypto.getRandomValues(pool);
    poolUsed = 0;
  }
  poolUsed += UUID_BYTES;
  return pool.subarray(poolUsed - UUID_BYTES, poolUsed);
}

/** 16 bytes as `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`. */
export function formatUuid(bytes: Uint8Array): string {
  let text = "";
  for (let index = 0; index < UUID_BYTES; index += 1) {
    if (DASH_BEFORE.has(index)) text += "-";
    text += HEX[bytes[index] ?? 0];
  }
  return text;
}

/** Whether the text is a UUID in its usual spelling. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The 16 bytes of a UUID in its usual spelling; undefined for anything else. */
export function parseUuid(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!isUuid(text)) return undefined;
  const bytes = new Uint8Array(UUID_BYTES);
  for (let index = 0, at = 0; index < UUID_BYTES; index += 1, at += 2) {
    if (DASH_BEFORE.has(index)) at += 1;
    bytes[index] = Number.parseInt(text.slice(at, at + 2), 16);
  }
  return bytes;
}

/** The milliseconds that a version 7 UUID carries. */
export function timeOfUuidv7(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

export type IdPrefix = "team" | "key" | "template" | "domain" | "sup" | "imp" | "wh" | "rpl";

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${crypto.randomUUID()}`;
}

/** A message's id, `email_<uuidv7>`. */
export function newEmailId(nowMs: number): string {
  return `email_${uuidv7(nowMs)}`;
}
