// The machine's part of a delivery report (RFC 3464, RFC 6533): what became of each recipient. A report about an address that the sender never used tells of
// a forwarding hop and is none about ours (design.md section 6). Pure.
import { type Field, readFields, valueOf } from "./fields.ts";
import { decodeOctets } from "./part-text.ts";
import { type Refusal, refusalIn } from "./refusal.ts";
import { addressIn, type Likeness, likeness } from "./same-address.ts";

export interface RecipientStatus {
  /** Undefined: the field is missing, or names no address. */
  readonly final: string | undefined;
  readonly original: string | undefined;
  /** Where a local alias sent the mail on (X-Actual-Recipient). */
  readonly actual: string | undefined;
  readonly action: "failed" | "other";
  /** The enhanced code; null: none. */
  readonly status: string | null;
  /** The reply that was quoted; undefined: none was. */
  readonly refusal: Refusal | undefined;
}

const LINES = 5_000;
const GROUPS = 200;
const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![.\d]*\d)/;
const DIAGNOSTIC_TYPE = /^[ \t]*[\w.+-]{1,40}[ \t]*;/;
const ADDRESSES = ["final-recipient", "original-recipient"];
const VERDICT = ["action", "status"];
const OF_A_RECIPIENT = [...ADDRESSES, ...VERDICT, "diagnostic-code"];

/** The recipients of a delivery status. The fields about the message before them, and groups that say nothing of a recipient, are left out. */
export function statusesIn(lines: readonly string[]): RecipientStatus[] {
  const read = lines.slice(0, LINES);
  const groups: Field[][] = [];
  for (let at = 0; at < read.length && groups.length < GROUPS;) {
    const { fields, end } = readFields(read, at);
    for (const group of byRecipient(fields)) {
      const before = groups.at(-1);
      if (before && continues(before, group)) before.push(...group);
      else groups.push(group);
    }
    at = Math.max(end, at + 1);
  }
  return groups
    .slice(0, GROUPS)
    .filter((group) => has(group, OF_A_RECIPIENT))
    .map(statusOf);
}

/** How the failure of one of them concerns `recipient`; undefined: none does. An unnamed failure is `unnamed`. */
export function failureAmong(
  statuses: readonly RecipientStatus[],
  recipient: string,
): { readonly status: RecipientStatus; readonly about: Likeness | "unnamed" } | undefined {
  const failures = statuses.filter(({ action }) => action === "failed").map((status) => ({ status, about: likenessOf(status, recipient) }));
  return (
    failures.find(({ about }) => about === "same") ??
    failures.find(({ about }) => about === "variant") ??
    failures.find(({ about }) => about === "unnamed")
  );
}

function likenessOf({ final, original, actual }: RecipientStatus, recipient: string): Likeness | "unnamed" {
  const named = final ?? original;
  if (named === undefined) return "unnamed";
  const refused = likeness(named, recipient);
  if (actual === undefined || refused === "other") return refused;
  const sentOn = likeness(actual, recipient);
  return sentOn === "same" ? refused : sentOn;
}

/** Some reports leave out the empty line between two recipients. */
function byRecipient(fields: readonly Field[]): Field[][] {
  const groups: Field[][] = [];
  for (const field of fields) {
    const group = groups.at(-1);
    const begins = ADDRESSES.includes(field.name) && group?.some(({ name }) => name === field.name);
    if (!group || begins) groups.push([field]);
    else group.push(field);
  }
  return groups;
}

/** Some put an empty line between a recipient and what became of it. */
function continues(before: readonly Field[], group: readonly Field[]): boolean {
  return has(group, VERDICT) && !has(group, ADDRESSES) && has(before, ADDRESSES) && !has(before, VERDICT);
}

function has(fields: readonly Field[], names: readonly string[]): boolean {
  return fields.some(({ name }) => names.includes(name));
}

function statusOf(fields: readonly Field[]): RecipientStatus {
  const address = (name: string) => addressIn(valueOf(fields, name) ?? "");
  const status = STATUS.exec(valueOf(fields, "status") ?? "")?.[1] ?? null;
  const diagnostic = decodeOctets(valueOf(fields, "diagnostic-code") ?? "")
    .replace(DIAGNOSTIC_TYPE, "")
    .trim();
  return {
    final: address("final-recipient"),
    original: address("original-recipient"),
    actual: address("x-actual-recipient"),
    action: isFailed(valueOf(fields, "action"), status) ? "failed" : "other",
    status,
    refusal: diagnostic === "" ? undefined : refusalIn(diagnostic),
  };
}

/** Without an action, only a status of 5 speaks of an end; with one, a status of 2 contradicts it. */
function isFailed(action: string | undefined, status: string | null): boolean {
  const permanent = status?.startsWith("5") ?? false;
  return action === undefined || action === "" ? permanent : /^fail/i.test(action) && !(status?.startsWith("2") ?? false);
}
