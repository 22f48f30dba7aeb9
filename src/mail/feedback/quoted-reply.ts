// Reads the failure from a report's words and codes (contract.md §Bounce reports): permanent or
// transient, and of which class. A failure is permanent only where the report speaks of a refusal
// for good, without a word to the contrary. Pure.
import { classify } from "../classify/classify.ts";
import { onOneLine, replyLine } from "../classify/reply-line.ts";
import type { BounceDetails } from "../message.ts";

export interface QuotedReply {
  /** The refusing server's reply code; null: none is quoted. */
  readonly code: number | null;
  /** The enhanced code in its reply, or beside it. */
  readonly enhanced: string | null;
  /** The reply from its code on, or whatever words there are. */
  readonly text: string;
}

const WORDS_CHARACTERS = 8_192;

// A reply code: alone, before an enhanced code, or before the next line's hyphen; never a part of a
// number, a time, an IP address or a path.
const REPLY =
  /(?<![\w./@-]|\d:)#?\b([45][0-5]\d)(?:-(?=[\s\w<])|[ \t]+|:[ \t]*|$)#?(?:([45]\.\d{1,3}\.\d{1,3})(?![.\d]))?/gm;
const ENHANCED = /(?<![\w.])#?\b([45]\.\d{1,3}\.\d{1,3})(?![.\d]*\d)/;

/**
 * Classes of what no server said about the address or the message: nobody gave a verdict, or it was
 * DNS (docs/decisions/0004).
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

/** The reply that words quote; the first with an enhanced code where there are several. */
export function readQuotedReply(words: string): QuotedReply {
  const text = words.slice(0, WORDS_CHARACTERS);
  let first: RegExpExecArray | undefined;
  for (const found of text.matchAll(REPLY)) {
    if (found[2] !== undefined) return quoted(text, found);
    first ??= found;
  }
  return first
    ? quoted(text, first)
    : { code: null, enhanced: ENHANCED.exec(text)?.[1] ?? null, text };
}

/** `status`: what the reporter says of it (RFC 3464 Status), null where it says nothing. */
export function bounceOf(refusal: QuotedReply, status: string | null = null): BounceDetails {
  const enhanced = refusal.enhanced ?? status;
  const codes = [String(refusal.code ?? ""), refusal.enhanced ?? "", status ?? ""];
  const speaksOf = (kind: "4" | "5") => codes.some((code) => code.startsWith(kind));
  const temporary = speaksOf("4");
  const classification = classify({
    code: refusal.code ?? (temporary ? 450 : 550),
    enhanced,
    text: refusal.text,
    stage: null,
  });
  const undecided =
    refusal.code === null &&
    (NO_VERDICT.has(classification ?? "") ||
      (!speaksOf("5") && classification === "Uncategorized"));
  return {
    type: temporary || undecided ? "transient" : "permanent",
    classification,
    smtpCode: refusal.code,
    smtpResponse: replyLine(...wordsOf(refusal)) || null,
  };
}

/**
 * The reply's words. One of several lines is told as an attempt tells it, with its codes once, at
 * the head.
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

function quoted(text: string, found: RegExpExecArray): QuotedReply {
  return {
    code: Number(found[1]),
    enhanced: found[2] ?? ENHANCED.exec(text.slice(found.index, found.index + 400))?.[1] ?? null,
    text: text.slice(found.index).replace(/^#/, ""),
  };
}
