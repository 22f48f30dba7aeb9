// Normalizes suppressions for storage, comparison and look-up (contract.md §Reasons and topics). An
// address is normalized like a send's recipient, and converted to lower case. A topic becomes `*`
// or a lower-case label. Pure.
import { parseMailbox } from "../../lib/address.ts";

export const EVERY_TOPIC = "*";

export const TOPIC_PROBLEM = "must be `*`, or 1 to 64 of a-z, 0-9, `_`, `.` and `-`";

export const NOTE_CHARACTERS = 1_000;
const TOPIC = /^[a-z0-9_.-]{1,64}$/;

/**
 * Returns the name that the audit trail has for an address's suppressions: the end of the
 * suppressions' path in the API.
 */
export function suppressionName(email: string, topic: string | null): string {
  return topic === null || topic === EVERY_TOPIC ? email : `${email}/${topic}`;
}

type SuppressedAddress =
  | { readonly kind: "address"; readonly email: string }
  /** `problem` is a phrase that continues the field's name. */
  | { readonly kind: "refused"; readonly problem: string };

/** Parses a bare address, and ignores white space around it. Refuses all other texts. */
export function parseSuppressedAddress(given: string): SuppressedAddress {
  const text = given.trim();
  if (text.endsWith(">"))
    return { kind: "refused", problem: "must be a bare email address, without a display name" };
  const parsed = parseMailbox(text);
  return parsed.kind === "mailbox"
    ? { kind: "address", email: parsed.mailbox.email.toLowerCase() }
    : { kind: "refused", problem: parsed.problem };
}

/**
 * Returns the key by which an address is looked up. For a text that is not an address, returns a
 * key that no row has.
 */
export function addressKey(given: string): string {
  const parsed = parseSuppressedAddress(given);
  return parsed.kind === "address" ? parsed.email : given.trim().toLowerCase();
}

export function topicKey(given: string): string {
  return given.trim().toLowerCase();
}

/** Returns `*`, or the topic in lower case. Returns undefined for an invalid topic. */
export function parseTopic(given: string): string | undefined {
  const topic = given.toLowerCase();
  return topic === EVERY_TOPIC || TOPIC.test(topic) ? topic : undefined;
}

/**
 * Returns the problem with a note, as a phrase that continues the field's name, or null. Allows
 * every character that can be stored.
 */
export function checkNote(note: string): string | null {
  if (note.length > 2 * NOTE_CHARACTERS || Array.from(note).length > NOTE_CHARACTERS)
    return `must be at most ${NOTE_CHARACTERS} characters`;
  return note.includes("\0") || !note.isWellFormed()
    ? "must not contain NUL or lone surrogates"
    : null;
}
