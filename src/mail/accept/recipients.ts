// Reads the sender and the recipients of a send (contract.md §Senders and recipients). A text
// without an address refuses the send. A recipient that can't receive mail is removed from the
// headers, but stays in the envelope, so that its bounce is recorded (deliver/drop/unmailable.ts).
// A send with only such recipients is refused. Pure.
import { type ParsedMailbox, parseGivenMailbox } from "../../lib/address.ts";
import { RECIPIENTS_PER_SEND, REPLY_TO_ENTRIES } from "../../limits.ts";
import type { Mailbox } from "../message.ts";
import type { FieldProblems } from "./field-problems.ts";
import { entriesOf, type FieldEntry, type JsonObject, readList } from "./fields.ts";

export interface Recipients {
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  /**
   * The addresses of to, cc and bcc, each once, including addresses that can't receive mail.
   * Addresses are compared without regard to case, as in suppressions.
   */
  readonly envelope: readonly string[];
}

/**
 * `rejection` is the reason why the recipient can't receive mail. Null means that the recipient
 * can.
 */
interface Recipient extends Mailbox {
  readonly path: string;
  readonly rejection: string | null;
}

export function readRecipients(input: JsonObject, problems: FieldProblems): Recipients {
  if (input["to"] === undefined) problems.invalid("to", "is required");
  const to = readList(input, "to", problems);
  if (Array.isArray(input["to"]) && to.length === 0)
    problems.invalid("to", "must name at least one recipient");
  const cc = readList(input, "cc", problems);
  const bcc = readList(input, "bcc", problems);
  const total = to.length + cc.length + bcc.length;
  if (total > RECIPIENTS_PER_SEND)
    problems.malformed(
      "to",
      `has ${total} recipients with cc and bcc; at most ${RECIPIENTS_PER_SEND} are allowed`,
    );

  const before = problems.count;
  let left = RECIPIENTS_PER_SEND;
  const read = (name: string, list: readonly unknown[]): Recipient[] => {
    const entries = entriesOf(name, list, left);
    left -= entries.length;
    return entries
      .map((entry) => readRecipient(entry, problems))
      .filter((recipient) => recipient !== undefined);
  };
  const lists = { to: read("to", to), cc: read("cc", cc), bcc: read("bcc", bcc) };
  const all = [...lists.to, ...lists.cc, ...lists.bcc];
  if (all.every(({ rejection }) => rejection !== null) && problems.count === before)
    reportRejected(all, problems);
  return { to: shownOf(lists.to), cc: shownOf(lists.cc), envelope: deduplicate(all) };
}

/**
 * Reads `reply_to`, a string or an array. Null means that the send has no `reply_to`. Every entry
 * must be a valid address: recipients will write to each address, so a silently dropped address
 * would lose their replies.
 */
export function readReplyTo(input: JsonObject, problems: FieldProblems): Mailbox[] | null {
  const value = input["reply_to"];
  if (value === undefined) return null;
  if (typeof value === "string") return readReplyToEntries([{ path: "reply_to", value }], problems);
  if (!Array.isArray(value)) {
    problems.invalid("reply_to", "must be a string or an array of strings");
    return [];
  }
  const entries = readList(input, "reply_to", problems);
  if (entries.length > REPLY_TO_ENTRIES)
    problems.malformed(
      "reply_to",
      `has ${entries.length} entries; at most ${REPLY_TO_ENTRIES} are allowed`,
    );
  return readReplyToEntries(entriesOf("reply_to", entries, REPLY_TO_ENTRIES), problems);
}

function readReplyToEntries(entries: readonly FieldEntry[], problems: FieldProblems): Mailbox[] {
  return entries
    .map(({ path, value }) => {
      if (typeof value === "string") return requireMailbox(value, path, problems);
      problems.invalid(path, "must be a string");
      return undefined;
    })
    .filter((mailbox) => mailbox !== undefined)
    .map(toMailbox);
}

function readRecipient(
  { path, value }: FieldEntry,
  problems: FieldProblems,
): Recipient | undefined {
  if (typeof value !== "string") {
    problems.invalid(path, "must be a string");
    return undefined;
  }
  const parsed = parseGivenMailbox(value);
  if (parsed.kind === "mailbox") return { ...toMailbox(parsed.mailbox), path, rejection: null };
  const { problem } = parsed;
  if (parsed.kind === "unmailable")
    return { email: parsed.email, name: null, path, rejection: problem };
  problems.malformed(path, problem);
  return undefined;
}

/** Reads an address and its domain. Undefined means that an error was reported. */
export function requireMailbox(
  text: string,
  path: string,
  problems: FieldProblems,
): ParsedMailbox | undefined {
  const parsed = parseGivenMailbox(text);
  if (parsed.kind === "mailbox") return parsed.mailbox;
  problems.malformed(path, parsed.problem);
  return undefined;
}

function reportRejected(rejected: readonly Recipient[], problems: FieldProblems): void {
  if (rejected.length === 0) return;
  problems.malformed("to", "has no recipient that can be mailed: every one was rejected");
  for (const { path, rejection } of rejected) problems.malformed(path, rejection ?? "");
}

/** Returns the mailboxes that the headers show. */
function shownOf(recipients: readonly Recipient[]): Mailbox[] {
  return recipients.filter(({ rejection }) => rejection === null).map(toMailbox);
}

function deduplicate(mailboxes: readonly Mailbox[]): string[] {
  const once = new Map<string, string>();
  for (const { email } of mailboxes) {
    const key = email.toLowerCase();
    if (!once.has(key)) once.set(key, email);
  }
  return [...once.values()];
}

function toMailbox({ email, name }: Mailbox): Mailbox {
  return { email, name };
}
