// Tests that a team's objects hold no timer and no open call when its mail is done. Either of them
// keeps an object in memory and billed since the compatibility date of 2026-10-01.
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { Env } from "../../src/env.ts";
import { bindings } from "../support/api.ts";
import { FakeReceiver } from "../support/fakes/fake-receiver.ts";
import { Harness, someone } from "../support/harness.ts";
import { PendingWork } from "../support/pending-work.ts";
import { outboxOf } from "../support/test-outbox.ts";
import { create } from "../support/test-webhooks.ts";

/**
 * Number of messages. Their events, two for each, are enough to fill a chunk
 * (src/ledger/log/chunk-plans.ts).
 */
const MESSAGES = 40;
/**
 * Matches the paths of the files that ledgers and outboxes consist of, and of files that only these
 * use.
 */
const OBJECTS = /\/src\/(?:ledger|resources\/webhooks|lib\/group-commit|metrics\/gauge-report)/;

it("a ledger and an outbox have no timer and no open call once webhooks and a chunk have the events", async () => {
  const harness = await Harness.make();
  const receiver = new FakeReceiver().install(true);
  const host = "at-rest.example.com";
  receiver.names[host] = ["93.184.216.34"];
  const events = ["email.delivered"];
  const webhook = await create(harness, { name: host, url: `https://${host}/`, events });
  const ledger = bindings.TEAM_LEDGER.getByName(harness.id);
  const outbox = outboxOf(webhook);
  const pending = new PendingWork(OBJECTS);
  const watch = (instance: unknown): void => {
    const object = instance as { env: Env };
    object.env = pending.watchBindings(object.env);
  };
  await runInDurableObject(ledger as never, watch);
  await runInDurableObject(outbox as never, watch);
  pending.watchTimers();

  const emails = Array.from({ length: MESSAGES }, () => ({ to: [someone()], text: "Hello." }));
  for (const email of emails) await harness.send(email);
  const told = (): number =>
    receiver.received
      .filter(({ url }) => new URL(url).hostname === host)
      .reduce((sum, { body }) => sum + (JSON.parse(body) as { events: object[] }).events.length, 0);
  await expect.poll(told).toBe(MESSAGES);
  await expect.poll(async () => (await harness.usage()).unpaged).toBeLessThan(64);

  await expect.poll(() => pending.names).toEqual([]);
  expect([...pending.seen]).toEqual(
    expect.arrayContaining([
      "env.DELIVER.sendBatch",
      "env.WEBHOOK_OUTBOX.getByName.enqueue",
      "scheduler.wait 30000",
      "setTimeout 5000",
    ]),
  );
});
