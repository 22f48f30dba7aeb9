// Checks a template's default sender, reply addresses and fallbacks when they are saved
// (contract.md §Template defaults), by the rules of a send. Only a send with the template checks
// that the sender's domain is verified. Pure.
import { parseGivenMailbox } from "../../lib/address.ts";
import { REPLY_TO_ENTRIES } from "../../limits.ts";
import type { FieldErrors } from "../../refusal.ts";
import { type Variables, variableProblems } from "./variable-limits.ts";

/** Maximum number of reported errors, because a hostile body may have thousands of errors. */
const ERRORS_REPORTED = 100;

export interface SendDefaults {
  /** The text in the request. Each send parses the text again. */
  readonly from: string | null;
  readonly replyTo: readonly string[] | null;
  readonly fallbacks: Variables | null;
}

/** A template's defaults for sends in a request. Undefined leaves a member unchanged. */
export interface SendDefaultsInput {
  readonly from?: string | null | undefined;
  readonly reply_to?: string | readonly string[] | null | undefined;
  readonly fallbacks?: Variables | null | undefined;
}

export interface ReadSendDefaults {
  readonly change: Partial<SendDefaults>;
  readonly errors: FieldErrors;
  /** True: the errors are a 400 (contract.md §Statuses). */
  readonly isMalformed: boolean;
}

export function readSendDefaults(input: SendDefaultsInput): ReadSendDefaults {
  const { from, reply_to: replyTo, fallbacks } = input;
  const errors: FieldErrors = {};
  let isMalformed = false;
  const malformed = (path: string, problem: string): void => {
    errors[path] = [problem];
    isMalformed = true;
  };
  if (typeof from === "string") checkMailbox("from", from, malformed);
  if (typeof replyTo === "string") checkMailbox("reply_to", replyTo, malformed);
  else checkMailboxes(replyTo ?? [], malformed);
  for (const found of fallbacks ? variableProblems("fallbacks", fallbacks) : []) {
    if (Object.keys(errors).length >= ERRORS_REPORTED) break;
    errors[found.path] = [found.problem];
    isMalformed ||= found.isMalformed;
  }
  const change = {
    ...(from !== undefined && { from }),
    ...(replyTo !== undefined && { replyTo: orNull([replyTo ?? []].flat()) }),
    ...(fallbacks !== undefined && { fallbacks: fallbacks && orNull(fallbacks) }),
  };
  return { change, errors, isMalformed };
}

type Report = (path: string, problem: string) => void;

function checkMailboxes(entries: readonly string[], malformed: Report): void {
  if (entries.length > REPLY_TO_ENTRIES)
    malformed("reply_to", `has ${entries.length} entries; at most ${REPLY_TO_ENTRIES} are allowed`);
  for (const [index, entry] of entries.slice(0, REPLY_TO_ENTRIES).entries())
    checkMailbox(`reply_to.${index}`, entry, malformed);
}

function checkMailbox(path: string, given: string, malformed: Report): void {
  const parsed = parseGivenMailbox(given);
  if (parsed.kind !== "mailbox") malformed(path, parsed.problem);
}

/** Returns null for an empty list or object, because it means that the template has no default. */
function orNull<Value extends object>(value: Value): Value | null {
  return Object.keys(value).length > 0 ? value : null;
}
