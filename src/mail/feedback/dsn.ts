// Reads the machine-readable part of a delivery report (RFC 3464, RFC 6533): the outcome for each
// recipient. If the sender never used the failed address, the failure concerns a forwarding hop,
// not the message's recipient (contract.md §Bounce reports). Pure.
import { type Field, readFields, valueOf } from "./report-fields.ts";
import { decodeOctets } from "./part-text.ts";
import { type QuotedReply, readQuotedReply } from "./quoted-reply.ts";
import { addressIn, isOwnName, type AddressMatch, compareAddresses } from "./same-address.ts";

export interface RecipientStatus {
  /** Address in Final-Recipient. Undefined means that the field is missing or has no address. */
  readonly final: string | undefined;
  readonly original: string | undefined;
  /** Address to which a local alias forwarded the mail (X-Actual-Recipient). */
  readonly actual: string | undefined;
  /** `unstated` means that the fields of the recipient have neither an action nor a status. */
  readonly action: "failed" | "other" | "unstated";
  /** Enhanced status code. Null means that the report has no such code. */
  readonly status: string | null;
  /** Reply quoted in Diagnostic-Code. Undefined means that the report quotes no reply. */
  readonly quotedReply: QuotedReply | undefined;
  /** Host of the reporting server. Undefined means that the report does not name it. */
  readonly reporter: string | undefined;
  /**
   * True if the reporting server itself refused the mailbox, so that the report quotes no other
   * server.
   */
  readonly isRefusedByReporter: boolean;
}

const LINES_READ = 5_000;
const GROUPS_READ = 200;
const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![.\d]*\d)/;
const DIAGNOSTIC_TYPE = /^[ \t]*[\w.+-]{1,40}[ \t]*;/;
const ADDRESS_FIELDS = ["final-recipient", "original-recipient"];
const OUTCOME_FIELDS = ["action", "status"];
const RECIPIENT_FIELDS = [...ADDRESS_FIELDS, ...OUTCOME_FIELDS, "diagnostic-code"];
/**
 * Values of Action that mean a failure. RFC 3464 §2.3.3 defines five actions, but servers also
 * write other words for `failed`.
 */
const FAILED =
  /^(?:fail|error|undeliver|not[- ]?deliver|non[- ]?deliver|reject|refus|bounce|permanent|expire|return|abort)/i;
const NOT_FAILED =
  /^(?:delay|defer|deliver|relay|expand|success|transfer|forward|queue|retr|warn|ok)/i;
/** Status codes of a mailbox that does not exist or accepts no mail (RFC 3463 §3.2 and §3.3). */
const MAILBOX_STATUS = /^5\.(?:1\.1|2\.\d{1,3})$/;

/**
 * Reads the recipients of a delivery status. Leaves out the fields about the message at the top,
 * and groups without fields of a recipient.
 */
export function readStatuses(lines: readonly string[]): RecipientStatus[] {
  const read = lines.slice(0, LINES_READ);
  const groups: Field[][] = [];
  const reporter = readHost(read.find((line) => /^reporting-mta[ \t]*:/i.test(line)) ?? "");
  for (let at = 0; at < read.length && groups.length < GROUPS_READ;) {
    const { fields, end } = readFields(read, at);
    for (const group of groupByRecipient(fields)) {
      const before = groups.at(-1);
      if (before && continuesGroup(before, group)) before.push(...group);
      else groups.push(group);
    }
    at = Math.max(end, at + 1);
  }
  return groups
    .slice(0, GROUPS_READ)
    .filter((group) => hasField(group, RECIPIENT_FIELDS))
    .map((group) => statusOf(group, reporter));
}

/**
 * Finds the failure that concerns `recipient`, and how closely the failed address matches the
 * recipient's. `unnamed` means that the failure has no address. Undefined means that no failure
 * concerns the recipient.
 */
