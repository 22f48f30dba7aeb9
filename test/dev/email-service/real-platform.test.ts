// Tests the switches by which the double of the Email Service does what real accounts showed
// (docs/real-platform.md), one by one and together.
import { expect, it } from "vitest";
import { SERVICE_SWITCHES } from "../../../tools/dev/platform/switches.ts";
import {
  control,
  eventTypes,
  FROM,
  HEADER,
  mail,
  published,
  restart,
  send,
  TO,
  useEmailService,
} from "./sending-harness.ts";

useEmailService({ platform: SERVICE_SWITCHES });

const settings = (changes: object) => control("/settings", "PUT", changes);
const quota = async () => (await control("/quota")).json();

/** Onboards FROM's domain. It may send at once, because the tests divide all waits. */
async function onboard(): Promise<void> {
  await control("/domains", "POST", { name: "example.test" });
  await expect.poll(async () => await send({ to: "first@receiver.test" })).toMatch(/^</);
}

const sendFrom = (from: string) => send({ from, header: [`From: ${from}`, ...HEADER.slice(1)] });

it("the Email Service's double refuses a name that is not exactly onboarded, or only just onboarded, in words without a code", async () => {
  const unknown = "could not find domain config of sending domain";
  expect(await send()).toBe(unknown);
  expect(await quota()).toMatchObject({ quota: null });
  await settings({ daily_limit: 200 });
  await restart({ retrySpeedup: 1, platform: SERVICE_SWITCHES });
  await control("/domains", "POST", { name: "example.test" });
  expect(await send()).toBe("email.sending.error.email.sending_disabled [10203]");
  expect(await quota()).toMatchObject({ quota: null });
  await restart({ platform: SERVICE_SWITCHES });
  await expect.poll(async () => await send()).toMatch(/^<[A-Za-z0-9]{36}@example\.test>$/);
  expect(await quota()).toMatchObject({ quota: { value: 200, unit: "day" } });
  expect(await sendFrom("a@news.example.test")).toBe(
    "email sending not authorized for subdomain 'news.example.test'",
  );
  expect(await sendFrom("a@other.test")).toBe(unknown);
});

it("the Email Service's double refuses a message in words without a code, unless the switch is off", async () => {
  await onboard();
  await control("/suppressions", "POST", { recipient: TO });
  expect(await send()).toBe("recipient is suppressed");
  expect(await send({ body: "x".repeat(5 * 1024 * 1024) })).toBe("message too large");
  await settings({ daily_limit: 1 });
  expect(await send({ to: "b@receiver.test" })).toBe("daily sending limit exceeded");
  await settings({ rate_limit: 0 });
  expect(await send()).toBe("rate limit exceeded");
  await settings({ daily_limit: 1, platform: ["exact_names"] });
  expect(await send({ to: "b@receiver.test" })).toBe("E_DAILY_LIMIT_EXCEEDED");
  expect((await settings({ platform: ["kind"] })).status).toBe(400);
});

it("the Email Service's double delivers to a verified destination without an event and without a count", async () => {
  await onboard();
  await settings({ daily_limit: 2, verified_destinations: [TO.toUpperCase()] });
  for (let sent = 0; sent < 3; sent += 1) expect(await send()).toMatch(/^</);
  await expect.poll(async () => (await mail()).length).toBe(4);
  await send({ to: "b@receiver.test" });
  await eventTypes(2);
  expect(published.map(({ payload }) => payload["recipient"])).not.toContain(TO);
  expect(await quota()).toMatchObject({ sent: 2 });
});

it("the Email Service's double accepts a name that cannot exist, and bounces it later without codes", async () => {
  await onboard();
  await eventTypes(1);
  expect(await send({ to: "nobody@example.invalid" })).toMatch(/^</);
  expect((await eventTypes(2)).at(-1)).toBe("bounced");
  const reason = "Permanent: no available upstream: unknown public suffix: example.invalid";
  expect(published[1]?.payload).toMatchObject({
    sender: FROM,
    terminal: true,
    delivery: { status: "bounced", smtpResponse: reason },
    bounce: { type: "hard", classification: "permanent_failure", reason },
  });
  expect(published[1]?.payload["delivery"]).not.toHaveProperty("smtpStatusCode");
  expect(published[1]?.payload.eventId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
});
