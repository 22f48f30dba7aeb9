// Writes and reads the bytes with which each token of ours begins: return-paths (token.ts), tracked
// links and unsubscribe links name by them the message, so that what comes back finds the team's
// ledger, and the day's pages, without a search. version (1 byte) | team number (4) | email uuid
// (16) | recipient index (1), where a recipient is named | release day (2); numbers are big-endian.
import { formatUuid, parseUuid } from "../lib/ids.ts";
import { DAY_MS } from "../limits.ts";

export interface MessageRef {
  /** Team.number. */
  readonly teamNumber: number;
  readonly emailId: string;
  /** The UTC day, counted from 1970, from which on something may have become of the message. */
  readonly releaseDay: number;
}

/** One recipient's copy of a message. */
export interface RecipientRef extends MessageRef {
  readonly recipientIndex: number;
}

/** What bytes name, and those behind it. */
interface Named<Ref> {
  readonly ref: Ref;
  readonly rest: Uint8Array<ArrayBuffer>;
}

const VERSION = 1;
const EMAIL_START = 5;
const EMAIL_END = 21;
const DAY_BYTES = 2;
const EMAIL_PREFIX = "email_";

/** The release day of a message that is released at a moment in Unix milliseconds. */
export function releaseDayAt(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The first moment of a release day, in Unix milliseconds. */
export function startOfRelease({ releaseDay }: MessageRef): number {
  return releaseDay * DAY_MS;
}

/** Throws for what no token can name. */
export function bytesOfMessage(ref: MessageRef): number[] {
  return layOut(ref, []);
}

/** Throws for what no token can name. */
export function bytesOfRecipient(ref: RecipientRef): number[] {
  return layOut(ref, bigEndian(ref.recipientIndex, 1));
}

/** Undefined: bytes of another version, or too few. */
export function readMessageRef(bytes: Uint8Array<ArrayBuffer>): Named<MessageRef> | undefined {
  return readAround(bytes, EMAIL_END);
}

/** Undefined: bytes of another version, or too few. */
export function readRecipientRef(bytes: Uint8Array<ArrayBuffer>): Named<RecipientRef> | undefined {
  const named = readAround(bytes, EMAIL_END + 1);
  return named && { ...named, ref: { ...named.ref, recipientIndex: bytes[EMAIL_END] ?? 0 } };
}

function layOut(
  { teamNumber, emailId, releaseDay }: MessageRef,
  index: readonly number[],
): number[] {
  const uuid = parseUuid(emailId.slice(EMAIL_PREFIX.length));
  if (!uuid) throw new RangeError(`no token names the message ${emailId}`);
  return [
    VERSION,
    ...bigEndian(teamNumber, EMAIL_START - 1),
    ...uuid,
    ...index,
    ...bigEndian(releaseDay, DAY_BYTES),
  ];
}

/** `dayStart`: where the release day stands. */
function readAround(
  bytes: Uint8Array<ArrayBuffer>,
  dayStart: number,
): Named<MessageRef> | undefined {
  if (bytes[0] !== VERSION || bytes.length < dayStart + DAY_BYTES) return undefined;
  const ref = {
    teamNumber: numberIn(bytes.subarray(1, EMAIL_START)),
    emailId: EMAIL_PREFIX + formatUuid(bytes.subarray(EMAIL_START, EMAIL_END)),
    releaseDay: numberIn(bytes.subarray(dayStart, dayStart + DAY_BYTES)),
  };
  return { ref, rest: bytes.subarray(dayStart + DAY_BYTES) };
}

function bigEndian(value: number, length: number): number[] {
  if (!Number.isInteger(value) || value < 0 || value >= 256 ** length)
    throw new RangeError(`no token names the number ${value}`);
  return Array.from(
    { length },
    (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256,
  );
}

function numberIn(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
