// Tests the rules by which the double of the Email Service publishes events late, twice, never, in
// reverse order, without a matching message, or with an unknown type
// (tools/dev/email-service/event-rules.ts).
import { expect, it } from "vitest";
import {
  control,
  eventTypes,
  inboxRules,
  published,
  restart,
  send,
  useEmailService,
} from "./sending-harness.ts";

useEmailService();

async function eventRules(...rules: readonly Record<string, unknown>[]): Promise<Response> {
  return control("/event-rules", "PUT", { rules });
}

it("the rules publish events twice or never, as often as each rule says", async () => {
  await eventRules({ type: "delivered", rcpt: "^ann@", lose: true, times: 1 }, { double: true });
  await inboxRules({ stage: "rcpt", reply: "451 4.2.0 Busy", times: 1 });
  const first = await send();
  expect(await eventTypes(2)).toEqual(["deferred", "deferred"]);
  const second = await send({ to: "bob@receiver.test" });
  expect(await eventTypes(4)).toEqual(["deferred", "deferred", "delivered", "delivered"]);
  expect(published.map(({ payload }) => payload["messageId"])).toEqual([
    first,
    first,
    second,
    second,
  ]);
  expect(published[1]).toEqual(published[0]);
  await expect
    .poll(async () => (await control("/event-rules")).json())
    .toMatchObject({ used: [1, 2] });
  expect(published).toHaveLength(4);
});

it("the rules publish a late event after the events that follow it, even across a restart", async () => {
  await eventRules({ type: "deferred", delay_ms: 300 });
  await inboxRules({ stage: "rcpt", reply: "451 4.2.0 Busy", times: 1 });
  await send();
  expect(await eventTypes(1)).toEqual(["delivered"]);
  await restart();
  expect(await eventTypes(2)).toEqual(["delivered", "deferred"]);
});

it("the rules publish the events of a message in reverse order when the message has ended", async () => {
  await eventRules({ rcpt: "^ann@", reverse: true });
  await inboxRules(
    { stage: "rcpt", reply: "451 4.2.0 Busy", times: 1 },
    { stage: "rcpt", reply: "452 4.2.2 Full", times: 1 },
  );
  await send();
  expect(await eventTypes(3)).toEqual(["delivered", "deferred", "deferred"]);
  expect(published[1]?.payload).toMatchObject({ bounce: { reason: "452 4.2.2 Full" } });
});

it("the rules publish all events of a message under one id that send() did not return", async () => {
  await eventRules({ other_id: true });
  await inboxRules({ stage: "rcpt", reply: "451 4.2.0 Busy", times: 1 });
  const messageId = await send();
  expect(await eventTypes(2)).toEqual(["deferred", "delivered"]);
  const [deferred, delivered] = published.map(({ payload }) => payload["messageId"]);
  expect(delivered).toMatch(/^<[A-Za-z0-9]{36}@example\.test>$/);
  expect(delivered).not.toBe(messageId);
  expect(deferred).toBe(delivered);
});

it("the rules publish an event of an unknown type before each event", async () => {
  await eventRules({ unknown: true });
  await send();
  expect(await eventTypes(2)).toEqual(["opened", "delivered"]);
  expect(published[0]?.payload.eventId).not.toBe(published[1]?.payload.eventId);
});

it.each([
  [{ type: "sent", lose: true }, "rules.0.type"],
  [{ times: 0, lose: true }, "rules.0.times"],
  [{ delay_ms: -1 }, "rules.0.delay_ms"],
  [{ lose: 1 }, "rules.0.lose"],
  [{ rcpt: "(", lose: true }, "rules.0.rcpt"],
  [{ drop: true }, "rules.0.drop"],
  [{ rcpt: "^ann@" }, "rules.0"],
])("invalid rules are refused with the name of the wrong member: %o", async (rule, member) => {
  const response = await eventRules(rule);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error.message.startsWith(`${member}: `)).toBe(true);
});
