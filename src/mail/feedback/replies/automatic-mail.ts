// Decides whether a reply comes from a program or a person (contract.md §Replies). The evidence is
// the fields that RFC 3834 §5 and older programs write, an empty envelope sender, the subject, and
// the phrases of mail servers. Pure, and linear in the length of the mail.
import type { Mailbox } from "../../message.ts";
import {
  ARRIVED_SUBJECT,
  AUTO_REPLY_FIELDS,
  AUTO_REPLY_SUBJECT,
  BOUNCE_OPENERS,
  DAEMON,
} from "../bounce-texts.ts";
import { type Field, valueOf } from "../report-fields.ts";
import { fieldText } from "./reply-content.ts";

/** Fields and values that only programs write, in addition to the fields of auto-responders. */
const PROGRAM_FIELDS: readonly (readonly [name: string, value: RegExp])[] = [
  ["auto-submitted", /^(?!no\b)\S/i],
  ["precedence", /^(?:bulk|junk|list)\b/i],
  ["x-auto-response-suppress", /all|oof|autoreply/i],
  ["x-failed-recipients", /@/],
  ["content-type", /^multipart\/report\b/i],
];
/** The beginnings of the subjects of vacation notes, in the languages of their programs. */
const SUBJECT =
  /^\W{0,3}(?:out[- ]of[- ](?:the[- ])?office|ooo\b|auto(?:matic(?:ally)?|matisch\S{0,3}|mated)?[- ]?(?:reply|response|antwort|svar|generated)|auto ?:|vacation (?:reply|response|message)|(?:i am |i'm )?on (?:annual |maternity |parental )?leave|abwesen|réponse automatique|absence du bureau|respuesta autom|fuera de (?:la )?oficina|risposta automatica|fuori sede|resposta autom|automatisch antwoord|autosvar|frånvaro|autovastaus|automatyczna odpowied|автоответ|自动[回答]复|自動(?:応答|返信|回覆)|자동 회신)/iu;
const PROGRAM =
  /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|autoreply|auto-reply|bounces?|[^@+]{1,60}-(?:bounces|request))(?:[+-][^@]*)?@/i;
/**
 * Matches the start of the subject of a person's reply in many languages: `Re:`, `Antw:`, `回复：`.
 */
const ANSWERED = /^[^\s:：]{1,6}(?:\[\d{1,4}\])?\s?[:：]/;
const RECEIPT = /^(?:read|gelesen|lu|leído|letto|lida)\s?:/i;
const OPENER_CHARACTERS = 8_192;

export interface MailFacts {
  readonly header: readonly Field[];
  /**
   * The author in From. Undefined means that the mail names no author. A person's mail program
   * always names its author.
   */
  readonly author: Mailbox | undefined;
  readonly isSenderNull: boolean;
  /** The mail's own text, without a quotation. */
  readonly text: string;
  /**
   * The subject of the answered message. If the mail has exactly this subject, its program kept the
   * subject unchanged, so the subject proves nothing.
   */
  readonly answered: string | undefined;
}

export function isAutomatic({ header, author, isSenderNull, text, answered }: MailFacts): boolean {
  const subject = fieldText(header, "subject");
  return (
    isSenderNull ||
    author === undefined ||
    PROGRAM.test(author.email) ||
    SUBJECT.test(subject) ||
    RECEIPT.test(subject) ||
    [...AUTO_REPLY_FIELDS, ...PROGRAM_FIELDS].some(([name, value]) =>
      value.test(valueOf(header, name) ?? ""),
    ) ||
    (subject !== answered && !ANSWERED.test(subject) && isNotice(subject, author, text))
  );
}

/**
 * Returns whether the mail is a notice that a program sent on its own. Called only if the subject
 * is not the subject of a reply.
 */
function isNotice(subject: string, { email, name }: Mailbox, text: string): boolean {
  const wording = text.slice(0, OPENER_CHARACTERS).replace(/\s+/g, " ").toLowerCase();
  return (
    [email.slice(0, email.lastIndexOf("@")), name ?? ""].some((one) =>
      DAEMON.test(one.toLowerCase()),
    ) ||
    [AUTO_REPLY_SUBJECT, ARRIVED_SUBJECT].some((one) => one.test(subject.toLowerCase())) ||
    BOUNCE_OPENERS.some((one) => one.test(wording))
  );
}
