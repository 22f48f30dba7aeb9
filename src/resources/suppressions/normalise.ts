// Brings suppressions into the normal form in which they are stored, compared and looked up
// (contract.md §Reasons and topics): the address as recipients of sends have it, in lower case; the
// topic `*` or a lower-case label. Pure.
import { parseMailbox } from "../../lib/address.ts";

export const EVERY_TOPIC = "*";

export const TOPIC_PROBLEM = "must be `*`, or 1 to 64 of a-z, 0-9, `_`, `.` and `-`";

export const NOTE_CHARACTERS = 1_000;
const TOPIC = /^[a-z0-9_.-]{1,64}$/;

type SuppressedAddress =
  | { readonly kind: "address"; readonly email: string }
  /** A phrase that goes on from the field's name. */
  | { readonly kind: "refused"; readonly problem: string };

/** Reads a bare address, white space around it ignored; one that no mail could go to is refused. */
export function parseSuppressedAddress(given: string): SuppressedAddress {
  const text = given.trim();
  if (text.endsWith(">"))
    return { kind: "refused", problem: "must be a bare email address, without a display name" };
  const parsed = parseMailbox(text);
  return parsed.kind === "mailbox"
    ? { kind: "address", email: parsed.mailbox.email.toLowerCase() }
    : { kind: "refused", problem: parsed.problem };
}

/** What to look a given address up by; text that is no address finds nothing. */
export function addressKey(given: string): string {
  const parsed = parseSuppressedAddress(given);
  return parsed.kind === "address" ? parsed.email : given.trim().toLowerCase();
}

export function topicKey(given: string): string {
  return given.trim().toLowerCase();
}

/** `*` or the topic in lower case; undefined when it is neither. */
export function parseTopic(given: string): string | undefined {
  const topic = given.toLowerCase();
  return topic === EVERY_TOPIC || TOPIC.test(topic) ? topic : undefined;
}

/**
 * What is wrong with a note, as a phrase that goes on from the field's name; null: nothing. Every
 * character that can be stored is.
 */
export function noteProblem(note: string): string | null {
  if (note.length > 2 * NOTE_CHARACTERS || Array.from(note).length > NOTE_CHARACTERS)
    return `must be at most ${NOTE_CHARACTERS} characters`;
  return note.includes("\0") || !note.isWellFormed()
    ? "must not hold NUL or halves of characters"
    : null;
}
