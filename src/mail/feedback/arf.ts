// Reads complaints in the Abuse Reporting Format (RFC 5965). In such a report, a mailbox provider
// says that a user marked the message as spam. A feedback type counts as a complaint only if it
// means that the user wants no more mail (contract.md §Feedback loops). Other types, such as
// `not-spam` and `auth-failure`, are ignored. Pure.
import { addressDomain } from "../../lib/address.ts";
import type { Complaint } from "../../rpc/event-records.ts";
import { type Field, readLeadingFields, valueOf } from "./report-fields.ts";
import { decodeOctets } from "./part-text.ts";
import { addressIn, compareAddresses } from "./same-address.ts";

export interface ComplaintReport {
  readonly kind: "complaint";
  readonly complaint: Complaint;
  /** Addresses in Original-Rcpt-To. Many providers redact this field. */
  readonly recipients: readonly string[];
}

const COMPLAINTS: ReadonlySet<string> = new Set(["abuse", "fraud", "virus", "opt-out"]);
const USER_AGENT_CHARACTERS = 256;
const RECIPIENTS_READ = 50;

/**
 * Reads a feedback report. `header` is the report's own header, which has its date. Undefined means
 * that the report is not a complaint.
 */
export function readComplaint(
  lines: readonly string[],
  header: readonly Field[],
): ComplaintReport | undefined {
  const fields = readLeadingFields(lines);
  const feedbackType = (valueOf(fields, "feedback-type") ?? "").toLowerCase();
  if (!COMPLAINTS.has(feedbackType)) return undefined;
  const userAgent = decodeOctets(valueOf(fields, "user-agent") ?? "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const dates = [
    valueOf(header, "date"),
    valueOf(fields, "arrival-date"),
    valueOf(fields, "received-date"),
  ];
  return {
    kind: "complaint",
    complaint: {
      feedbackType,
      userAgent: userAgent === "" ? null : userAgent.slice(0, USER_AGENT_CHARACTERS).toWellFormed(),
      reportedAt: dates.map(timeOf).find((time) => time !== undefined) ?? null,
    },
    recipients: fields
      .filter(({ name }) => name === "original-rcpt-to")
      .slice(0, RECIPIENTS_READ)
      .flatMap(({ value }) => addressIn(value) ?? []),
  };
}

/**
 * Returns the complaint of a feedback-loop message without a machine-readable part. All mail to the
 * feedback loops' address counts as an abuse complaint.
 */
export function inferComplaint(header: readonly Field[]): ComplaintReport {
  const reportedAt = timeOf(valueOf(header, "date")) ?? null;
  return {
    kind: "complaint",
    complaint: { feedbackType: "abuse", userAgent: null, reportedAt },
    recipients: [],
  };
}

/**
 * Returns whether the complaint may come from the recipient. It may if it names the recipient's
 * address or domain, a redacted address (RFC 6590), or no address at all.
 */
export function mayConcern({ recipients }: ComplaintReport, recipient: string): boolean {
  const domain = addressDomain(recipient);
  return (
    recipients.length === 0 ||
    recipients.some(
      (address) =>
        compareAddresses(address, recipient) !== "other" ||
        addressDomain(address) === domain ||
        isRedacted(address),
    )
  );
}

function isRedacted(address: string): boolean {
  return /^(?:redacted|removed|hidden|unknown|x+|\*+)@|@(?:redacted|removed|hidden|unknown|x+|\*+)(?:\.|$)/i.test(
    address,
  );
}

/** Reads an RFC 5322 date, with or without a trailing comment, as Unix milliseconds. */
function timeOf(date: string | undefined): number | undefined {
  const time = Date.parse(
    (date ?? "")
      .slice(0, 100)
      .replace(/\([^()]*\)/g, " ")
      .trim(),
  );
  return Number.isNaN(time) || time < 0 || time > Date.UTC(9999, 0) ? undefined : time;
}
