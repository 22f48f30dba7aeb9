// Validates sends in tests, and returns the stored form or the refusal.
import { expect } from "vitest";
import { Findings } from "../../../../src/mail/accept/findings.ts";
import { type ValidEmail, validateEmail } from "../../../../src/mail/accept/validate-email.ts";

export const GOOD = {
  from: "shop@example.com",
  to: ["ann@example.org"],
  subject: "Hello",
  text: "Hi",
};
export const POOLS = ["receipts", "alerts"];

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

/** The good send with some members changed; an undefined one is left out, as JSON does. */
export function send(change: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify({ ...GOOD, ...change })) as Record<string, unknown>;
}

export function accept(change: Record<string, unknown>): ValidEmail {
  const findings = new Findings();
  const email = validateEmail(send(change), POOLS, findings);
  if (!email) throw new Error(findings.refusal().body);
  return email;
}

export function refusalOf(input: Record<string, unknown>): {
  status: number;
  errors: Record<string, string[]>;
} {
  const findings = new Findings();
  expect(validateEmail(input, POOLS, findings)).toBeUndefined();
  const { status, body } = findings.refusal();
  return {
    status,
    errors: (JSON.parse(body) as { error: { errors: Record<string, string[]> } }).error.errors,
  };
}

/*
 * 400 is for the errors that contract.md §Statuses lists, 422 for the rest. Where the list leaves a choice:
 *   subject over 998 characters         422  a length, but not of text or html
 *   tags, reply_to over 10              400  counts, like recipients, headers and attachments
 *   an empty `to`                       422  no count over a cap: the required recipient is missing
 *   keys or levels of variables         422  neither is a count over a cap of the send
 *   an infinite number in variables     400  no value that JSON could hold: malformed, not merely unwanted
 *   a custom header's value too long    422  a length; the cap is ours, so that it is no count over a cap of the contract
 *   from, reply_to on a host that no    400  neither is a recipient that could be left out, so it is no address that works
 *   mail can reach
 */
export function expectRefused(
  change: Record<string, unknown>,
  status: number,
  paths: readonly string[],
): void {
  const refused = refusalOf(send(change));
  expect({ status: refused.status, paths: Object.keys(refused.errors).toSorted() }).toEqual({
    status,
    paths: paths.toSorted(),
  });
  for (const problem of Object.values(refused.errors).flat())
    expect(problem).toMatch(/^(?:is|are|has|must|may|cannot|with)\b/);
}
