// A harness for each test of set-up with the courier `cloudflare`, and what such a set-up leaves.
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { EVENT_TYPES, EVENTS_QUEUE } from "../../tools/setup/event-subscriptions.ts";
import { queueIdOf } from "./fake-account-api.ts";
import { SetupHarness, ZONE } from "./setup-harness.ts";

/** The harness of the running test. */
export let harness: SetupHarness;
/** A harness in which set-up has run once. */
let finished: SetupHarness;

/** Makes the harnesses for the tests of the calling file. Their environment names no gateway. */
export function useEmailService(): void {
  beforeAll(async () => {
    finished = await startWithoutGateway();
    const { code, text } = await finished.setup(["--yes"]);
    expect(code, text).toBe(0);
    await finished.rest();
  });
  beforeEach(async () => {
    harness = await startWithoutGateway();
  });
  afterEach(() => harness.close());
  afterAll(() => rmSync(finished.directory, { recursive: true }));
}

/** Lets the running test continue from the finished set-up. */
export async function continueOnboarded(): Promise<void> {
  await harness.close();
  harness = await startWithoutGateway(finished);
}

async function startWithoutGateway(like?: SetupHarness): Promise<SetupHarness> {
  const one = await SetupHarness.start(like);
  one.forget("EGRESS_URL");
  return one;
}

/** Expects that the Email Service sends from the domain and that all its events come back. */
export async function expectOnboarded(one: SetupHarness, domain = "example.com"): Promise<void> {
  const { account, worker } = one;
  expect(account.sending.filter(({ name }) => name === domain)).toEqual([
    expect.objectContaining({ zone_id: ZONE.id, enabled: true }),
  ]);
  expect(account.subscriptions.filter(({ source }) => source.domain === domain)).toEqual([
    {
      id: expect.any(String),
      name: `postern ${domain}`,
      enabled: true,
      events: [...EVENT_TYPES],
      source: { type: "email.sending", zone_id: ZONE.id, domain },
      destination: { type: "queues.queue", queue_id: queueIdOf(EVENTS_QUEUE) },
    },
  ]);
  expect(account.queues).toContain(EVENTS_QUEUE);
  expect(account.deployments.at(-1)?.variables).toMatchObject({
    OUTBOUND: "cloudflare",
    EGRESS_URL: "",
  });
  expect(worker.domains.find(({ name }) => name === domain)?.status).toBe("verified");
  expect(worker.emails.map(({ to }) => to)).toEqual(["delivered@simulator.post.example.com"]);
  const records = await one.records();
  expect(records["*.return-path.post.example.com"]).toEqual([
    "MX 10 route1.mx.cloudflare.net",
    "MX 20 route2.mx.cloudflare.net",
    "MX 30 route3.mx.cloudflare.net",
    'TXT "v=spf1 include:_spf.mx.cloudflare.net ~all"',
  ]);
}
