// Reads the meaning of a message at a return-path (contract.md §Bounce reports): a complaint, a
// delivery report with or without a machine-readable part, or nothing (a reply, a receipt, a delay,
// a challenge). report-verdict.ts decides the consequences for the recipient. Pure.
import { type ComplaintReport, readComplaint } from "./arf.ts";
import { type RecipientStatus, readStatuses } from "./dsn.ts";
import { leavesOf, readAttachedMessage, type ReportPart, readMessage } from "./report-mime.ts";
import { valueOf } from "./report-fields.ts";
import { linesOf, octetsOf, textLinesOf } from "./part-text.ts";
import { isAutoReply, type Notice, readNotice } from "./plain-bounce.ts";

export interface DeliveryReport {
  readonly kind: "delivery";
  readonly statuses: readonly RecipientStatus[];
  /** The report's text for people. If `statuses` is empty, the report has only this text. */
  readonly notice: Notice | undefined;
  /** True if a filter refused the message, which shows that the mailbox exists. */
  readonly isFromFilter?: boolean;
  /** A report inside this report, for example under a covering note. */
  readonly inner?: DeliveryReport;
}

export type Report = ComplaintReport | DeliveryReport;

const STATUS_TYPES: ReadonlySet<string> = new Set([
  "message/delivery-status",
  "message/global-delivery-status",
]);
const OTHER_TEXT_TYPES: ReadonlySet<string> = new Set([
  "text/html",
  "text/rfc822-headers",
  "text/rfc822",
  "text/calendar",
]);
const MESSAGE_TYPES: ReadonlySet<string> = new Set(["message/rfc822", "message/global"]);
const FORWARDED_DEPTH = 3;
const REJECTED =
  /^disposition[ \t]*:[ \t]*automatic-action\/mdn-sent-automatically[ \t]*;[ \t]*deleted/i;
const REFUSED = /reject|refus|quota|not (?:be )?(?:accepted|delivered)/i;

/**
 * Reads a message that came to a return-path. Undefined means that the message has no effect, such
 * as a reply.
 */
export function readReport(raw: Uint8Array): Report | undefined {
  return interpret(readMessage(raw), FORWARDED_DEPTH);
}

function interpret(message: ReportPart, depth: number): Report | undefined {
  const parts = leavesOf(message);
  const feedback = parts.find(({ type }) => type === "message/feedback-report");
  if (feedback) return readComplaint(linesOf(octetsOf(feedback)), message.fields);
  const text = textOf(parts);
  const receipts = parts.filter(({ type }) => type === "message/disposition-notification");
  if (receipts.length > 0) return readRejection(receipts, text, message);
  const statuses = parts
    .filter(({ type }) => STATUS_TYPES.has(type))
    .flatMap((part) => readStatuses(linesOf(octetsOf(part))));
  const stated = (statuses.length > 0 ? statuses : findStatusesInText(text)).filter(
    ({ action }) => action !== "unstated",
  );
  const notice = readNotice(message.fields, text, hasReportType(message));
  if (stated.length > 0) return { kind: "delivery", statuses: stated, notice };
  const inner = isAutoReply(message.fields) ? undefined : findForwardedReport(parts, depth);
  return notice ? { kind: "delivery", statuses: [], notice, ...(inner && { inner }) } : inner;
}

/**
 * Returns whether the message's type is a delivery report, even if its parts were damaged on the
 * way.
 */
function hasReportType({ fields }: ReportPart): boolean {
  return /^multipart\/report\b(?!.*disposition)|report-type\s*=\s*"?delivery-status/is.test(
    valueOf(fields, "content-type") ?? "",
  );
}

/**
 * Reads a receipt in which a filter refuses a message for its recipient (RFC 5429 §2.2). Ignores
 * all other receipts, because they report events after the delivery.
 */
function readRejection(
  receipts: readonly ReportPart[],
  text: readonly string[],
  { fields }: ReportPart,
): DeliveryReport | undefined {
  const lines = receipts.flatMap((part) => linesOf(octetsOf(part)));
  if (!lines.some((line) => REJECTED.test(line)) || !REFUSED.test(text.join(" "))) return undefined;
  const notice = readNotice(fields, text, true);
  return notice && { kind: "delivery", statuses: [], notice, isFromFilter: true };
}

/**
 * Collects the text for people from all parts except the returned message. HTML counts only if no
 * other part has text.
 */
function textOf(parts: readonly ReportPart[]): string[] {
  const plain = parts
    .filter(({ type }) => type.startsWith("text/") && !OTHER_TEXT_TYPES.has(type))
    .flatMap(textLinesOf);
  return plain.some((line) => line.trim() !== "")
    ? plain
    : parts.filter(({ type }) => type === "text/html").flatMap(textLinesOf);
}

/** Finds a delivery status that is not in a separate part, as in broken MIME. */
function findStatusesInText(text: readonly string[]): RecipientStatus[] {
  if (!text.some((line) => /^(?:final|original)-recipient[ \t]*:/i.test(line))) return [];
  return readStatuses(text).filter(
    ({ final, original, status }) => (final ?? original) !== undefined && status !== null,
  );
}

/** Finds a delivery report that a server forwarded inside another message. */
function findForwardedReport(
  parts: readonly ReportPart[],
  depth: number,
): DeliveryReport | undefined {
  if (depth === 0) return undefined;
  for (const part of parts.filter(({ type }) => MESSAGE_TYPES.has(type))) {
    const inner = readAttachedMessage({ ...part, lines: linesOf(octetsOf(part)) });
    if (inner.type !== "multipart/report") continue;
    const report = interpret(inner, depth - 1);
    if (report?.kind === "delivery" && report.statuses.length > 0) return report;
  }
  return undefined;
}
