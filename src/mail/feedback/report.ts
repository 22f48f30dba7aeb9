// What a message at a return-path is (contract.md §Bounce reports): a complaint, a delivery report
// with the machine's part or without, or nothing that matters: an answer, a receipt, a delay, a
// challenge. Whom it is about is asked later (finding.ts). Pure.
import { type ComplaintReport, readComplaint } from "./arf.ts";
import { type RecipientStatus, statusesIn } from "./dsn.ts";
import { leavesOf, messageIn, type ReportPart, readMessage } from "./report-mime.ts";
import { valueOf } from "./report-fields.ts";
import { linesOf, octetsOf, textLinesOf } from "./part-text.ts";
import { isAnswer, type Notice, readNotice } from "./plain-bounce.ts";

export interface DeliveryReport {
  readonly kind: "delivery";
  readonly statuses: readonly RecipientStatus[];
  /** What it says to people: all there is when `statuses` is empty. */
  readonly notice: Notice | undefined;
  /** A filter refused the message, so the mailbox is there. */
  readonly isFilters?: boolean;
  /** A report that came inside this one, as in a cover notice. */
  readonly inner?: DeliveryReport;
}

export type Report = ComplaintReport | DeliveryReport;

const STATUS_TYPES: ReadonlySet<string> = new Set([
  "message/delivery-status",
  "message/global-delivery-status",
]);
const NO_WORDS: ReadonlySet<string> = new Set([
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

/** Undefined: nothing comes of it. */
export function readReport(raw: Uint8Array): Report | undefined {
  return reportIn(readMessage(raw), FORWARDED_DEPTH);
}

function reportIn(message: ReportPart, depth: number): Report | undefined {
  const parts = leavesOf(message);
  const feedback = parts.find(({ type }) => type === "message/feedback-report");
  if (feedback) return readComplaint(linesOf(octetsOf(feedback)), message.fields);
  const text = textOf(parts);
  const receipts = parts.filter(({ type }) => type === "message/disposition-notification");
  if (receipts.length > 0) return rejection(receipts, text, message);
  const statuses = parts
    .filter(({ type }) => STATUS_TYPES.has(type))
    .flatMap((part) => statusesIn(linesOf(octetsOf(part))));
  const told = (statuses.length > 0 ? statuses : statusesInText(text)).filter(
    ({ action }) => action !== "untold",
  );
  const notice = readNotice(message.fields, text, isReport(message));
  if (told.length > 0) return { kind: "delivery", statuses: told, notice };
  const inner = isAnswer(message.fields) ? undefined : forwarded(parts, depth);
  return notice ? { kind: "delivery", statuses: [], notice, ...(inner && { inner }) } : inner;
}

/** A delivery report by its type, whatever its parts have become on the way. */
function isReport({ fields }: ReportPart): boolean {
  return /^multipart\/report\b(?!.*disposition)|report-type\s*=\s*"?delivery-status/is.test(
    valueOf(fields, "content-type") ?? "",
  );
}

/**
 * A receipt by which a filter refuses a message for its recipient (RFC 5429 §2.2); any other says
 * what became of it after its delivery.
 */
function rejection(
  receipts: readonly ReportPart[],
  text: readonly string[],
  { fields }: ReportPart,
): DeliveryReport | undefined {
  const lines = receipts.flatMap((part) => linesOf(octetsOf(part)));
  if (!lines.some((line) => REJECTED.test(line)) || !REFUSED.test(text.join(" "))) return undefined;
  const notice = readNotice(fields, text, true);
  return notice && { kind: "delivery", statuses: [], notice, isFilters: true };
}

/**
 * What is meant for people, of all parts before and beside the message that came back: the HTML
 * where nothing else has words.
 */
function textOf(parts: readonly ReportPart[]): string[] {
  const plain = parts
    .filter(({ type }) => type.startsWith("text/") && !NO_WORDS.has(type))
    .flatMap(textLinesOf);
  return plain.some((line) => line.trim() !== "")
    ? plain
    : parts.filter(({ type }) => type === "text/html").flatMap(textLinesOf);
}

/** A delivery status that lost its part on the way, as in broken MIME. */
function statusesInText(text: readonly string[]): RecipientStatus[] {
  if (!text.some((line) => /^(?:final|original)-recipient[ \t]*:/i.test(line))) return [];
  return statusesIn(text).filter(
    ({ final, original, status }) => (final ?? original) !== undefined && status !== null,
  );
}

/** A report that somebody's server passed on inside another message. */
function forwarded(parts: readonly ReportPart[], depth: number): DeliveryReport | undefined {
  if (depth === 0) return undefined;
  for (const part of parts.filter(({ type }) => MESSAGE_TYPES.has(type))) {
    const inner = messageIn({ ...part, lines: linesOf(octetsOf(part)) });
    if (inner.type !== "multipart/report") continue;
    const report = reportIn(inner, depth - 1);
    if (report?.kind === "delivery" && report.statuses.length > 0) return report;
  }
  return undefined;
}
