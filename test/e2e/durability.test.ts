// No accepted message is lost and none is sent twice (docs/architecture.md §The life of a message),
// with processes killed at the worst moments: in the middle of a burst, and at each named crash
// point.
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { Stack } from "./stack.ts";

const POINTS = [
  "after_admit",
  "after_release",
  "after_claim",
  "after_smtp",
  "after_append",
  "after_settle",
];
/** Messages whose events fill a page: two events each. */
const PAGE_MESSAGES = 40;
const DELIVERED_WITHIN_MS = 150_000;
/** Connections of the gateway to one mail server: as many replies may be on their way at once. */
const CONNECTIONS = 10;

let stack: Stack;
let harness: Server;
/** The crash point at which the worker dies next. */
let armed: string | undefined;

beforeAll(async () => {
  harness = createServer((request, response) => {
    const point = request.url?.slice(1);
    if (point === armed) {
      armed = undefined;
      stack.killWorker(); // no answer: the caller at the crash point never continues
    } else response.end();
  });
  const port = await listenOnLoopback(harness);
  // Leases and repeated releases are 20 times faster too.
  stack = await Stack.start({ CRASH_POINT_URL: `http://127.0.0.1:${port}`, RETRY_SPEEDUP: "20" });
});
afterAll(async () => {
  await stack.destroy();
  harness.closeAllConnections();
  harness.close();
});

/** Sends once, like a client that retries under one Idempotency-Key until it gets an answer. */
async function sendPatiently(to: string, key: string): Promise<string> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    try {
      const response = await stack.send(to, key, { "Idempotency-Key": key });
      if (response.status === 202) return ((await response.json()) as { id: string }).id;
      await response.arrayBuffer();
    } catch {
      // The worker is down, or died before it answered.
    }
    await wait(250);
  }
  throw new Error(`${key} was never accepted`);
}

async function subjectsIn(prefix: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { subject } of await stack.inbox())
    if (subject.startsWith(prefix)) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  return counts;
}

/** Returns the messages whose outcome the gateway has recorded. */
function knownOutcomes(): Set<string> {
  const folder = join(stack.state, "egress");
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8").split("\n"),
  );
  return new Set(lines.flatMap((line) => /"key":"(email_[^/"]+)\//.exec(line)?.[1] ?? []));
}

async function emailIdTo(recipient: string): Promise<string> {
  const response = await stack.api(
    "GET",
    `/v1/events?limit=1&recipient=${encodeURIComponent(recipient)}`,
  );
  const { data } = (await response.json()) as { data: { email_id: string }[] };
  const [event] = data;
  if (!event) throw new Error(`nothing is known of ${recipient}`);
  return event.email_id;
}

describe("the worker killed", () => {
  it.each(POINTS)(
    "%s delivers accepted mail exactly once, under the id that a retry gets",
    async (point) => {
      armed = point;
      const id = await sendPatiently(`${point}@example.net`, `crash-${point}`);
      await expect
        .poll(() => stack.history(id), { timeout: DELIVERED_WITHIN_MS, interval: 500 })
        .toEqual(["email.sent", "email.delivered"]);
      expect(armed).toBeUndefined();
      expect(await stack.inbox(`&to=${point}@example.net`)).toHaveLength(1);
      expect(await sendPatiently(`${point}@example.net`, `crash-${point}`)).toBe(id);
    },
    200_000,
  );
});

describe("the worker killed after_page", () => {
  it("keeps each event of the page once, and makes the next page", async () => {
    armed = "after_page";
    const emails = Array.from({ length: PAGE_MESSAGES }, (_, index) => ({
      from: "hello@example.test",
      to: [`page-${index}@example.net`],
      subject: "A page",
      text: "Hello.",
    }));
    const response = await stack.api("POST", "/v1/email/batch", { emails });
    expect(response.status).toBe(202);
    const ids = ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    const wanted = ids.flatMap((id) => [`${id} email.delivered`, `${id} email.sent`]).toSorted();
    const shown = async (): Promise<string[]> => {
      const page = await stack.api("GET", "/v1/events?limit=100&subject=page").catch(() => null);
      const { data = [] } = page
        ? ((await page.json()) as { data?: { email_id: string; type: string }[] })
        : {};
      return data.map(({ email_id: id, type }) => `${id} ${type}`).toSorted();
    };
    await expect.poll(() => armed, { timeout: DELIVERED_WITHIN_MS, interval: 500 }).toBeUndefined();
    await expect.poll(shown, { timeout: DELIVERED_WITHIN_MS, interval: 1_000 }).toEqual(wanted);
    await wait(5_000);
    expect(await shown()).toEqual(wanted);
  }, 200_000);
});

describe("everything killed in the middle of 500 sends, and started again", () => {
  it("has every message in the inbox that was answered 202, and repeats no outcome that the gateway knew", async () => {
    const accepted = new Set<string>();
    const burst = Array.from({ length: 500 }, async (_, index) => {
      await wait(index * 4);
      const response = await stack.send(`burst-${index}@example.net`, `burst-${index}`);
      if (response.status === 202) accepted.add(`burst-${index}`);
    });
    // Attached before anything can fail, so that a send that dies with the stack is not an
    // unhandled rejection.
    const sent = Promise.allSettled(burst);
    await wait(1_200);
    await expect.poll(() => knownOutcomes().size, { timeout: 30_000 }).toBeGreaterThan(0);
    await stack.killAll();
    await sent;
    expect(accepted.size).toBeGreaterThan(20);
    const known = knownOutcomes();
    await stack.up();
    const missing = async () => {
      const arrived = await subjectsIn("burst-");
      return [...accepted].filter((subject) => !arrived.has(subject)).length;
    };
    await expect.poll(missing, { timeout: DELIVERED_WITHIN_MS, interval: 500 }).toBe(0);
    await wait(3_000);
    const twice = [...(await subjectsIn("burst-"))].flatMap(([subject, count]) =>
      count > 1 ? [subject] : [],
    );
    // The inbox may have taken a message whose reply the gateway never read. Its fate is unknown,
    // so it is sent again.
    const ofKnown = await Promise.all(
      twice.map(async (subject) => known.has(await emailIdTo(`${subject}@example.net`))),
    );
    expect(ofKnown).not.toContain(true);
    expect(twice.length).toBeLessThanOrEqual(CONNECTIONS);
  }, 300_000);
});
