// Validates sends in tests, and returns the stored form or the refusal.
import { expect } from "vitest";
import { FieldProblems } from "../../../../src/mail/accept/field-problems.ts";
import { type ValidEmail, validateEmail } from "../../../../src/mail/accept/validate-email.ts";

export const GOOD = {
  from: "shop@example.com",
  to: ["ann@example.org"],
  subject: "Hello",
  text: "Hi",
};
const POOLS = ["receipts", "alerts"];

export function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export function mapOf<Value>(
  count: number,
  entry: (index: number) => [string, Value],
): Record<string, Value> {
  return Object.fromEntries(times(count, entry));
}

export function file(change: Record<string, unknown>): Record<string, unknown> {
  return { filename: "a.txt", content: "aGk=", ...change };
}

/**
 * Returns a valid send in which `change` replaces some members. A member that becomes undefined is
 * left out.
 */
export function send(change: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify({ ...GOOD, ...change })) as Record<string, unknown>;
}

export function accept(change: Record<string, unknown>): ValidEmail {
  const problems = new FieldProblems();
  const email = validateEmail(send(change), POOLS, 0, problems);
  if (!email) throw new Error(problems.refusal().body);
  return email;
}

export function refusalOf(input: Record<string, unknown>): {
  status: number;
  errors: Record<string, string[]>;
} {
  const problems = new FieldProblems();
  expect(validateEmail(input, POOLS, 0, problems)).toBeUndefined();
  const { status, body } = problems.refusal();
  return {
    status,
    errors: (JSON.parse(body) as { error: { errors: Record<string, string[]> } }).error.errors,
  };
}

/*
 * 400 is for the errors that contract.md §Statuses lists, 422 for the rest. Our choices where the
 * list is open:
 *   subject over 998 characters         422  a length, but not of text or html
 *   tags, reply_to over 10              400  counts, like recipients, headers and attachments
 *   an empty `to`                       422  not a count over a cap: a recipient is required
 *   keys or levels of variables         422  not counts over a cap of the send
 *   an infinite number in variables     400  JSON can't hold that value, so it is malformed
 *   a custom header's value too long    422  a length, and the cap is our own
 *   from, reply_to on a host that       400  not a recipient that could be left out, so the address
 *   can't get mail                           is unusable
 */
/** `refusal` is the status and the fields at fault in their order by name: `422 html, text`. */
export function expectRefused(change: Record<string, unknown>, refusal: string): void {
  const { status, errors } = refusalOf(send(change));
  expect(`${status} ${Object.keys(errors).toSorted().join(", ")}`).toBe(refusal);
  for (const problem of Object.values(errors).flat())
    expect(problem).toMatch(/^(?:is|are|has|must|may|cannot|with)\b/);
}
