// Reads a failure from the text and codes of a report (contract.md §Bounce reports): its class, and
// whether it is permanent or transient. A failure is permanent only if the report clearly states a
// permanent refusal and nothing in the report contradicts it. Pure.
import { classify } from "../../classify/classify.ts";
import { onOneLine, replyLine } from "../../classify/reply-line.ts";
import type { BounceDetails } from "../message.ts";

export interface QuotedReply {
  /** Reply code of the refusing server. Null means that no code is quoted. */
  readonly code: number | null;
  /** Enhanced status code in the reply or beside it. */
  readonly enhanced: string | null;
  /** The reply from its code on, or the whole text if it has no code. */
  readonly text: string;
}

const WORDS_CHARACTERS = 8_192;

// Matches a reply code that is alone, before an enhanced code, or before the hyphen of a continued
// line. Does not match a part of a number, of a time, of an IP address or of a path.
const REPLY =
  /(?<![\w./@-]|\d:)#?\b([45][0-5]\d)(?:-(?=[\s\w<])|[ \t]+|:[ \t]*|$)#?(?:([45]\.\d{1,3}\.\d{1,3})(?![.\d]))?/gm;
const ENHANCED = /(?<![\w.])#?\b([45]\.\d{1,3}\.\d{1,3})(?![.\d]*\d)/;

/**
 * Classes of failures in which no server judged the address or the message, such as DNS failures
 * (docs/decisions/0004).
 */
const NO_VERDICT: ReadonlySet<string> = new Set([
  "MessageExpired",
  "NoAnswerFromHost",
  "BadConnection",
  "DNSFailure",
  "BadDomain",
  "TransientFailure",
  "RoutingErrors",
]);

/**
 * Finds the reply that a text quotes. If the text quotes several replies, the first reply with an
 * enhanced code counts.
 */
export function readQuotedReply(words: string): QuotedReply {
  const text = words.slice(0, WORDS_CHARACTERS);
  let first: RegExpExecArray | undefined;
  for (const found of text.matchAll(REPLY)) {
    if (found[2] !== undefined) return toQuotedReply(text, found);
    first ??= found;
  }
  return first
    ? toQuotedReply(text, first)
    : { code: null, enhanced: ENHANCED.exec(text)?.[1] ?? null, text };
}

/**
 * Returns the bounce that a quoted reply means. `status` is the reporting server's own status (RFC
 * 3464 Status). Null means that it gives no status.
 */
export function bounceOf(reply: QuotedReply, status: string | null = null): BounceDetails {
  const enhanced = reply.enhanced ?? status;
  const codes = [String(reply.code ?? ""), reply.enhanced ?? "", status ?? ""];
  const speaksOf = (kind: "4" | "5") => codes.some((code) => code.startsWith(kind));
  const isTemporary = speaksOf("4");
  const classification = classify({
    code: reply.code ?? (isTemporary ? 450 : 550),
    enhanced,
    text: reply.text,
    stage: null,
  });
  const isUndecided =
    reply.code === null &&
    (NO_VERDICT.has(classification ?? "") ||
      (!speaksOf("5") && classification === "Uncategorized"));
  return {
    type: isTemporary || isUndecided ? "transient" : "permanent",
    classification,
    smtpCode: reply.code,
    smtpResponse: replyLine(...wordsOf(reply)) || null,
  };
}

/**
 * Splits the reply into words. A reply of several lines becomes one text that has its codes only at
 * the start, like the reply to an attempt.
 */
function wordsOf({ code, enhanced, text }: QuotedReply): string[] {
  const words = onOneLine(text).split(" ");
  if (code === null || !words[0]?.startsWith(`${code}-`)) return words;
  const said: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word.startsWith(`${code}-`)) {
      const rest = word.slice(`${code}-`.length);
      if (rest !== "" && rest !== enhanced) said.push(rest);
    } else if (word !== String(code)) said.push(word);
    else if (enhanced !== null && words[at + 1] === enhanced) at += 1;
  }
  return [String(code), ...(enhanced === null ? [] : [enhanced]), ...said];
}

function toQuotedReply(text: string, found: RegExpExecArray): QuotedReply {
  return {
    code: Number(found[1]),
    enhanced: found[2] ?? ENHANCED.exec(text.slice(found.index, found.index + 400))?.[1] ?? null,
    text: text.slice(found.index).replace(/^#/, ""),
  };
}
