// Why a receiving server refused: from its reply to one of the classes of wire.md "Events". Pure; the rules are data (bounce-rules.ts,
// message-rules.ts, status-rules.ts). A reply is whatever a stranger's server chose to write, so it is cut first and every step is linear in what is left.
import type { Stage } from "../message.ts";
import type { BounceClass, BounceRule } from "./bounce-class.ts";
import { WORDING_RULES } from "./bounce-rules.ts";
import { CODE_CLASSES, STATUS_CLASSES, SUBJECT_CLASSES, TEMPORARY_STATUS_CLASSES } from "./status-rules.ts";

interface FailedReply {
  /** Three digits. */
  readonly code: number;
  /** The enhanced code, e.g. `5.1.1`; null: none was seen, though the text may still carry one. */
  readonly enhanced: string | null;
  readonly text: string;
  /** Where the transaction stood; null: a report that does not say. */
  readonly stage: Stage | null;
}

/** A class, and for people what in the reply decided on it: `wording: no such user`, `status: 5.2.2`, `code: 552`, or `nothing known`. */
export interface Ruling {
  readonly class: BounceClass;
  readonly rule: string;
}

const REPLY_CHARACTERS = 1_024;
const QUOTED_CHARACTERS = 100;

const ENHANCED_CODE = /^[245]\.(\d{1,3}\.\d{1,3})$/;
// An enhanced code inside the text, as qmail "(#5.1.1)" and IronPort "#5.1.0" write it; never a part of an IP address.
const EMBEDDED_CODE = /(?<![\d.])[45]\.(\d{1,3}\.\d{1,3})(?!\.?\d)/;
// The codes of the further lines of a folded reply: "550-5.1.1 ...".
const LINE_CODES = /\b[45]\d\d(?:-[45]\.\d{1,3}\.\d{1,3}\b|-| [45]\.\d{1,3}\.\d{1,3}\b)/g;
const WORDS = /[^\s<>()[\]"',;:]+/g;

/** The class of a 4xx or 5xx reply: `Uncategorized` when a 5xx says nothing that is known; null when the code is no refusal. */
export function classify(reply: FailedReply): BounceClass | null {
  return ruleOn(reply)?.class ?? null;
}

/** The same, and why. */
export function ruleOn(reply: FailedReply): Ruling | null {
  if (!(reply.code >= 400 && reply.code <= 599)) return null;
  const kind = reply.code < 500 ? 4 : 5;
  const status = (ENHANCED_CODE.exec(reply.enhanced ?? "") ?? EMBEDDED_CODE.exec(reply.text.slice(0, REPLY_CHARACTERS)))?.[1];
  const ruling = byWording(wording(reply.text), { kind, status, stage: reply.stage }) ?? byCodes(reply.code, kind, status);
  const atItsStage = atStage(ruling.class, reply.stage);
  return atItsStage === ruling.class ? ruling : { class: atItsStage, rule: `${ruling.rule}, before the recipient was named` };
}

function byWording(words: string, reply: Parameters<typeof applies>[1]): Ruling | undefined {
  for (const rule of WORDING_RULES) {
    if (!applies(rule, reply)) continue;
    for (const says of rule.says) {
      const [said] = says.exec(words) ?? [];
      if (said !== undefined) return { class: rule.class, rule: `wording: ${said.trim().slice(0, QUOTED_CHARACTERS).toWellFormed()}` };
    }
  }
  return undefined;
}

/** The text as the rules expect it. Addresses become `@`: the words in them are their owner's, not the server's. */
function wording(text: string): string {
  return text
    .slice(0, REPLY_CHARACTERS)
    .toLowerCase()
    .replace(/[’`´]/g, "'")
    .replace(LINE_CODES, " ")
    .replace(WORDS, (word) => (word.includes("@") ? "@" : word))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function applies(
  rule: BounceRule,
  reply: { readonly kind: 4 | 5; readonly status: string | undefined; readonly stage: Stage | null },
): boolean {
  if (rule.kind !== undefined && rule.kind !== reply.kind) return false;
  if (rule.status !== undefined && rule.status !== reply.status) return false;
  if (rule.weak && reply.status?.startsWith("7.")) return false;
  return rule.stages === undefined || rule.stages.includes(reply.stage);
}

function byCodes(code: number, kind: 4 | 5, status: string | undefined): Ruling {
  const subject = status?.split(".", 1)[0] ?? "";
  const byStatus =
    (kind === 4 ? TEMPORARY_STATUS_CLASSES[status ?? ""] : undefined) ?? STATUS_CLASSES[status ?? ""] ?? SUBJECT_CLASSES[subject];
  if (byStatus) return { class: byStatus, rule: `status: ${kind}.${status}` };
  const byCode = CODE_CLASSES[code];
  return byCode
    ? { class: byCode, rule: `code: ${code}` }
    : { class: kind === 4 ? "TransientFailure" : "Uncategorized", rule: "nothing known" };
}

/** Before RCPT TO the server has not heard the address, so whatever it calls unknown then is the sender or ourselves. */
function atStage(found: BounceClass, stage: Stage | null): BounceClass {
  if (found !== "InvalidRecipient" && found !== "InactiveMailbox" && found !== "BadDomain") return found;
  if (stage === "mail") return "InvalidSender";
  const tooEarly = stage === "connect" || stage === "helo" || stage === "starttls";
  return tooEarly && found !== "BadDomain" ? "Uncategorized" : found;
}
