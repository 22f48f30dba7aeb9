// Writes and reads the reference at the start of each token of the service: return-paths
// (token.ts), tracked links and unsubscribe links. The reference names the message, so that a
// report or a visit leads to the team's ledger, and to the chunks of the message's day, without a
// search. Layout: version (1 byte) | team number (4) | email uuid (16) | recipient index (1),
// absent in a MessageRef | release day (2). Numbers are big-endian. Pure.
import { EMAIL_PREFIX, formatUuid, parseUuid, timeOfEmailId } from "../lib/ids.ts";
import { DAY_MS } from "../limits.ts";

export interface MessageRef {
  /** The team's `Team.number`. */
  readonly teamNumber: number;
  readonly emailId: string;
  /**
   * UTC day of the message's release, in days since 1970. The message has no delivery events before
   * this day.
   */
  readonly releaseDay: number;
}

/** One recipient's copy of a message. */
export interface RecipientRef extends MessageRef {
  readonly recipientIndex: number;
}

/** The reference at the start of a token, and the bytes that follow in the token. */
interface ReadRef<Ref> {
  readonly ref: Ref;
  readonly rest: Uint8Array<ArrayBuffer>;
}

const VERSION = 1;
const EMAIL_START = 5;
const EMAIL_END = 21;
const DAY_BYTES = 2;

/** Returns the release day of a message that is released at `ms` (Unix milliseconds). */
export function releaseDayAt(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Returns the start of a release day, in Unix milliseconds. */
export function startOfRelease({ releaseDay }: MessageRef): number {
  return releaseDay * DAY_MS;
}

/**
 * Returns the earliest possible time of the message's release, in Unix milliseconds: the time at
 * which its id was made or, if that is later, the beginning of its release day.
 */
export function earliestRelease(ref: MessageRef): number {
  return Math.max(timeOfEmailId(ref.emailId), startOfRelease(ref));
}

/** Writes a message reference. Throws a RangeError if an id or number does not fit. */
export function bytesOfMessage(ref: MessageRef): number[] {
  return layOut(ref, []);
}

/** Writes a recipient reference. Throws a RangeError if an id or number does not fit. */
export function bytesOfRecipient(ref: RecipientRef): number[] {
  return layOut(ref, bigEndian(ref.recipientIndex, 1));
}

/** Reads a message reference. Undefined means that the bytes are too few, or of another version. */
export function readMessageRef(bytes: Uint8Array<ArrayBuffer>): ReadRef<MessageRef> | undefined {
  return readAround(bytes, EMAIL_END);
}

/**
 * Reads a recipient reference. Undefined means that the bytes are too few, or of another version.
 */
export function readRecipientRef(
  bytes: Uint8Array<ArrayBuffer>,
): ReadRef<RecipientRef> | undefined {
  const read = readAround(bytes, EMAIL_END + 1);
  return read && { ...read, ref: { ...read.ref, recipientIndex: bytes[EMAIL_END] ?? 0 } };
}

function layOut(
  { teamNumber, emailId, releaseDay }: MessageRef,
  index: readonly number[],
): number[] {
  const uuid = parseUuid(emailId.slice(EMAIL_PREFIX.length));
  if (!uuid) throw new RangeError(`${emailId} is not an email id that a token can hold`);
  return [
    VERSION,
    ...bigEndian(teamNumber, EMAIL_START - 1),
    ...uuid,
    ...index,
    ...bigEndian(releaseDay, DAY_BYTES),
  ];
}

/** Reads a reference that has its release day at the offset `dayStart`. */
function readAround(
  bytes: Uint8Array<ArrayBuffer>,
  dayStart: number,
): ReadRef<MessageRef> | undefined {
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
    throw new RangeError(`${value} does not fit into ${length} bytes of a token`);
  return Array.from(
    { length },
    (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256,
  );
}

function numberIn(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
