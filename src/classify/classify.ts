// Classifies a receiving server's refusal into one of the classes of contract.md §Bounces. The
// rules are data. wording-rules.ts lists the rules on wording in their order, and status-rules.ts
// the rules on codes. subject.ts then decides whom a refusal blames. An untrusted server chooses
// the reply's text. So the text is cut first, and every step is linear in its length. Pure.
import type { SmtpStage } from "../../smtp-gateway/src/smtp/smtp-reply.ts";
import type { BounceClass, BounceRule } from "./bounce-class.ts";
import { correctSpelling } from "./spelling.ts";
import { isSaidOfAddress } from "./state-subject.ts";
import {
  CODE_CLASSES,
  STATUS_CLASSES,
  SUBJECT_CLASSES,
  TEMPORARY_STATUS_CLASSES,
} from "./status-rules.ts";
import { assignBlame, OUR_RETURN_PATH } from "./subject.ts";
import { WORDING_RULES } from "./wording-rules.ts";

interface FailedReply {
  /** The three-digit reply code. */
  readonly code: number;
  /**
   * The enhanced code with which the reply began, such as `5.1.1`. Null means that the reply began
   * without such a code. The reply's text may still contain such a code.
   */
  readonly enhanced: string | null;
  readonly text: string;
  /** The stage of the transaction. Null means that a report did not name the stage. */
  readonly stage: SmtpStage | null;
}

/**
 * A class, and the part of the reply that decided it, for people to read: `wording: no such user`,
 * `status: 5.2.2`, `code: 552`, or `nothing known`.
 */
export interface BounceRuling {
  readonly class: BounceClass;
  readonly rule: string;
}

interface Decided extends BounceRuling {
  /** Offsets in the text of the wording that decided. Absent if a code decided. */
  readonly start?: number;
  readonly end?: number;
}

/**
 * The code by which a server refuses only the recipient, even if an enhanced code says something
 * else (RFC 5321 §4.2.3).
 */
const USER_NOT_LOCAL = 551;
const REPLY_CHARACTERS = 1_024;
const QUOTED_CHARACTERS = 100;

const ENHANCED_CODE = /^[245]\.(\d{1,3}\.\d{1,3})$/;
// Matches an enhanced code inside the text, as in qmail's "(#5.1.1)" and IronPort's "#5.1.0". Does
// not match a part of an IP address.
const EMBEDDED_CODE = /(?<![\d.])[45]\.(\d{1,3}\.\d{1,3})(?!\.?\d)/;
// Matches codes at the start of the continuation lines of a multi-line reply, such as "550-5.1.1
// ...".
const LINE_CODES = /\b[45]\d\d(?:-[45]\.\d{1,3}\.\d{1,3}\b|-| [45]\.\d{1,3}\.\d{1,3}\b)/g;
const WORDS = /[^\s<>()[\]"',;:]+/g;
const IP_ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}\.?$/;
/**
 * Matches a return-path of this service, `b+<token>@bounces.<domain>` (contract.md §Return-paths),
 * complete or cut off.
 */
const RETURN_PATH = /(?:^|=)b\+[a-z2-7]{16,61}(?:@|=|$)/;
/** Matches a hyphen or underscore that joins two long words, as in `invalid-recipient`. */
const JOINT = /(?<=[a-z]{4})[-_](?=[a-z]{4})/g;
/** Matches a dot inside a name. Such a dot does not end a sentence. */
const INNER_DOT = /(?<=[a-z0-9-])\.(?=[a-z])/g;
/**
 * Matches diacritics of Latin letters only. In Japanese and Korean, combining characters are parts
 * of letters.
 */
const DIACRITICS = /[\u0300-\u036f]/g;
/**
 * Matches contact addresses of a mail server's operator. Such an address is never the recipient's.
 */
const CONTACT = /^(?:postmaster|abuse|support|help|helpdesk|hostmaster|delist|tosa|tobr|noc)@/;

/**
 * Classifies a 4xx or 5xx reply. A 5xx reply that matches no rule is `Uncategorized`. Null means
 * that the code is not 4xx or 5xx.
 */
export function classify(reply: FailedReply): BounceClass | null {
  return ruleOn(reply)?.class ?? null;
}

/**
 * Classifies a reply, and tells which part of the reply decided. Null means that the code is not
 * 4xx or 5xx.
 */
export function ruleOn(reply: FailedReply): BounceRuling | null {
  if (!(reply.code >= 400 && reply.code <= 599)) return null;
  const kind = reply.code < 500 ? 4 : 5;
  const status = (
    ENHANCED_CODE.exec(reply.enhanced ?? "") ??
    EMBEDDED_CODE.exec(reply.text.slice(0, REPLY_CHARACTERS))
  )?.[1];
  const wording = normalize(reply.text);
  const decided: Decided =
    classifyByWording(wording, { code: reply.code, kind, status, stage: reply.stage }) ??
    classifyByCodes(reply.code, kind, status);
  const { start = 0, end = wording.length, ...ruling } = decided;
  const { stage } = reply;
  const blamed = assignBlame({ class: ruling.class, wording, start, end, status, stage });
  if (blamed !== ruling.class)
    return { class: blamed, rule: `${ruling.rule}, not of the recipient` };
  const corrected = correctForStage(blamed, reply.stage);
  return corrected === blamed
    ? ruling
    : { class: corrected, rule: `${ruling.rule}, before the recipient was named` };
}

