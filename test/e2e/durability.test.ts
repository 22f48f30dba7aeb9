// No message that was answered with 202 is lost when every process of the stack is killed in the
// middle of a burst, and none is sent again whose outcome the gateway knew (docs/architecture.md
// §Where it can be killed). test/e2e/crash-points.test.ts kills the worker alone, at each point.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Stack } from "./stack.ts";

const CLIENTS = 25;
const LONG_MS = 3_600_000;
/** Messages accepted, and outcomes known, before the kill, so that it comes in the middle. */
const ACCEPTED_BEFORE = 100;
const KNOWN_BEFORE = 20;
/** Connections of the gateway to one mail server: as many replies may be on their way at once. */
const CONNECTIONS = 10;

let stack: Stack;

beforeAll(async () => {
  // Leases and repeated releases are 20 times faster too.
  stack = await Stack.start({ RETRY_SPEEDUP: "20" });
});
afterAll(() => stack.destroy());

/** Counts the copies in the inbox by subject. */
async function copies(): Promise<Map<string, number>> {
  const bySubject = Map.groupBy(await stack.inbox(), ({ subject }) => subject);
  return new Map([...bySubject].map(([subject, all]) => [subject, all.length]));
}

/** Returns the messages whose outcome the gateway has recorded. */
function knownOutcomes(): Set<string> {
  const folder = join(stack.state, "egress");
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").split("\n"),
  );
  return new Set(lines.flatMap((line) => /"key":"(email_[^/"]+)\//.exec(line)?.[1] ?? []));
}

/** Tells how many replies the inbox holds back by its rule. */
async function repliesHeld(): Promise<number> {
  const response = await fetch(`${stack.dev.inbox_url}/api/rules`);
  return ((await response.json()) as { used: number[] }).used[0] ?? 0;
}

it("a stack killed in a burst delivers what it accepted, and repeats no known outcome", async () => {
  /** Message ids by subject. */
  const accepted = new Map<string, string>();
  const over = new AbortController();
  let next = 0;
  const client = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const subject = `burst-${(next += 1)}`;
      const response = await stack.send(`${subject}@example.net`, subject);
      const { id } = (await response.json()) as { id: string };
      if (response.status === 202) accepted.set(subject, id);
    }
  };
  // Settled before anything can fail, so that a send may die with the stack.
  const burst = Promise.allSettled(Array.from({ length: CLIENTS }, client));
  await expect.poll(() => accepted.size).toBeGreaterThan(ACCEPTED_BEFORE);
  await expect.poll(() => knownOutcomes().size).toBeGreaterThan(KNOWN_BEFORE);
  await stack.rules([{ stage: "end", delay_ms: LONG_MS, times: 1 }]);
  await expect.poll(repliesHeld).toBe(1);
  await stack.killAll();
  over.abort();
  await burst;
  const known = knownOutcomes();
  expect([...accepted.values()].some((id) => !known.has(id))).toBe(true);
  await stack.up();
  const isDelivered = async ([, id]: [string, string]) =>
    (await stack.history(id)).includes("email.delivered");
  let open = [...accepted];
  await expect
    .poll(async () => {
      const delivered = await Promise.all(open.map(isDelivered));
      open = open.filter((_, index) => !delivered[index]);
      return open;
    })
    .toEqual([]);
  const arrived = await copies();
  expect([...accepted.keys()].filter((subject) => !arrived.has(subject))).toEqual([]);
  // The inbox may have taken a message whose reply the gateway never read. Its fate is unknown, so
  // it is sent again.
  const twice = [...accepted].filter(([subject]) => (arrived.get(subject) ?? 0) > 1);
  expect(twice.filter(([, id]) => known.has(id))).toEqual([]);
  expect(twice.length).toBeLessThanOrEqual(CONNECTIONS);
});
