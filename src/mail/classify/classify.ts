// Why a receiving server refused: from its reply to one of the classes of contract.md §Bounces.
// Pure; the rules are data (recipient-rules.ts, sender-rules.ts, abroad-rules.ts, status-rules.ts),
// and subject.ts says whom they blame. A stranger's server chose the words, so that a reply is cut
// first and every step is linear in what is left.
import type { Stage } from "../message.ts";
import type { BounceClass, BounceRule } from "./bounce-class.ts";
import { WORDING_RULES } from "./recipient-rules.ts";
import {
  CODE_CLASSES,
  STATUS_CLASSES,
  SUBJECT_CLASSES,
  TEMPORARY_STATUS_CLASSES,
} from "./status-rules.ts";
import { assignBlame, OUR_RETURN_PATH } from "./subject.ts";

interface FailedReply {
  /** Three digits. */
  readonly code: number;
  /** The enhanced code, e.g. `5.1.1`; null: none was seen, though the text may still carry one. */
  readonly enhanced: string | null;
  readonly text: string;
  /** Where the transaction stood; null: a report that does not say. */
  readonly stage: Stage | null;
}

/**
 * A class, and for people what in the reply decided on it: `wording: no such user`, `status:
 * 5.2.2`, `code: 552`, or `nothing known`.
 */
export interface Ruling {
  readonly class: BounceClass;
  readonly rule: string;
}

interface Decided extends Ruling {
  /** Where the words that decided end; absent: a code decided. */
  readonly end?: number;
}

const REPLY_CHARACTERS = 1_024;
const QUOTED_CHARACTERS = 100;

const ENHANCED_CODE = /^[245]\.(\d{1,3}\.\d{1,3})$/;
// An enhanced code inside the text, as qmail "(#5.1.1)" and IronPort "#5.1.0" write it; never a
// part of an IP address.
const EMBEDDED_CODE = /(?<![\d.])[45]\.(\d{1,3}\.\d{1,3})(?!\.?\d)/;
// The codes of the further lines of a folded reply: "550-5.1.1 ...".
const LINE_CODES = /\b[45]\d\d(?:-[45]\.\d{1,3}\.\d{1,3}\b|-| [45]\.\d{1,3}\.\d{1,3}\b)/g;
const WORDS = /[^\s<>()[\]"',;:]+/g;
const IP_ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}\.?$/;
/** `b+<token>@bounces.<domain>` (contract.md §Return-paths), whole or cut. */
const RETURN_PATH = /(?:^|=)b\+[a-z2-7]{16,61}(?:@|=|$)/;
/** The marks of Latin letters and nothing else: those of Japanese and Korean are letters. */
const MARKS = /[\u0300-\u036f]/g;
/** Addresses at which a server's people are asked, which are no recipient's here. */
const HELP = /^(?:postmaster|abuse|support|help|helpdesk|hostmaster|delist|tosa|tobr|noc)@/;

/**
 * The class of a 4xx or 5xx reply: `Uncategorized` when a 5xx says nothing that is known; null when
 * the code is no refusal.
 */
export function classify(reply: FailedReply): BounceClass | null {
  return ruleOn(reply)?.class ?? null;
}

/** The same, and why. */
export function ruleOn(reply: FailedReply): Ruling | null {
  if (!(reply.code >= 400 && reply.code <= 599)) return null;
  const kind = reply.code < 500 ? 4 : 5;
  const status = (
    ENHANCED_CODE.exec(reply.enhanced ?? "") ??
    EMBEDDED_CODE.exec(reply.text.slice(0, REPLY_CHARACTERS))
  )?.[1];
  const words = wording(reply.text);
  const decided: Decided =
    byWording(words, { kind, status, stage: reply.stage }) ?? byCodes(reply.code, kind, status);
  const { end = words.length, ...ruling } = decided;
  const about = assignBlame({ class: ruling.class, words, end, status, stage: reply.stage });
  if (about !== ruling.class) return { class: about, rule: `${ruling.rule}, not of the recipient` };
  const atItsStage = atStage(about, reply.stage);
  return atItsStage === about
    ? ruling
    : { class: atItsStage, rule: `${ruling.rule}, before the recipient was named` };
}

function byWording(words: string, reply: Parameters<typeof applies>[1]): Decided | undefined {
  for (const rule of WORDING_RULES) {
    if (!applies(rule, reply)) continue;
    for (const says of rule.says) {
      const found = says.exec(words);
      if (found === null) continue;
      const [said] = found;
      return {
        class: rule.class,
        rule: `wording: ${said.trim().slice(0, QUOTED_CHARACTERS).toWellFormed()}`,
        end: found.index + said.length,
      };
    }
  }
  return undefined;
}

/**
 * The text as the rules expect it. The words in addresses are their owner's, not the server's, so
 * that one sign stands for each.
 */
function wording(text: string): string {
  return text
    .slice(0, REPLY_CHARACTERS)
    .toLowerCase()
    .normalize("NFD")
    .replace(MARKS, "")
    .normalize("NFC")
    .replace(/[’`´]/g, "'")
    .replace(LINE_CODES, " ")
    .replace(WORDS, wordFor)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function wordFor(word: string): string {
  if (RETURN_PATH.test(word)) return OUR_RETURN_PATH;
  if (word.includes("@")) return HELP.test(word) ? "help" : "@";
  return IP_ADDRESS.test(word) ? "ip" : word;
}

function applies(
  rule: BounceRule,
  reply: {
    readonly kind: 4 | 5;
    readonly status: string | undefined;
    readonly stage: Stage | null;
  },
): boolean {
  if (rule.kind !== undefined && rule.kind !== reply.kind) return false;
  if (rule.statuses !== undefined && !rule.statuses.includes(reply.status ?? "")) return false;
  if (rule.weak && reply.status?.startsWith("7.")) return false;
  return rule.stages === undefined || rule.stages.includes(reply.stage);
}

function byCodes(code: number, kind: 4 | 5, status: string | undefined): Ruling {
  const subject = status?.split(".", 1)[0] ?? "";
  const byStatus =
    (kind === 4 ? TEMPORARY_STATUS_CLASSES[status ?? ""] : undefined) ??
    STATUS_CLASSES[status ?? ""] ??
    SUBJECT_CLASSES[subject];
  if (byStatus) return { class: byStatus, rule: `status: ${kind}.${status}` };
  const byCode = CODE_CLASSES[code];
  return byCode
    ? { class: byCode, rule: `code: ${code}` }
    : { class: kind === 4 ? "TransientFailure" : "Uncategorized", rule: "nothing known" };
}

/**
 * Before RCPT TO the server has not heard the address, so whatever it calls unknown then is the
 * sender or ourselves.
 */
function atStage(found: BounceClass, stage: Stage | null): BounceClass {
  if (found !== "InvalidRecipient" && found !== "InactiveMailbox" && found !== "BadDomain")
    return found;
  if (stage === "mail") return "InvalidSender";
  const tooEarly = stage === "connect" || stage === "helo" || stage === "starttls";
  return tooEarly && found !== "BadDomain" ? "Uncategorized" : found;
}
