// Renders sends in tests, without a team and a ledger.
import { expect } from "vitest";
import { FieldProblems } from "../../../../src/mail/accept/field-problems.ts";
import {
  type RenderedEmail,
  renderEmails,
} from "../../../../src/mail/accept/render/render-emails.ts";
import type { SendContext } from "../../../../src/mail/accept/send-context.ts";
import { validateEmail } from "../../../../src/mail/accept/validate-email.ts";
import { bindings } from "../../../support/api.ts";

export type Members = Record<string, unknown>;

const GOOD = { from: "shop@example.com", to: ["ann@example.org"], subject: "Hello", text: "Hi" };
const CONTEXT = {
  env: bindings,
  sender: { team: { id: "team_none" } },
  note: () => undefined,
} as unknown as SendContext;
export const LINK_PLACEHOLDER =
  /^unsubscribe-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);

/**
 * Renders the sends of one request. Returns the rendered emails, and the problems about templates.
 */
export async function render(
  ...changes: Members[]
): Promise<{ emails: RenderedEmail[] | undefined; problems: FieldProblems }> {
  const problems = new FieldProblems();
  const sends = changes.map((change, index) => {
    const within = changes.length === 1 ? problems : problems.under(`emails.${index}`);
    const email = validateEmail({ ...GOOD, ...change }, [], 0, within);
    if (!email) throw new Error(problems.refusal().body);
    return { email, problems: within };
  });
  const emails = await renderEmails(CONTEXT, sends);
  return { emails: emails.every((email) => email !== undefined) ? emails : undefined, problems };
}

export async function renderOne(change: Members): Promise<RenderedEmail> {
  const { emails, problems } = await render(change);
  const [email] = emails ?? [];
  if (!email) throw new Error(problems.refusal().body);
  return email;
}

/** Returns the refusal of the sends: `422 text is empty once rendered`, then further fields. */
export async function renderRefused(...changes: Members[]): Promise<string> {
  const { emails, problems } = await render(...changes);
  expect(emails).toBeUndefined();
  const { status, body } = problems.refusal();
  const { error } = JSON.parse(body) as { error: { errors: Record<string, string[]> } };
  const found = Object.entries(error.errors).map(([path, texts]) => `${path} ${texts.join()}`);
  return `${status} ${found.toSorted().join("; ")}`;
}
