// Normalizes suppressions for storage, comparison and look-up (contract.md §Reasons and topics):
// the address like a send's recipient, in lower case, and the topic as `*` or a lower-case label.
// Pure.
import { parseMailbox } from "../../lib/address.ts";

export const EVERY_TOPIC = "*";

export const TOPIC_PROBLEM = "must be `*`, or 1 to 64 of a-z, 0-9, `_`, `.` and `-`";

export const NOTE_CHARACTERS = 1_000;
const TOPIC = /^[a-z0-9_.-]{1,64}$/;

type SuppressedAddress =
  | { readonly kind: "address"; readonly email: string }
  /** `problem` is a phrase that continues the field's name. */
  | { readonly kind: "refused"; readonly problem: string };

/**
 * Parses a bare address, ignoring white space around it. An address that cannot receive mail is
 * refused.
 */
export function parseSuppressedAddress(given: string): SuppressedAddress {
  const text = given.trim();
  if (text.endsWith(">"))
    return { kind: "refused", problem: "must be a bare email address, without a display name" };
  const parsed = parseMailbox(text);
  return parsed.kind === "mailbox"
    ? { kind: "address", email: parsed.mailbox.email.toLowerCase() }
    : { kind: "refused", problem: parsed.problem };
}

/** Returns the key to look up an address by. Text that is not an address finds nothing. */
export function addressKey(given: string): string {
  const parsed = parseSuppressedAddress(given);
  return parsed.kind === "address" ? parsed.email : given.trim().toLowerCase();
}

export function topicKey(given: string): string {
  return given.trim().toLowerCase();
}

/** Returns `*` or the topic in lower case, or undefined when it is neither. */
export function parseTopic(given: string): string | undefined {
  const topic = given.toLowerCase();
  return topic === EVERY_TOPIC || TOPIC.test(topic) ? topic : undefined;
}

/**
 * Returns what is wrong with a note, as a phrase that continues the field's name, or null. Every
 * storable character is allowed.
 */
export function checkNote(note: string): string | null {
  if (note.length > 2 * NOTE_CHARACTERS || Array.from(note).length > NOTE_CHARACTERS)
    return `must be at most ${NOTE_CHARACTERS} characters`;
  return note.includes("\0") || !note.isWellFormed()
    ? "must not contain NUL or lone surrogates"
    : null;
}
