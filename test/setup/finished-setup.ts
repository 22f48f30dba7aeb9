// Gives each test of set-up a harness, and the state of a deployment in which set-up has already
// run once.
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { EVENTS_QUEUE } from "../../tools/setup/event-subscriptions.ts";
import { type Run, SetupHarness } from "./setup-harness.ts";
import { OWN_SUBSCRIPTION, TestZone, ZONE } from "./test-zone.ts";

export const SECRETS =
  "ADMIN_TOKEN DNS_API_TOKEN GATEWAY_TOKEN KEY_ENCRYPTION_KEY SIGNING_KEY".split(" ");
export const RETURN_PATH = ["MX 10 mx.example.com", 'TXT "v=spf1 a:mx.example.com -all"'];
const QUEUES = ["deliver", "dns-cleanup", "webhook"]
  .flatMap((name) => [`postern-${name}`, `postern-${name}-dead`])
  .concat(EVENTS_QUEUE);

/** The harness of the test that runs now. */
export let harness: SetupHarness;
/** A harness for which set-up has already run. */
export let finished: SetupHarness;
/** The output of the set-up run that made this state. */
export let firstRun: Run;
let open: (like?: SetupHarness) => Promise<SetupHarness>;

/** Makes the harnesses for the tests of the calling file. */
export function useSetup(courier: "gateway" | "cloudflare" = "gateway"): void {
  let dns: TestZone;
  beforeAll(async () => {
    dns = await TestZone.start();
    open = async (like) => {
      const one = await SetupHarness.open(dns, like);
      if (courier === "cloudflare") delete one.environment["EGRESS_URL"];
      return one;
    };
    finished = await open();
    firstRun = await finished.run();
    await finished.leave();
  });
  beforeEach(async () => {
    harness = await open();
  });
  afterEach(() => harness.close());
  afterAll(async () => {
    await dns.close();
    rmSync(finished.directory, { recursive: true });
  });
}

export async function continueFinished(): Promise<void> {
  await harness.close();
  harness = await open(finished);
}

export async function expectRun(
  code: number,
  says: string | RegExp,
  ...given: Parameters<SetupHarness["run"]>
): Promise<Run> {
  const run = await harness.run(...given);
  const words =
    typeof says === "string" ? expect.stringContaining(says) : expect.stringMatching(says);
  expect([run.code, run.text]).toEqual([code, words]);
  return run;
}

/** Expects everything that set-up creates for the courier `gateway`. */
export async function expectFinished(one: SetupHarness): Promise<void> {
  const { account, worker, kept } = one;
  expect(Object.keys(account.databases)).toEqual(["postern-core", "postern-shard-0"]);
  expect(Object.values(account.databases).every((applied) => applied.length > 0)).toBe(true);
  expect(account.queues.toSorted()).toEqual(QUEUES.toSorted());
  expect(Object.keys(account.secrets ?? {}).toSorted()).toEqual(SECRETS);
  expect(kept?.secrets).toMatchObject(account.secrets ?? {});
  expect(one.variables).toMatchObject({
    SERVICE_DOMAIN: "post.example.com",
    EGRESS_URL: "https://mx.example.com",
    DNS_ZONE_ID: ZONE.id,
  });
  expect(account.deployments.at(-1)?.domains).toEqual(["post.example.com"]);
  expect(worker.teams.map(({ name }) => name)).toEqual(["First team"]);
  expect(kept?.team?.api_key).toBe(worker.teams[0]?.key);
  expect(worker.domains).toMatchObject([{ name: "example.com", status: "verified" }]);
  expect(worker.emails).toHaveLength(1);
  const records = await one.records();
  expect(await one.returnPath()).toEqual(RETURN_PATH);
  expect(records["*.track.post.example.com"]).toEqual(["CNAME post.example.com"]);
  expect(records["feedback.post.example.com"]).toEqual(["MX 10 mx.example.com"]);
  expect(records["post.example.com"]).toEqual(["MX 10 mx.example.com"]);
}

/** Expects that the domain may send, and that all events of its mail reach the worker. */
export async function expectOnboarded(one: SetupHarness, domain = "example.com"): Promise<void> {
  const { account, worker } = one;
  const sending = account.sending.filter(({ name }) => name === domain);
  expect(sending).toMatchObject([{ zone_id: ZONE.id, enabled: true }]);
  expect(account.subscriptions.filter(({ source }) => source.domain === domain)).toEqual([
    {
      ...OWN_SUBSCRIPTION,
      id: expect.any(String),
      name: `postern ${domain}`,
      source: { type: "email.sending", zone_id: ZONE.id, domain },
    },
  ]);
  expect(account.queues).toContain(EVENTS_QUEUE);
  expect(one.variables).toMatchObject({ OUTBOUND: "cloudflare", EGRESS_URL: "" });
  expect(worker.domains.find(({ name }) => name === domain)?.status).toBe("verified");
  expect(worker.emails.map(({ to }) => to)).toEqual(["delivered@simulator.post.example.com"]);
  expect(await one.returnPath()).toEqual([
    "MX 10 route1.mx.cloudflare.net",
    "MX 20 route2.mx.cloudflare.net",
    "MX 30 route3.mx.cloudflare.net",
    'TXT "v=spf1 include:_spf.mx.cloudflare.net ~all"',
  ]);
}
