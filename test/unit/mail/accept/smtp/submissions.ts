// Judges submitted messages in tests, without a team and a ledger.
import { FieldProblems } from "../../../../../src/mail/accept/field-problems.ts";
import { readHeaderSection } from "../../../../../src/mail/accept/smtp/header-section.ts";
import { runToEnd } from "../../../../../src/lib/step-scheduler.ts";
import { toCrlfLines } from "../../../../../src/lib/mime/line-ends.ts";
import { renderWithTemplate } from "../../../../../src/mail/accept/smtp/render-submission.ts";
import { identityOf } from "../../../../../src/mail/accept/smtp/submission-identity.ts";
import { validateSubmission } from "../../../../../src/mail/accept/smtp/validate-submission.ts";
import { prepareSubmission } from "../../../../../src/mail/accept/smtp/prepare-submission.ts";
import type { SubmissionIdentity } from "../../../../../src/rpc/submission-calls.ts";
import type { Message } from "../../../../../src/mail/message.ts";
import type { Sendable } from "../../../../../src/resources/templates/sendable.ts";

type More = [recipients?: readonly string[], pools?: readonly string[], template?: Sendable | null];

export type CheckedSubmission =
  | { readonly kind: "taken"; readonly message: Message; readonly content: string }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly errors: Record<string, string[]>;
    };

export const OWNED = "owned.example";
/** The From field of a message that is accepted. */
export const FROM = `From: Me <me@${OWNED}>`;
/** The header of a message that is accepted. */
export const WHOLE =
  `Message-ID: <1@${OWNED}>\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n${FROM}\r\nTo: ` +
  "ann@example.org\r\nSubject: Hi\r\n";
export const ID = "email_01890000-0000-7000-8000-000000000000";
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Converts a string with one character for each octet into its octets. */
export function octets(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes).replace(/[\u0080-\uffff]/g, (character) => {
    const byte = bytesOfWindows1252.get(character);
    return byte === undefined ? character : String.fromCharCode(byte);
  });
}

/**
 * Maps the characters of windows-1252 to their octets, because TextDecoder treats "latin1" as
 * windows-1252.
 */
const bytesOfWindows1252 = new Map(
  Array.from({ length: 128 }, (_, index) => [
    new TextDecoder("latin1").decode(Uint8Array.of(index + 128)),
    index + 128,
  ]),
);

/** Returns the facts by which a message, given in its octets, is recognised under its key. */
export function identityOfMessage(
  message: Uint8Array,
  mailFrom = "me@example.com",
  recipients: readonly string[] = ["ann@example.org"],
): Promise<SubmissionIdentity> {
  const section = readHeaderSection(message);
  if (section.kind === "malformed") throw new Error(section.problem);
  return identityOf({ mailFrom, recipients }, message, section);
}

/**
 * Judges a submitted message, given as a string with one character for each octet. The team may
 * send from every domain. The message uses `template` if one is given.
 */
export function judgeMessage(
  message: string,
  recipients: readonly string[] = ["ann@example.org"],
  pools: readonly string[] = ["receipts"],
  template: Sendable | null = null,
): CheckedSubmission {
  const problems = new FieldProblems();
  const section = readHeaderSection(toCrlfLines(octets(message)));
  if (section.kind === "malformed") problems.malformed("headers", section.problem);
  const valid =
    section.kind === "header"
      ? validateSubmission(recipients, section.fields, pools, problems)
      : undefined;
  const rendered =
    valid && section.kind === "header"
      ? runToEnd(renderWithTemplate(valid, template, section.body, problems))
      : undefined;
  if (!rendered) {
    const { status, body } = problems.refusal();
    return {
      kind: "refused",
      status,
      errors: (JSON.parse(body) as { error: { errors: Record<string, string[]> } }).error.errors,
    };
  }
  const prepared = prepareSubmission(rendered, {
    id: ID,
    teamId: "team_x",
    acceptedAt: NOW,
    domain: { id: "domain_x", name: rendered.from.domain },
  });
  return {
    kind: "taken",
    message: JSON.parse(prepared.candidate.meta) as Message,
    content: textOf(prepared.content as Uint8Array),
  };
}

export function acceptMessage(
  message: string,
  ...more: More
): Extract<CheckedSubmission, { kind: "taken" }> {
  const judged = judgeMessage(message, ...more);
  if (judged.kind !== "taken") throw new Error(JSON.stringify(judged.errors));
  return judged;
}

export function errorsOf(message: string, ...more: More): Record<string, string[]> {
  const judged = judgeMessage(message, ...more);
  if (judged.kind !== "refused") throw new Error(`was taken: ${judged.content}`);
  return judged.errors;
}

/** Returns the only error of a refused message: `topic is given more than once`. */
export function problemOf(message: string, ...more: More): string {
  const [[path, problems] = ["", []], ...others] = Object.entries(errorsOf(message, ...more));
  if (others.length > 0) throw new Error(`more errors: ${JSON.stringify(others)}`);
  return `${path} ${problems.join()}`;
}
