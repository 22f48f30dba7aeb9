// Reads a complaint from a provider's feedback loop (RFC 5965 and similar formats), and collects
// the return-path tokens in the message that it quotes. Providers redact the recipient and often
// every header that names the recipient. The token is therefore searched first in the envelope
// sender, Return-Path and CFBL-Address, and then in every other header. Pure.
import { type ComplaintReport, inferComplaint, readComplaint } from "./arf.ts";
import { type Field, readLeadingFields } from "./report-fields.ts";
import { leavesOf, type ReportPart, readMessage } from "./report-mime.ts";
import { linesOf, octetsOf } from "./part-text.ts";
import { isAutoReply } from "./plain-bounce.ts";

export interface LoopReport {
  readonly report: ComplaintReport;
  /** Return-path tokens, the most likely token first. Their signatures are not checked yet. */
  readonly tokens: readonly string[];
}

const MESSAGE_TYPES: ReadonlySet<string> = new Set([
  "message/rfc822",
  "message/global",
  "text/rfc822-headers",
  "message/rfc822-headers",
  "message/global-headers",
]);
/** Part types of other reports, which are never complaints. */
const NO_COMPLAINTS =
  /^message\/(?:(?:global-)?delivery-status|(?:global-)?disposition-notification)$/;
/** Fields in which the return-path token is searched first. */
const LIKELY_FIELDS = [
  "original-mail-from",
  "return-path",
  "cfbl-address",
  "x-original-return-path",
  "envelope-from",
  "x-envelope-from",
];
/**
 * Matches a token in a return-path, and also in the forms in which SRS, BATV and xtext (RFC 3461
 * §4) rewrite it.
 */
const TOKEN = /(?<![a-z0-9])b(?:\+2b|\+|=2b|%2b)([a-z2-7]{61})(?![a-z0-9])/gi;
const TOKENS_TRIED = 10;

/** Reads a feedback-loop message. Undefined means that the message is not a complaint. */
export function readLoopReport(raw: Uint8Array): LoopReport | undefined {
  const message = readMessage(raw);
  const parts = leavesOf(message);
  const feedback = parts.find(({ type }) => type === "message/feedback-report");
  const machine = feedback ? linesOf(octetsOf(feedback)) : [];
  const report = feedback
    ? readComplaint(machine, message.fields)
    : readBareComplaint(message, parts);
  const copies = parts.filter(({ type }) => MESSAGE_TYPES.has(type));
  if (!report || (!feedback && copies.length === 0)) return undefined;
  const fields = [
    ...readLeadingFields(machine),
    ...copies.flatMap((part) => readLeadingFields(linesOf(octetsOf(part)))),
  ];
  return { report, tokens: findTokens(fields) };
}

/**
 * Reads a message without a feedback part. Some loops, such as Microsoft's former loop, only attach
 * the message that the complaint is about. Then the attachment itself is the complaint.
 */
function readBareComplaint(
  { fields }: ReportPart,
  parts: readonly ReportPart[],
): ComplaintReport | undefined {
  if (isAutoReply(fields) || parts.some(({ type }) => NO_COMPLAINTS.test(type))) return undefined;
  return inferComplaint(fields);
}

function findTokens(fields: readonly Field[]): string[] {
  const likely = LIKELY_FIELDS.flatMap((name) => fields.filter((field) => field.name === name));
  const tokens = new Set<string>();
  for (const { value } of [...likely, ...fields]) {
    for (const [, token = ""] of value.matchAll(TOKEN)) {
      tokens.add(token.toLowerCase());
      if (tokens.size === TOKENS_TRIED) return [...tokens];
    }
  }
  return [...tokens];
}
