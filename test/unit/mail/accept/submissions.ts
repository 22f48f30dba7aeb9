// Submitted messages as the intake judges them, without a team and a ledger.
import { Findings } from "../../../../src/mail/accept/findings.ts";
import { readHeaderSection } from "../../../../src/mail/accept/header-section.ts";
import { withCrlfLines } from "../../../../src/mail/accept/line-ends.ts";
import { validateSubmission } from "../../../../src/mail/accept/submission.ts";
import { draftOfSubmission } from "../../../../src/mail/accept/submitted-draft.ts";
import type { Message } from "../../../../src/mail/message.ts";

export type Judged =
  | { readonly kind: "taken"; readonly message: Message; readonly content: string }
  | { readonly kind: "refused"; readonly status: number; readonly errors: Record<string, string[]> };

export const OWNED = "owned.example";
export const ID = "email_01890000-0000-7000-8000-000000000000";
export const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Octets, one character each. */
export function octets(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes).replace(/[\u0080-\uffff]/g, (character) => {
    const byte = bytesOfWindows1252.get(character);
    return byte === undefined ? character : String.fromCharCode(byte);
  });
}

/** The label "latin1" means windows-1252 to a TextDecoder. */
const bytesOfWindows1252 = new Map(
  Array.from({ length: 128 }, (_, index) => [new TextDecoder("latin1").decode(Uint8Array.of(index + 128)), index + 128]),
);

/** `message`: octets, one character each. Every domain counts as the team's. */
export function judge(
  message: string,
  recipients: readonly string[] = ["ann@example.org"],
  pools: readonly string[] = ["receipts"],
): Judged {
  const findings = new Findings();
  const section = readHeaderSection(withCrlfLines(octets(message)));
  if (section.kind === "malformed") findings.malformed("headers", section.problem);
  const valid = section.kind === "header" ? validateSubmission(recipients, section.fields, pools, findings) : undefined;
  if (!valid || section.kind !== "header") {
    const { status, body } = findings.refusal();
    return { kind: "refused", status, errors: (JSON.parse(body) as { error: { errors: Record<string, string[]> } }).error.errors };
  }
  const draft = draftOfSubmission(valid, section.body, {
    id: ID,
    teamId: "team_x",
    acceptedAt: NOW,
    domain: { id: "domain_x", name: valid.from.domain },
  });
  return { kind: "taken", message: JSON.parse(draft.candidate.meta) as Message, content: textOf(draft.content as Uint8Array) };
}

export function taken(
  message: string,
  ...more: [recipients?: readonly string[], pools?: readonly string[]]
): Extract<Judged, { kind: "taken" }> {
  const judged = judge(message, ...more);
  if (judged.kind !== "taken") throw new Error(JSON.stringify(judged.errors));
  return judged;
}

export function errorsOf(message: string, ...more: [recipients?: readonly string[], pools?: readonly string[]]): Record<string, string[]> {
  const judged = judge(message, ...more);
  if (judged.kind !== "refused") throw new Error(`was taken: ${judged.content}`);
  return judged.errors;
}
