// What a message at a return-path is (design.md section 6): a complaint, a delivery report with the machine's part or without, or nothing that matters:
// an answer, a receipt, a delay, a challenge. Whom it is about is asked later (finding.ts). Pure.
import { type ComplaintReport, readComplaint } from "./arf.ts";
import { type RecipientStatus, statusesIn } from "./dsn.ts";
import { leavesOf, messageIn, type Part, readMessage } from "./mime.ts";
import { linesOf, octetsOf, textLinesOf } from "./part-text.ts";
import { isAnswer, type Notice, readNotice } from "./plain-bounce.ts";

export interface DeliveryReport {
  readonly kind: "delivery";
  readonly statuses: readonly RecipientStatus[];
  /** What it says to people: all there is when `statuses` is empty. */
  readonly notice: Notice | undefined;
}

export type Report = ComplaintReport | DeliveryReport;

const STATUS_TYPES: ReadonlySet<string> = new Set(["message/delivery-status", "message/global-delivery-status"]);
const MESSAGE_TYPES: ReadonlySet<string> = new Set(["message/rfc822", "message/global"]);
const FORWARDED_DEPTH = 3;

/** Undefined: nothing comes of it. */
export function readReport(raw: Uint8Array): Report | undefined {
  return reportIn(readMessage(raw), FORWARDED_DEPTH);
}

function reportIn(message: Part, depth: number): Report | undefined {
  const parts = leavesOf(message);
  const feedback = parts.find(({ type }) => type === "message/feedback-report");
  if (feedback) return readComplaint(linesOf(octetsOf(feedback)), message.fields);
  if (parts.some(({ type }) => type === "message/disposition-notification")) return undefined;
  const text = textOf(parts);
  const statuses = parts.filter(({ type }) => STATUS_TYPES.has(type)).flatMap((part) => statusesIn(linesOf(octetsOf(part))));
  const found = statuses.length > 0 ? statuses : statusesInText(text);
  const notice = readNotice(message.fields, text);
  if (found.length > 0) return { kind: "delivery", statuses: found, notice };
  if (notice) return { kind: "delivery", statuses: [], notice };
  return isAnswer(message.fields) ? undefined : forwarded(parts, depth);
}

/** What is meant for people, of all parts before and beside the message that came back. */
function textOf(parts: readonly Part[]): string[] {
  const plain = parts.filter(({ type }) => type === "text/plain");
  return (plain.length > 0 ? plain : parts.filter(({ type }) => type === "text/html")).flatMap(textLinesOf);
}

/** A delivery status that lost its part on the way, as in broken MIME. */
function statusesInText(text: readonly string[]): RecipientStatus[] {
  if (!text.some((line) => /^(?:final|original)-recipient[ \t]*:/i.test(line))) return [];
  return statusesIn(text).filter(({ final, original, status }) => (final ?? original) !== undefined && status !== null);
}

/** A report that somebody's server passed on inside another message. */
function forwarded(parts: readonly Part[], depth: number): Report | undefined {
  if (depth === 0) return undefined;
  for (const part of parts.filter(({ type }) => MESSAGE_TYPES.has(type))) {
    const inner = messageIn({ ...part, lines: linesOf(octetsOf(part)) });
    if (inner.type !== "multipart/report") continue;
    const report = reportIn(inner, depth - 1);
    if (report?.kind === "delivery" && report.statuses.length > 0) return report;
  }
  return undefined;
}
