// Validates batches in tests, and returns their merged entries or their errors.
import {
  validateBatch,
  type ValidEntry,
} from "../../../../../src/mail/accept/batch/batch-entries.ts";
import { FieldProblems } from "../../../../../src/mail/accept/field-problems.ts";
import type { ValidEmail } from "../../../../../src/mail/accept/validate-email.ts";

export const ENTRY = {
  from: "shop@example.com",
  to: ["ann@example.org"],
  subject: "Hello",
  text: "Hi",
};

/** Validates a body as JSON carries it: returns the entries, or the errors by path. */
export function judge(
  body: Record<string, unknown>,
): readonly ValidEntry[] | Record<string, string[]> {
  const problems = new FieldProblems();
  const entries = validateBatch(
    JSON.parse(JSON.stringify(body)) as typeof body,
    ["receipts", "alerts"],
    0,
    problems,
  );
  if (entries && problems.count === 0) return entries;
  if (entries) throw new Error("entries were given beside errors");
  return (JSON.parse(problems.refusal().body) as { error: { errors: Record<string, string[]> } })
    .error.errors;
}

export function errorsOf(defaults: unknown, ...emails: unknown[]): Record<string, string[]> {
  const errors = judge({ emails, defaults });
  if (Array.isArray(errors)) throw new Error("the batch is valid");
  return errors as Record<string, string[]>;
}

/** Validates a batch of one entry, and returns the entry merged with the defaults. */
export function mergeOne(
  defaults: Record<string, unknown>,
  entry: Record<string, unknown>,
): ValidEmail {
  const entries = judge({ emails: [entry], defaults });
  const [first] = Array.isArray(entries) ? (entries as ValidEntry[]) : [];
  if (first?.kind !== "valid") throw new Error(JSON.stringify(entries));
  return first.email;
}

export const attachment = (filename: string) => ({ filename, content: "aGk=" });
export const people = (count: number, name = "p") =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.org`);
