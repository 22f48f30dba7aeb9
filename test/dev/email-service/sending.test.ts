// Tests a message's way through the double of the Email Service: delivery, retries, bounces,
// suppressions, and events in the documented form. test/e2e/scenarios tests DNS, and mail servers
// that break off.
import { expect, it, vi } from "vitest";
import {
  control,
  eventTypes,
  FROM,
  HEADER,
  inboxRules,
  mail,
  published,
  rawMail,
  restart,
  route,
  send,
  TO,
  useEmailService,
} from "./sending-harness.ts";

useEmailService();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

async function suppressions(): Promise<Record<string, unknown>[]> {
  const response = await control("/suppressions");
  return ((await response.json()) as { suppressions: Record<string, unknown>[] }).suppressions;
}

/** Returns the hours from the suppression's creation to its end. */
function hoursOf({ created_at: from, expires_at: to }: Record<string, unknown>): number {
  return (Date.parse(String(to)) - Date.parse(String(from))) / 3_600_000;
}

it("the Email Service's double delivers a message with added headers, and publishes the documented event", async () => {
  const messageId = await send({ header: [...HEADER, "Bcc: other@example.test"] });
  await eventTypes(1);
  expect(published[0]).toEqual({
    type: "cf.email.sending.message.delivered",
    source: {
      type: "email.sending",
      zoneId: expect.stringMatching(/^[0-9a-f]{32}$/),
      domain: "example.test",
    },
    payload: {
      eventId: expect.stringMatching(UUID),
      messageId,
      sender: FROM,
      recipient: TO,
      subject: "Welcome",
      terminal: true,
      delivery: {
        status: "delivered",
        provider: "external_smtp",
        deliveryTimeMs: expect.any(Number),
        smtpStatusCode: "250",
        smtpEnhancedStatusCode: "2.0.0",
        smtpResponse: expect.stringMatching(/^250 2\.0\.0 Kept as /),
      },
    },
    metadata: {
      accountId: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventSubscriptionId: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventSchemaVersion: 1,
      eventTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  });
  const [head] = await mail();
  const id = messageId.slice(1, messageId.indexOf("@"));
  expect(head).toMatchObject({ mail_from: `bounces+${id}@cf-bounce.example.test`, rcpt_to: [TO] });
  const [header = "", body] = (await rawMail(head?.id)).split("\r\n\r\n");
  expect(body).toBe("It works.\r\n");
  expect(header.split("\r\n").map((line) => line.replace(/:.*/, ""))).toEqual([
    "Received",
    "Feedback-ID",
    "Date",
    "Message-ID",
    ...HEADER.map((line) => line.replace(/:.*/, "")),
  ]);
  expect(header).toContain(`\r\nMessage-ID: ${messageId}\r\n`);
});

it("the Email Service's double tries a deferred message again with growing waits, and publishes each deferral", async () => {
  await inboxRules({ stage: "rcpt", reply: "451 4.2.0 Busy", times: 2 });
  await send();
  expect(await eventTypes(3)).toEqual(["deferred", "deferred", "delivered"]);
  expect(published[0]?.payload).toMatchObject({
    terminal: false,
    delivery: {
      status: "deferred",
      provider: "external_smtp",
      smtpStatusCode: "451",
      smtpEnhancedStatusCode: "4.2.0",
      smtpResponse: "451 4.2.0 Busy",
    },
    bounce: { type: "soft", classification: "temporary_failure", reason: "451 4.2.0 Busy" },
  });
  expect(await mail()).toHaveLength(1);
});

it("the Email Service's double bounces a message whose retries are exhausted, and suppresses its recipient for 24 hours", async () => {
  await control("/settings", "PUT", { attempts: 3 });
  await inboxRules({ stage: "end", reply: "452 4.2.2 Full" });
  await send();
  expect(await eventTypes(3)).toEqual(["deferred", "deferred", "bounced"]);
  expect(published[2]?.payload).toMatchObject({ terminal: true, bounce: { type: "soft" } });
  const [suppression] = await suppressions();
  expect(suppression).toMatchObject({ recipient: TO, reason: "soft_bounce" });
  expect(hoursOf(suppression ?? {})).toBe(24);
});

it("the Email Service's double bounces a refused message at once, and suppresses its recipient for 7 days", async () => {
  await inboxRules({ rcpt: "^ann@", stage: "rcpt", reply: "550-5.1.1 No\n550 5.1.1 such user" });
  await send();
  expect(await eventTypes(1)).toEqual(["bounced"]);
  expect(published[0]?.payload).toMatchObject({
    terminal: true,
    delivery: { status: "bounced", smtpStatusCode: "550", smtpResponse: "550 5.1.1 No such user" },
    bounce: { type: "hard", classification: "permanent_failure", reason: "550 5.1.1 No such user" },
  });
  const [suppression] = await suppressions();
  expect(suppression).toMatchObject({ recipient: TO, reason: "hard_bounce" });
  expect(hoursOf(suppression ?? {})).toBe(7 * 24);
  expect(await send({ to: "Ann@receiver.test" })).toBe("E_RECIPIENT_SUPPRESSED");
  await control(`/suppressions?recipient=${TO}`, "DELETE");
  await inboxRules();
  expect(await send()).toMatch(/^</);
});

it("the Email Service's double suppresses no address after a refusal that blames the message", async () => {
  await inboxRules({ stage: "data", reply: "550 5.7.1 Spam" });
  await send();
  expect(await eventTypes(1)).toEqual(["bounced"]);
  expect(await suppressions()).toEqual([]);
});

it("the Email Service's double publishes a rejection for a suppressed recipient if its settings say so", async () => {
  await control("/settings", "PUT", { suppressed: "event" });
  await control("/suppressions", "POST", { recipient: TO });
  expect(await send()).toMatch(/^</);
  expect(await eventTypes(1)).toEqual(["rejected"]);
  expect(published[0]?.payload).toMatchObject({
    terminal: true,
    delivery: { status: "rejected" },
    rejection: { reason: "suppressed", party: "recipient", detail: "Recipient is suppressed" },
  });
  expect(await mail()).toEqual([]);
});

it("the Email Service's double publishes a complaint about a delivered message on demand, and suppresses the recipient for ever", async () => {
  const complain = () => control("/complaints", "POST", { recipient: "ANN@receiver.test" });
  expect((await complain()).status).toBe(404);
  await send();
  await eventTypes(1);
  expect(await (await complain()).json()).toMatchObject({ recipient: TO, complained: true });
  expect(await eventTypes(2)).toEqual(["delivered", "complained"]);
  expect(published[1]?.payload).toEqual({
    eventId: expect.stringMatching(UUID),
    messageId: published[0]?.payload["messageId"],
    sender: FROM,
    recipient: TO,
    terminal: true,
    delivery: { status: "complained" },
    complaint: { type: "abuse" },
  });
  expect(await suppressions()).toMatchObject([{ reason: "complaint", expires_at: null }]);
  expect(await send()).toBe("E_RECIPIENT_SUPPRESSED");
});

it("the Email Service's double keeps waiting messages, events that the worker did not take, and counts across a restart", async () => {
  await control("/settings", "PUT", { daily_limit: 2 });
  route.isUp = false;
  await inboxRules({ rcpt: "later", stage: "rcpt", reply: "451 4.2.0 Busy", times: 1 });
  await restart({ retrySpeedup: 1 });
  await send();
  await send({ to: "later@receiver.test" });
  await vi.waitFor(async () => {
    const { messages } = (await (await control("/messages")).json()) as {
      messages: Record<string, unknown>[];
    };
    expect(messages).toMatchObject([
      { recipient: "later@receiver.test", status: "waiting", attempts: 1, unpublished_events: 1 },
      { recipient: TO, status: "delivered", unpublished_events: 1 },
    ]);
  });
  await restart();
  route.isUp = true;
  expect(await eventTypes(2)).toEqual(["delivered", "deferred"]);
  expect(await send()).toBe("E_DAILY_LIMIT_EXCEEDED");
});
