// Complaints in the Abuse Reporting Format (RFC 5965): a mailbox provider says that its user marked
// the message as spam. Only the kinds by which somebody asks for no more mail are complaints
// (contract.md §Feedback loops); praise, failed authentication and the rest are nothing. Pure.
import type { Complaint } from "../../contracts/event-records.ts";
import { type Field, readFields, valueOf } from "./report-fields.ts";
import { decodeOctets } from "./part-text.ts";
import { addressIn, likeness } from "./same-address.ts";

export interface ComplaintReport {
  readonly kind: "complaint";
  readonly complaint: Complaint;
  /** Original-Rcpt-To, which many providers redact. */
  readonly recipients: readonly string[];
}

const COMPLAINTS: ReadonlySet<string> = new Set(["abuse", "fraud", "virus", "opt-out"]);
const USER_AGENT_CHARACTERS = 256;
const RECIPIENTS = 50;

/** `header`: the report's own, for its date. Undefined: it is no complaint. */
export function readComplaint(
  lines: readonly string[],
  header: readonly Field[],
): ComplaintReport | undefined {
  const { fields } = readFields(withoutEmptyStart(lines));
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
      .slice(0, RECIPIENTS)
      .flatMap(({ value }) => addressIn(value) ?? []),
  };
}

/**
 * What came by a feedback loop without a part for machines: the loop itself says that it is a
 * complaint of abuse.
 */
export function complaintWithoutReport(header: readonly Field[]): ComplaintReport {
  const reportedAt = timeOf(valueOf(header, "date")) ?? null;
  return {
    kind: "complaint",
    complaint: { feedbackType: "abuse", userAgent: null, reportedAt },
    recipients: [],
  };
}

/**
 * Whether the complaint may be the recipient's: it names the address, or nobody, or somebody
 * redacted (RFC 6590) at the address's domain.
 */
export function concerns({ recipients }: ComplaintReport, recipient: string): boolean {
  const domain = domainOf(recipient);
  return (
    recipients.length === 0 ||
    recipients.some(
      (address) =>
        likeness(address, recipient) !== "other" ||
        domainOf(address) === domain ||
        isRedacted(address),
    )
  );
}

function isRedacted(address: string): boolean {
  return /^(?:redacted|removed|hidden|unknown|x+|\*+)@|@(?:redacted|removed|hidden|unknown|x+|\*+)(?:\.|$)/i.test(
    address,
  );
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).toLowerCase();
}

/** RFC 5322 dates, with a comment behind them or without. */
function timeOf(date: string | undefined): number | undefined {
  const time = Date.parse(
    (date ?? "")
      .slice(0, 100)
      .replace(/\([^()]*\)/g, " ")
      .trim(),
  );
  return Number.isNaN(time) || time < 0 || time > Date.UTC(9999, 0) ? undefined : time;
}

function withoutEmptyStart(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  return lines.slice(Math.max(first, 0));
}
