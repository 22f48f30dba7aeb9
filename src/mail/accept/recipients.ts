// Reads the sender and the recipients of a send (contract.md §Senders and recipients). A text
// without an address refuses the send. A recipient that can't be mailed is removed from the
// headers, and stays in the envelope, so that its bounce is recorded (deliver/drop/unmailable.ts).
// A send with only such recipients is refused. Pure.
import { type ParsedMailbox, parseGivenMailbox } from "../../lib/address.ts";
import { RECIPIENTS_PER_SEND, REPLY_TO_ENTRIES } from "../../limits.ts";
import type { Mailbox } from "../message.ts";
import type { Findings } from "./findings.ts";
import { entriesOf, type FieldEntry, type JsonObject, readList } from "./fields.ts";

export interface Recipients {
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  /**
   * The envelope: to, cc and bcc, each address once, also addresses that can't be mailed. Addresses
   * are compared without regard to case, as in suppressions.
   */
  readonly envelope: readonly string[];
}

/** `rejection`: why the recipient can't be mailed; null: it can. */
interface Recipient extends Mailbox {
  readonly path: string;
  readonly rejection: string | null;
}

/** Reads `from` and its domain. Undefined: an error was reported. */
export function readSender(
  from: string | undefined,
  findings: Findings,
): ParsedMailbox | undefined {
  return from === undefined ? undefined : requireMailbox(from, "from", findings);
}

export function readRecipients(input: JsonObject, findings: Findings): Recipients {
  if (input["to"] === undefined) findings.invalid("to", "is required");
  const to = readList(input, "to", findings);
  if (Array.isArray(input["to"]) && to.length === 0)
    findings.invalid("to", "must name at least one recipient");
  const cc = readList(input, "cc", findings);
  const bcc = readList(input, "bcc", findings);
  const total = to.length + cc.length + bcc.length;
  if (total > RECIPIENTS_PER_SEND)
    findings.malformed(
      "to",
      `has ${total} recipients with cc and bcc; at most ${RECIPIENTS_PER_SEND} are allowed`,
    );

  const before = findings.count;
  let left = RECIPIENTS_PER_SEND;
  const read = (name: string, list: readonly unknown[]): Recipient[] => {
    const entries = entriesOf(name, list, left);
    left -= entries.length;
    return entries
      .map((entry) => readRecipient(entry, findings))
      .filter((recipient) => recipient !== undefined);
  };
  const lists = { to: read("to", to), cc: read("cc", cc), bcc: read("bcc", bcc) };
  const all = [...lists.to, ...lists.cc, ...lists.bcc];
  if (all.every(({ rejection }) => rejection !== null) && findings.count === before)
    reportRejected(all, findings);
  return { to: shownOf(lists.to), cc: shownOf(lists.cc), envelope: deduplicate(all) };
}

/**
 * Reads `reply_to`, a string or an array; null: the send has none. Every entry must be a valid
 * address: recipients will write to each address, so no address can be left out silently.
 */
export function readReplyTo(input: JsonObject, findings: Findings): Mailbox[] | null {
  const value = input["reply_to"];
  if (value === undefined) return null;
  if (typeof value === "string") return readReplyToEntries([{ path: "reply_to", value }], findings);
  if (!Array.isArray(value)) {
    findings.invalid("reply_to", "must be a string or an array of strings");
    return [];
  }
  const entries = readList(input, "reply_to", findings);
  if (entries.length > REPLY_TO_ENTRIES)
    findings.malformed(
      "reply_to",
      `has ${entries.length} entries; at most ${REPLY_TO_ENTRIES} are allowed`,
    );
  return readReplyToEntries(entriesOf("reply_to", entries, REPLY_TO_ENTRIES), findings);
}

function readReplyToEntries(entries: readonly FieldEntry[], findings: Findings): Mailbox[] {
  return entries
    .map(({ path, value }) => {
      if (typeof value === "string") return requireMailbox(value, path, findings);
      findings.invalid(path, "must be a string");
      return undefined;
    })
    .filter((mailbox) => mailbox !== undefined)
    .map(toMailbox);
}

function readRecipient({ path, value }: FieldEntry, findings: Findings): Recipient | undefined {
  if (typeof value !== "string") {
    findings.invalid(path, "must be a string");
    return undefined;
  }
  const parsed = parseGivenMailbox(value);
  if (parsed.kind === "mailbox") return { ...toMailbox(parsed.mailbox), path, rejection: null };
  const { problem } = parsed;
  if (parsed.kind === "unmailable")
    return { email: parsed.email, name: null, path, rejection: problem };
  findings.malformed(path, problem);
  return undefined;
}

function requireMailbox(text: string, path: string, findings: Findings): ParsedMailbox | undefined {
  const parsed = parseGivenMailbox(text);
  if (parsed.kind === "mailbox") return parsed.mailbox;
  findings.malformed(path, parsed.problem);
  return undefined;
}

function reportRejected(rejected: readonly Recipient[], findings: Findings): void {
  if (rejected.length === 0) return;
  findings.malformed("to", "has no recipient that can be mailed: every one was rejected");
  for (const { path, rejection } of rejected) findings.malformed(path, rejection ?? "");
}

/** Returns the mailboxes that the headers show. */
function shownOf(recipients: readonly Recipient[]): Mailbox[] {
  return recipients
    .filter(({ rejection }) => rejection === null)
    .map(({ email, name }) => ({ email, name }));
}

function deduplicate(mailboxes: readonly Mailbox[]): string[] {
  const once = new Map<string, string>();
  for (const { email } of mailboxes) {
    const key = email.toLowerCase();
    if (!once.has(key)) once.set(key, email);
  }
  return [...once.values()];
}

function toMailbox({ email, name }: ParsedMailbox): Mailbox {
  return { email, name };
}
