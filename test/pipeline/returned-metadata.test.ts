// Tests that a look-up shows a message's metadata (contract.md §Metadata), whether the message is in
// flight, among the recent events, or in a chunk.
import { beforeEach, expect, it } from "vitest";
import type { Email } from "../../src/mail/lookup/wire.ts";
import { Harness, someone } from "../support/harness.ts";
import { numbered } from "../support/shard-bindings.ts";
import { anEvent, write } from "../unit/resources/events/sample-events.ts";

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
