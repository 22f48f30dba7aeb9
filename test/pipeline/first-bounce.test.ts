// Tests reports that arrive before or after the next attempt, through the whole pipeline. A
// recipient bounces once, and no event follows.
import { runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, expect, it, vi } from "vitest";
import { bindings } from "../support/api.ts";
import { DELIVERED } from "../support/fakes/fake-egress.ts";
import { askGateway } from "../support/fakes/fake-gateway.ts";
import { fixture } from "../unit/mail/feedback/reading.ts";
import { someone, Harness, typesOf, kindsOf } from "../support/harness.ts";

const LATER = { ...DELIVERED, code: 451, enhanced: "4.7.1", text: "try later", stage: "rcpt" };
const REFUSED = { ...DELIVERED, code: 550, enhanced: "5.1.1", text: "No such user", stage: "rcpt" };

let harness: Harness;

beforeEach(async () => {
  harness = await Harness.make();
});

const ledger = () => bindings.TEAM_LEDGER.getByName(harness.team.id);
const settled = () => expect.poll(async () => (await ledger().usage(Date.now())).jobs).toBe(0);

/** Moves the clock to the next attempt's time, and runs the ledger's alarm. */
async function nextAttempt(): Promise<void> {
  vi.setSystemTime(Date.now() + 10 * 60_000);
  await runDurableObjectAlarm(ledger());
  await settled();
}

async function report(name: string, to: string): Promise<void> {
  const token =
    /^b\+([a-z2-7]{61})@/.exec(harness.egress.to(to)[0]?.mail_from ?? "")?.[1] ?? "none";
  const raw = fixture(name).replaceAll("ann@example.com", to);
  expect((await askGateway("POST", `/gateway/inbound/${token}`, { raw })).status).toBe(202);
}

async function suppressionsOf(address: string): Promise<number> {
  const response = await harness.team.get(`/v1/suppressions/${address}`);
  return response.status === 404 ? 0 : (await response.json<{ data: unknown[] }>()).data.length;
}

it.each([
  ["which suppresses", "postfix-user-unknown", 1],
  ["which does not", "postfix-mailbox-full", 0],
])(
  "a report before the next attempt, %s, stops further attempts",
  async (_what, name, suppressions) => {
    const to = someone();
    harness.egress.replies(to, LATER, REFUSED);
    const id = await harness.send({ to: [to], text: "Hello." });
    await harness.history(id, 2);
    await report(name, to);
    await nextAttempt();
    const events = await harness.history(id, 3);
    expect(kindsOf(events)).toBe("sent delayed bounced");
    expect(events.at(-1)).toMatchObject({ attempt: null });
    expect(harness.egress.to(to)).toHaveLength(1);
    expect(await suppressionsOf(to)).toBe(suppressions);
  },
);

it("a report after a refused attempt adds no event", async () => {
  const to = someone();
  harness.egress.replies(to, LATER, REFUSED);
  const id = await harness.send({ to: [to], text: "Hello." });
  await harness.history(id, 2);
  await nextAttempt();
  await harness.history(id, 3);
  await report("postfix-mailbox-full", to);
  const events = await harness.history(id, 3);
  expect(kindsOf(events)).toBe("sent delayed bounced");
  const expected = { attempt: 2, smtp_code: 550, bounce_classification: "InvalidRecipient" };
  expect(events.at(-1)).toMatchObject(expected);
});

it("a report about one recipient does not affect the other recipients' attempts", async () => {
  const [first, second] = [someone(), someone()];
  for (const to of [first, second]) harness.egress.replies(to, LATER, DELIVERED);
  const id = await harness.send({ to: [first, second], text: "Hello." });
  await harness.history(id, 4);
  await report("postfix-user-unknown", first);
  await nextAttempt();
  const events = await harness.history(id, 6);
  const of = (to: string) => typesOf(events.filter(({ recipient }) => recipient === to));
  expect(of(first)).toEqual(["email.sent", "email.delayed", "email.bounced"]);
  expect(of(second)).toEqual(["email.sent", "email.delayed", "email.delivered"]);
});
