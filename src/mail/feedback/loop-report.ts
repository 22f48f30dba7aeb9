// A complaint that came by a provider's feedback loop (RFC 5965 and its relatives), and the
// return-path tokens that the message in it may carry. Providers redact the recipient and often
// every header that names it, so the token is looked for wherever it survives: in the envelope's
// sender as the report or a header tells it, in Return-Path, in CFBL-Address, and in whatever other
// header of the message repeats one of them. Pure.
import { type ComplaintReport, complaintWithoutReport, readComplaint } from "./arf.ts";
import { type Field, readFields } from "./report-fields.ts";
import { leavesOf, type ReportPart, readMessage } from "./report-mime.ts";
import { linesOf, octetsOf } from "./part-text.ts";
import { isAnswer } from "./plain-bounce.ts";

export interface LoopReport {
  readonly report: ComplaintReport;
  /** The likeliest first; none has been checked. */
  readonly tokens: readonly string[];
}

const MESSAGES: ReadonlySet<string> = new Set([
  "message/rfc822",
  "message/global",
  "text/rfc822-headers",
  "message/rfc822-headers",
  "message/global-headers",
]);
/** Reports of another kind, which mean no complaint. */
const NO_COMPLAINTS =
  /^message\/(?:(?:global-)?delivery-status|(?:global-)?disposition-notification)$/;
/** Where a token is looked for first. */
const NAMES = [
  "original-mail-from",
  "return-path",
  "cfbl-address",
  "x-original-return-path",
  "envelope-from",
  "x-envelope-from",
];
/** As in a return-path, and as SRS, BATV and xtext (RFC 3461 §4) write one. */
const TOKEN = /(?<![a-z0-9])b(?:\+2b|\+|=2b|%2b)([a-z2-7]{61})(?![a-z0-9])/gi;
const TOKENS = 10;

/** Undefined: nothing that came by a feedback loop. */
export function readLoopReport(raw: Uint8Array): LoopReport | undefined {
  const message = readMessage(raw);
  const parts = leavesOf(message);
  const feedback = parts.find(({ type }) => type === "message/feedback-report");
  const machine = feedback ? linesOf(octetsOf(feedback)) : [];
  const report = feedback ? readComplaint(machine, message.fields) : withoutReport(message, parts);
  const copies = parts.filter(({ type }) => MESSAGES.has(type));
  if (!report || (!feedback && copies.length === 0)) return undefined;
  const fields = [
    ...fieldsIn(machine),
    ...copies.flatMap((part) => fieldsIn(linesOf(octetsOf(part)))),
  ];
  return { report, tokens: tokensIn(fields) };
}

/**
 * Some loops only attach the message (Microsoft's, of old), and so say that it was complained of.
 */
function withoutReport(
  { fields }: ReportPart,
  parts: readonly ReportPart[],
): ComplaintReport | undefined {
  if (isAnswer(fields) || parts.some(({ type }) => NO_COMPLAINTS.test(type))) return undefined;
  return complaintWithoutReport(fields);
}

/** The fields at the beginning of a text, behind the empty lines that some put there. */
function fieldsIn(lines: readonly string[]): readonly Field[] {
  const start = lines.findIndex((line) => line.trim() !== "");
  return start < 0 ? [] : readFields(lines, start).fields;
}

function tokensIn(fields: readonly Field[]): string[] {
  const likely = NAMES.flatMap((name) => fields.filter((field) => field.name === name));
  const tokens = new Set<string>();
  for (const { value } of [...likely, ...fields]) {
    for (const [, token = ""] of value.matchAll(TOKEN)) {
      tokens.add(token.toLowerCase());
      if (tokens.size === TOKENS) return [...tokens];
    }
  }
  return [...tokens];
}
