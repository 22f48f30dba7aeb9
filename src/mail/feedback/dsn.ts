// The machine's part of a delivery report (RFC 3464, RFC 6533): what became of each recipient. A
// report about an address that the sender never used tells of a forwarding hop and is none about
// ours (contract.md §Bounce reports). Pure.
import { type Field, readFields, valueOf } from "./report-fields.ts";
import { decodeOctets } from "./part-text.ts";
import { type QuotedReply, readQuotedReply } from "./quoted-reply.ts";
import { addressIn, isOwnName, type Likeness, likeness } from "./same-address.ts";

export interface RecipientStatus {
  /** Undefined: the field is missing, or names no address. */
  readonly final: string | undefined;
  readonly original: string | undefined;
  /** Where a local alias sent the mail on (X-Actual-Recipient). */
  readonly actual: string | undefined;
  /** `untold`: the group has neither an action nor a status. */
  readonly action: "failed" | "other" | "untold";
  /** The enhanced code; null: none. */
  readonly status: string | null;
  /** The reply that was quoted; undefined: none was. */
  readonly refusal: QuotedReply | undefined;
  /** The reporting server; undefined: the report does not name it. */
  readonly reporter: string | undefined;
  /** The reporter itself refused the mailbox, with no server behind it. */
  readonly isReportersOwn: boolean;
}

const LINES = 5_000;
const GROUPS = 200;
const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![.\d]*\d)/;
const DIAGNOSTIC_TYPE = /^[ \t]*[\w.+-]{1,40}[ \t]*;/;
const ADDRESSES = ["final-recipient", "original-recipient"];
const VERDICT = ["action", "status"];
const OF_A_RECIPIENT = [...ADDRESSES, ...VERDICT, "diagnostic-code"];
/** RFC 3464 §2.3.3 has five actions; servers write the first one in other words, too. */
const FAILED =
  /^(?:fail|error|undeliver|not[- ]?deliver|non[- ]?deliver|reject|refus|bounce|permanent|expire|return|abort)/i;
const NOT_FAILED =
  /^(?:delay|defer|deliver|relay|expand|success|transfer|forward|queue|retr|warn|ok)/i;
/** RFC 3463 §3.2 and §3.3: the mailbox is not there, or takes nothing. */
const OF_A_MAILBOX = /^5\.(?:1\.1|2\.\d{1,3})$/;

/**
 * The recipients of a delivery status. The fields about the message before them, and groups that
 * say nothing of a recipient, are left out.
 */
export function statusesIn(lines: readonly string[]): RecipientStatus[] {
  const read = lines.slice(0, LINES);
  const groups: Field[][] = [];
  const reporter = hostIn(read.find((line) => /^reporting-mta[ \t]*:/i.test(line)) ?? "");
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
    .map((group) => statusOf(group, reporter));
}

/**
 * How the failure of one of them concerns `recipient`; undefined: none does. An unnamed failure is
 * `unnamed`.
 */
export function failureAmong(
  statuses: readonly RecipientStatus[],
  recipient: string,
): { readonly status: RecipientStatus; readonly about: Likeness | "unnamed" } | undefined {
  const failures = statuses
    .filter(({ action }) => action === "failed")
    .map((status) => ({ status, about: likenessOf(status, recipient) }));
  return (
    failures.find(({ about }) => about === "same") ??
    failures.find(({ about }) => about === "variant") ??
    failures.find(({ about }) => about === "unnamed")
  );
}

/** Whether a failure of a named address is among them. */
export function namesAFailure(statuses: readonly RecipientStatus[]): boolean {
  return statuses.some(
    ({ action, final, original }) => action === "failed" && (final ?? original) !== undefined,
  );
}

function likenessOf(status: RecipientStatus, recipient: string): Likeness | "unnamed" {
  const { final, original, actual, reporter, isReportersOwn } = status;
  const named = final ?? original;
  if (named === undefined) return "unnamed";
  const refused = likeness(named, recipient);
  if (refused === "other" && original !== undefined && likeness(original, recipient) === "same")
    return isReportersOwn || isOwnName(named, recipient, reporter) ? "variant" : "other";
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
  return (
    has(group, VERDICT) && !has(group, ADDRESSES) && has(before, ADDRESSES) && !has(before, VERDICT)
  );
}

function has(fields: readonly Field[], names: readonly string[]): boolean {
  return fields.some(({ name }) => names.includes(name));
}

function statusOf(fields: readonly Field[], reporter: string | undefined): RecipientStatus {
  const address = (name: string) => addressIn(valueOf(fields, name) ?? "");
  const status = STATUS.exec(valueOf(fields, "status") ?? "")?.[1] ?? null;
  const told = decodeOctets(valueOf(fields, "diagnostic-code") ?? "").trim();
  const diagnostic = told.replace(DIAGNOSTIC_TYPE, "").trim();
  return {
    final: address("final-recipient"),
    original: address("original-recipient"),
    actual: address("x-actual-recipient"),
    action: actionOf(valueOf(fields, "action") ?? "", status),
    status,
    refusal: diagnostic === "" ? undefined : readQuotedReply(diagnostic),
    reporter,
    isReportersOwn:
      !has(fields, ["remote-mta"]) && !/^smtp/i.test(told) && OF_A_MAILBOX.test(status ?? ""),
  };
}

/**
 * A status of 2 contradicts a failure. Without an action that is known, only a status of 5 speaks
 * of an end.
 */
function actionOf(action: string, status: string | null): RecipientStatus["action"] {
  if (action === "" && status === null) return "untold";
  if (FAILED.test(action)) return status?.startsWith("2") ? "other" : "failed";
  return !NOT_FAILED.test(action) && status?.startsWith("5") ? "failed" : "other";
}

/** `Reporting-MTA: dns; mx.example.com` */
function hostIn(line: string): string | undefined {
  return /;[ \t]*([\w.-]{1,255})/.exec(line)?.[1]?.toLowerCase();
}
