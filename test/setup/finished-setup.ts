// A harness for each test of set-up, and one in which set-up has run once: the state of a deployment
// after that run, and a way to continue from it.
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { type Run, SetupHarness, ZONE } from "./setup-harness.ts";

export const SECRETS = [
  "ADMIN_TOKEN",
  "DNS_API_TOKEN",
  "GATEWAY_TOKEN",
  "KEY_ENCRYPTION_KEY",
  "SIGNING_KEY",
];
export const RETURN_PATH = ["MX 10 mx.example.com", 'TXT "v=spf1 a:mx.example.com -all"'];
const QUEUES = ["deliver", "dns-cleanup", "webhook"]
  .flatMap((name) => [`postern-${name}`, `postern-${name}-dead`])
  .concat("postern-email-events");

/** The harness of the running test. */
export let harness: SetupHarness;
/** A harness in which set-up has run once. */
export let finished: SetupHarness;
/** The output of that run. */
export let firstRun: Run;

/** Makes the harnesses for the tests of the calling file. */
export function useSetup(): void {
  beforeAll(async () => {
    finished = await SetupHarness.start();
    firstRun = await finished.setup(["--yes"]);
    await finished.rest();
  });
  beforeEach(async () => {
    harness = await SetupHarness.start();
  });
  afterEach(() => harness.close());
  afterAll(() => rmSync(finished.directory, { recursive: true }));
}

/** Lets the running test continue from the finished set-up. */
export async function continueFinished(): Promise<void> {
  await harness.close();
  harness = await SetupHarness.start(finished);
}

/** Expects everything that set-up creates. */
export async function expectFinished(one: SetupHarness): Promise<void> {
  const { account, worker, kept } = one;
  expect(Object.keys(account.databases)).toEqual(["postern-core", "postern-shard-0"]);
  expect(Object.values(account.databases).every((applied) => applied.length > 0)).toBe(true);
  expect(account.queues.toSorted()).toEqual(QUEUES.toSorted());
  expect(Object.keys(account.secrets ?? {}).toSorted()).toEqual(SECRETS);
  expect(kept?.secrets).toMatchObject(account.secrets ?? {});
  expect(account.deployments.at(-1)?.variables).toMatchObject({
    SERVICE_DOMAIN: "post.example.com",
    EGRESS_URL: "https://mx.example.com",
    DNS_ZONE_ID: ZONE.id,
  });
  expect(account.deployments.at(-1)?.domains).toEqual(["post.example.com"]);
  expect(worker.teams.map(({ name }) => name)).toEqual(["First team"]);
  expect(kept?.team?.api_key).toBe(worker.teams[0]?.key);
  expect(worker.domains.map(({ name, status }) => [name, status])).toEqual([
    ["example.com", "verified"],
  ]);
  expect(worker.emails).toHaveLength(1);
  const records = await one.records();
  expect(records["*.return-path.post.example.com"]).toEqual(RETURN_PATH);
  expect(records["*.track.post.example.com"]).toEqual(["CNAME post.example.com"]);
  expect(records["feedback.post.example.com"]).toEqual(["MX 10 mx.example.com"]);
  expect(records["post.example.com"]).toEqual(["MX 10 mx.example.com"]);
}
