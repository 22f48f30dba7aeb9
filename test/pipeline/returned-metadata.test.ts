// Tests that a message's metadata (contract.md §Metadata) comes back in look-ups and webhooks,
// however the message was sent. Look-ups find it while the message is in flight, among the recent
// events, and in a chunk.
import { beforeEach, expect, it } from "vitest";
import type { Email } from "../../src/mail/lookup/wire.ts";
import { FakeReceiver } from "../support/fakes/fake-receiver.ts";
import { Harness, someone } from "../support/harness.ts";
import { numbered } from "../support/shard-bindings.ts";
import { create } from "../support/test-webhooks.ts";
import { anEvent, write } from "../unit/resources/events/sample-events.ts";

// No header that is made at random (a signature, a boundary, a Message-ID) can hold these words.
const JSON_TEXT = '{"order_id":"Winter coat 1042","__proto__":"x"}';
const METADATA = JSON.parse(JSON_TEXT) as Record<string, string>;

let harness: Harness;

beforeEach(async () => {
  harness = await Harness.make();
});

async function shown(id: string): Promise<string> {
  const response = await harness.team.get(`/v1/email/${id}`);
  return JSON.stringify((await response.json<Email>()).metadata);
}

it("is shown in flight, from the recent events and from a chunk; null if the message has none", async () => {
  const id = await harness.send({ to: [someone()], text: "Hello.", metadata: METADATA });
  expect(await shown(id)).toBe(JSON_TEXT);
  await harness.history(id, 2);
  await expect.poll(async () => (await harness.usage()).jobs).toBe(0);
  expect(await shown(id)).toBe(JSON_TEXT);
  const paged = anEvent(harness.team.id, { occurredAt: Date.now(), metadata: METADATA });
  await write(await numbered(harness.team.id), [paged]);
  expect(await shown(paged.emailId)).toBe(JSON_TEXT);
  const plain = await harness.send({ to: [someone()], text: "Hello.", metadata: {} });
  expect(await shown(plain)).toBe("null");
});

it("of a send by HTTP, batch or SMTP is in webhooks, but in no copy and no pulled event", async () => {
  const receiver = new FakeReceiver().install(true);
  receiver.names["metadata.example.com"] = ["93.184.216.34"];
  const wish = { name: "hook", url: "https://metadata.example.com/", events: ["email.sent"] };
  await create(harness.team, wish);
  const from = `hello@${harness.domain}`;
  const [alone, first, second, submitted, plain] = Array.from({ length: 5 }, someone);
  await harness.send({ to: [alone], text: "Hello.", metadata: METADATA });
  const batch = await harness.team.post("/v1/email/batch", {
    defaults: {
      from,
      subject: "Hi",
      text: "Hello.",
      metadata: { shop: "Ulm Centre", order_id: "-" },
    },
    emails: [{ to: [first], metadata: { order_id: "Winter coat 1043" } }, { to: [second] }],
  });
  expect(batch.status).toBe(202);
  const header = `From: ${from}\r\nSubject: Hi\r\nX-Service-Metadata: ${JSON_TEXT}\r\n`;
  await harness.submit([submitted!], `${header}\r\nHello.\r\n`);
  const last = await harness.send({ to: [plain], text: "Hello." });
  const posted = () =>
    receiver.received.flatMap(
      ({ body }) => (JSON.parse(body) as { events: { data: Record<string, unknown> }[] }).events,
    );
  await expect.poll(() => posted().length).toBe(5);
  const got = new Map(posted().map(({ data }) => [data["recipient"], data["metadata"]]));
  expect([alone, first, second, submitted, plain].map((to) => JSON.stringify(got.get(to)))).toEqual(
    [
      JSON_TEXT,
      '{"shop":"Ulm Centre","order_id":"Winter coat 1043"}',
      '{"shop":"Ulm Centre","order_id":"-"}',
      JSON_TEXT,
      undefined,
    ],
  );
  expect(
    harness.egress.carried.filter(({ message }) => /Winter coat|Ulm Centre/.test(message)),
  ).toEqual([]);
  const [pulled] = await harness.history(last, 1);
  expect(Object.keys(pulled ?? {})).toHaveLength(19);
});