function classifyByWording(
  wording: string,
  reply: Parameters<typeof applies>[1],
): Decided | undefined {
  for (const rule of WORDING_RULES) {
    if (!applies(rule, reply)) continue;
    for (const says of rule.says) {
      const found = findMatch(says, wording, rule);
      if (!found) continue;
      const [match] = found;
      return {
        class: rule.class,
        rule: `wording: ${match.trim().slice(0, QUOTED_CHARACTERS).toWellFormed()}`,
        start: found.index,
        end: found.index + match.length,
      };
    }
  }
  return undefined;
}

function findMatch(
  says: RegExp,
  wording: string,
  { saidOfAddress: kind }: BounceRule,
): RegExpExecArray | undefined {
  if (kind === undefined) return says.exec(wording) ?? undefined;
  return Array.from(wording.matchAll(says)).find(({ 0: match, index }) =>
    isSaidOfAddress(wording, index, index + match.length, kind),
  );
}

/**
 * Prepares a reply's text for the rules. Replaces each address by a fixed text, because the words
 * in an address were chosen by its owner, and not by the server.
 */
function normalize(text: string): string {
  const words = text
    .slice(0, REPLY_CHARACTERS)
    .toLowerCase()
    .normalize("NFD")
    .replace(DIACRITICS, "")
    .normalize("NFC")
    .replace(/[’`´]/g, "'")
    .replace(LINE_CODES, " ")
    .replace(WORDS, replaceWord)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return correctSpelling(words);
}

function replaceWord(word: string): string {
  if (RETURN_PATH.test(word)) return OUR_RETURN_PATH;
  if (word.includes("@")) return CONTACT.test(word) ? "help" : "@";
  if (IP_ADDRESS.test(word)) return "ip";
  return word.includes("/") ? word : word.replace(JOINT, " ").replace(INNER_DOT, "·");
}

function applies(
  rule: BounceRule,
  reply: {
    readonly code: number;
    readonly kind: 4 | 5;
    readonly status: string | undefined;
    readonly stage: SmtpStage | null;
  },
): boolean {
  if (rule.kind !== undefined && rule.kind !== reply.kind) return false;
  if (rule.statuses !== undefined && !rule.statuses.includes(reply.status ?? "")) return false;
  const isOfPolicy = reply.status?.startsWith("7.") && reply.code !== USER_NOT_LOCAL;
  if (rule.weak === "policy" && isOfPolicy) return false;
  if (rule.weak === "any" && speaksOfMore(reply.status)) return false;
  if (rule.weak === "details" && !saysLittle(reply.status)) return false;
  return rule.stages === undefined || rule.stages.includes(reply.stage);
}

function classifyByCodes(code: number, kind: 4 | 5, status: string | undefined): BounceRuling {
  const byStatus =
    (kind === 4 ? TEMPORARY_STATUS_CLASSES[status ?? ""] : undefined) ?? classOfStatus(status);
  if (byStatus) return { class: byStatus, rule: `status: ${kind}.${status}` };
  const byCode = CODE_CLASSES[code];
  return byCode
    ? { class: byCode, rule: `code: ${code}` }
    : { class: kind === 4 ? "TransientFailure" : "Uncategorized", rule: "nothing known" };
}

function saysLittle(status: string | undefined): boolean {
  return status === "7.0" || status === "7.1" || !speaksOfMore(status);
}

/**
 * Tells whether the enhanced code has a class that outweighs words. X.5.0 does not count, because
 * Outlook uses it for an unknown mailbox. X.4.1 ("no answer from host") does not count, because a
 * server that sends words has answered.
 */
function speaksOfMore(status: string | undefined): boolean {
  return status !== "5.0" && status !== "4.1" && classOfStatus(status) !== undefined;
}

function classOfStatus(status = ""): BounceClass | undefined {
  return STATUS_CLASSES[status] ?? SUBJECT_CLASSES[status.split(".", 1)[0] ?? ""];
}

/**
 * Corrects a class that blames the address although the refusal came before RCPT TO. The server did
 * not have the address yet, so the refusal meant the sender or our own server.
 */
function correctForStage(found: BounceClass, stage: SmtpStage | null): BounceClass {
  if (found !== "InvalidRecipient" && found !== "InactiveMailbox" && found !== "BadDomain")
    return found;
  if (stage === "mail") return "InvalidSender";
  const tooEarly = stage === "connect" || stage === "helo" || stage === "starttls";
  return tooEarly && found !== "BadDomain" ? "Uncategorized" : found;
}
