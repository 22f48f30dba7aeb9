// The answer to one last attempt ends a recipient when the 72 hours are over (contract.md §Event
// types), however late it is made; where no courier took the copy, that fact ends it.
import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EXPIRY_AFTER_MS, HOUR_MS } from "../../src/limits.ts";
import { bindings } from "../support/api.ts";
import { DELIVERED } from "../support/fake-egress.ts";
import { someone, Harness, typesOf } from "../support/harness.ts";

const LATER = { ...DELIVERED, code: 451, enhanced: "4.7.1", text: "try later", stage: "rcpt" };

let stand: Harness;

beforeEach(async () => {
  vi.restoreAllMocks();
  stand = await Harness.make();
});

afterEach(() => {
  vi.useRealTimers();
});

const ledger = () => bindings.TEAM_LEDGER.getByName(stand.team.id);
const settled = () =>
  expect.poll(async () => (await ledger().usage(Date.now())).jobs, { timeout: 20_000 }).toBe(0);

async function atTheEnd(lateByMs: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + EXPIRY_AFTER_MS + lateByMs });
  await runDurableObjectAlarm(ledger());
  await settled();
}

it("is the server's answer to the last attempt, with the server's words", async () => {
  const to = someone();
  stand.egress.replies(to, LATER, { ...LATER, text: "still not" });
  const id = await stand.send({ to: [to], text: "Hello." });
  await stand.history(id, 2);
  await atTheEnd(1_000);
  const events = await stand.events(`email_id=${id}&start=2000-01-01T00:00:00Z`);
  expect(typesOf(events.toReversed())).toEqual(["email.sent", "email.delayed", "email.bounced"]);
  expect(events[0]).toMatchObject({
    attempt: 2,
    smtp_code: 451,
    bounce_type: "expired",
    bounce_classification: null,
  });
  expect(stand.egress.to(to)).toHaveLength(2);
});

it("is a delivery, when the server takes it at last, though the wake-up came hours late", async () => {
  const to = someone();
  stand.egress.replies(to, LATER, DELIVERED);
  const id = await stand.send({ to: [to], text: "Hello." });
  await stand.history(id, 2);
  await atTheEnd(5 * HOUR_MS);
  const events = await stand.events(`email_id=${id}&start=2000-01-01T00:00:00Z`);
  expect(typesOf(events.toReversed())).toEqual(["email.sent", "email.delayed", "email.delivered"]);
});

it("is said by the service itself, when the gateway is down", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const to = someone();
  stand.egress.replies(to, LATER);
  const id = await stand.send({ to: [to], text: "Hello." });
  await stand.history(id, 2);
  stand.egress.up = false;
  await atTheEnd(1_000);
  const events = await stand.events(`email_id=${id}&start=2000-01-01T00:00:00Z`);
  expect(events[0]).toMatchObject({
    type: "email.bounced",
    attempt: 2,
    smtp_code: 451,
    bounce_type: "expired",
    bounce_classification: null,
  });
  expect(stand.egress.to(to)).toHaveLength(1);
});
