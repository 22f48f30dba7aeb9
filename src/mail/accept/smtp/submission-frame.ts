// Reads the frame with a submitted message that the gateway sends (docs/gateway-protocol.md): first
// the envelope, then the message as it was received. Pure.
import { isJsonObject, parseJson } from "../../../lib/json.ts";
import { ENVELOPE_BYTES, REQUEST_BODY_BYTES } from "../../../limits.ts";
import type { JsonObject } from "../fields.ts";
import { type RefusalError, refuse } from "../../../refusal.ts";

export interface SubmissionFrame {
  /** The address of MAIL FROM as given. "" is the null sender. */
  readonly mailFrom: string;
  /** The RCPT TO addresses as given, in order. */
  readonly recipients: readonly string[];
  /**
   * The parameter HOLDFOR or HOLDUNTIL of the client's MAIL FROM, as given (RFC 4865). Null means
   * that the client gave no such parameter.
   */
  readonly hold: SubmittedHold | null;
  readonly message: Uint8Array;
}

/** The value of HOLDFOR (seconds after the message's arrival) or of HOLDUNTIL (a date-time). */
export type SubmittedHold = { readonly for: number } | { readonly until: string };

const LENGTH_BYTES = 4;
const FRAME_DEPTH = 2;
/** Maximum number of bytes of a frame. The message in the frame has a separate limit. */
export const FRAME_BYTES = REQUEST_BODY_BYTES + ENVELOPE_BYTES + LENGTH_BYTES;

/**
 * Reads a frame. Throws `malformed` for the field `envelope` if the frame is unreadable. Throws
 * `payload_too_large` if the message is over its limit.
 */
export function readFrame(frame: Uint8Array): SubmissionFrame {
  if (frame.length < LENGTH_BYTES) throw unreadableFrame("has no length");
  const size = new DataView(frame.buffer, frame.byteOffset).getUint32(0);
  const start = LENGTH_BYTES + size;
  if (size > ENVELOPE_BYTES || start > frame.length)
    throw unreadableFrame("has a length that is too large");
  const parsed = parseJson(frame.subarray(LENGTH_BYTES, start), FRAME_DEPTH);
  const envelope = parsed.kind === "value" && isJsonObject(parsed.value) ? parsed.value : {};
  const { mail_from: mailFrom, rcpt_to: recipients } = envelope;
  if (!isListOfStrings(recipients))
    throw unreadableFrame("must be JSON with rcpt_to, an array of strings");
  const hold = holdOf(envelope);
  const message = frame.subarray(start);
  if (message.length > REQUEST_BODY_BYTES) throw refuse("payload_too_large");
  return { mailFrom: typeof mailFrom === "string" ? mailFrom : "", recipients, hold, message };
}

function holdOf({ hold_for: seconds, hold_until: until }: JsonObject): SubmittedHold | null {
  if (typeof seconds === "number") return { for: seconds };
  return typeof until === "string" ? { until } : null;
}

function isListOfStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function unreadableFrame(problem: string): RefusalError {
  return refuse("malformed", { errors: { envelope: [problem] } });
}