export function findFailure(
  statuses: readonly RecipientStatus[],
  recipient: string,
): { readonly status: RecipientStatus; readonly about: AddressMatch | "unnamed" } | undefined {
  const failures = statuses
    .filter(({ action }) => action === "failed")
    .map((status) => ({ status, about: likenessOf(status, recipient) }));
  return (
    failures.find(({ about }) => about === "same") ??
    failures.find(({ about }) => about === "variant") ??
    failures.find(({ about }) => about === "unnamed")
  );
}

/** Returns whether at least one failure among the statuses names an address. */
export function hasNamedFailure(statuses: readonly RecipientStatus[]): boolean {
  return statuses.some(
    ({ action, final, original }) => action === "failed" && (final ?? original) !== undefined,
  );
}

function likenessOf(status: RecipientStatus, recipient: string): AddressMatch | "unnamed" {
  const { final, original, actual, reporter, isRefusedByReporter } = status;
  const named = final ?? original;
  if (named === undefined) return "unnamed";
  const namedLikeness = compareAddresses(named, recipient);
  if (
    namedLikeness === "other" &&
    original !== undefined &&
    compareAddresses(original, recipient) === "same"
  )
    return isRefusedByReporter || isOwnName(named, recipient, reporter) ? "variant" : "other";
  if (actual === undefined || namedLikeness === "other") return namedLikeness;
  const actualLikeness = compareAddresses(actual, recipient);
  return actualLikeness === "same" ? namedLikeness : actualLikeness;
}

/**
 * Splits fields into one group per recipient. Some reports lack the empty line between two
 * recipients.
 */
function groupByRecipient(fields: readonly Field[]): Field[][] {
  const groups: Field[][] = [];
  for (const field of fields) {
    const group = groups.at(-1);
    const begins =
      ADDRESS_FIELDS.includes(field.name) && group?.some(({ name }) => name === field.name);
    if (!group || begins) groups.push([field]);
    else group.push(field);
  }
  return groups;
}

/**
 * Returns whether the fields of `group` belong to the recipient of `before`. Some reports have an
 * empty line between a recipient and the recipient's outcome.
 */
function continuesGroup(before: readonly Field[], group: readonly Field[]): boolean {
  return (
    hasField(group, OUTCOME_FIELDS) &&
    !hasField(group, ADDRESS_FIELDS) &&
    hasField(before, ADDRESS_FIELDS) &&
    !hasField(before, OUTCOME_FIELDS)
  );
}

function hasField(fields: readonly Field[], names: readonly string[]): boolean {
  return fields.some(({ name }) => names.includes(name));
}

function statusOf(fields: readonly Field[], reporter: string | undefined): RecipientStatus {
  const address = (name: string) => addressIn(valueOf(fields, name) ?? "");
  const status = STATUS.exec(valueOf(fields, "status") ?? "")?.[1] ?? null;
  const diagnosticField = decodeOctets(valueOf(fields, "diagnostic-code") ?? "").trim();
  const diagnostic = diagnosticField.replace(DIAGNOSTIC_TYPE, "").trim();
  return {
    final: address("final-recipient"),
    original: address("original-recipient"),
    actual: address("x-actual-recipient"),
    action: actionOf(valueOf(fields, "action") ?? "", status),
    status,
    quotedReply: diagnostic === "" ? undefined : readQuotedReply(diagnostic),
    reporter,
    isRefusedByReporter:
      !hasField(fields, ["remote-mta"]) &&
      !/^smtp/i.test(diagnosticField) &&
      MAILBOX_STATUS.test(status ?? ""),
  };
}

/**
 * Returns the action. A 2.x.x status contradicts a failure. If the action is unknown, only a 5.x.x
 * status means a failed delivery.
 */
function actionOf(action: string, status: string | null): RecipientStatus["action"] {
  if (action === "" && status === null) return "unstated";
  if (FAILED.test(action)) return status?.startsWith("2") ? "other" : "failed";
  return !NOT_FAILED.test(action) && status?.startsWith("5") ? "failed" : "other";
}

/** Reads the host from a line such as `Reporting-MTA: dns; mx.example.com`. */
function readHost(line: string): string | undefined {
  return /;[ \t]*([\w.-]{1,255})/.exec(line)?.[1]?.toLowerCase();
}
