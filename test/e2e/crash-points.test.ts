// Kills the worker at each named crash point (docs/architecture.md §Where it can be killed). No
// accepted message may be lost or sent twice, and every event must reach its webhooks. An import
// that is killed in its middle must count each row once (docs/teams.md §Moving a suppression list).
// The harness of the chaos machine restarts only the runtime, which is quick.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ChaosHarness } from "../../tools/chaos/chaos-harness.ts";
import { type ChaosTeam, joinTeam } from "../../tools/chaos/chaos-team.ts";
import { planRound } from "../../tools/chaos/plan.ts";
import { CRASH_POINTS } from "../../tools/chaos/plan-kills.ts";
import { DOMAIN } from "../../tools/chaos/plan-servers.ts";
import { readEvents } from "../../tools/chaos/recorded-facts.ts";
import { Cleanup } from "../../tools/harness/cleanup.ts";
import { SENDER_DOMAIN } from "../../tools/harness/sample-message.ts";
import { newDkimKey } from "../../tools/harness/tenant.ts";

const AFTER_PAGE = "after_page";
/**
 * Crash points around the worker's question about an attempt. A message reaches them only if its
 * mail server is silent for longer than the worker waits.
 */
const ASKED = new Set<string>(["after_hand_over", "before_ask", "after_ask"]);
/**
 * The number of messages whose events fill a chunk: each message has two events, and a chunk holds
 * 64 to 128.
 */
const PAGE_MESSAGES = 40;
const PAGE_EVENTS = 64;
/**
 * The pace at which the test's deployment retries. No step of an SMTP session reaches its time
 * limit.
 */
const PACE = { speedup: 100, stepSeconds: 60 };

/** Number of rows in the imported file. The import takes 40 slices, with pauses between them. */
const ROWS = 10_000;

interface Import {
  readonly id: string;
  readonly status: string;
  readonly total: number;
}

const cleanup = new Cleanup();
const begun = Date.now();
/** Recipients of the copies that the mail server took. */
const taken: string[] = [];
let harness: ChaosHarness;
let team: ChaosTeam;

beforeAll(async () => {
  harness = await ChaosHarness.start(cleanup, PACE);
  team = await joinTeam(harness, {
    name: "crash",
    courier: "gateway",
    keepsContent: false,
    dkimKey: newDkimKey(),
  });
});
afterAll(() => cleanup.run());

/** Makes the worker die when it next reaches the crash point. */
function arm(point: string): void {
  const kill = { operation: point, nth: 1, delayMs: 0, victims: ["worker"] as const };
  harness.faults.begin([{ ...planRound(1, 1), odds: [], kills: [kill] }]);
}

const kills = (point: string): number => harness.faults.kills.get(`worker at ${point}`) ?? 0;

/** Sends a request, and repeats it with the same idempotency key until it has an answer. */
async function send<Answer>(path: string, key: string, body: unknown): Promise<Answer> {
  return vi.waitFor(async () => {
    const response = await harness.fetch(path, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${team.apiKey}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body: JSON.stringify(body),
    });
    expect(response.status, await response.clone().text()).toBe(202);
    return (await response.json()) as Answer;
  });
}

const emailTo = (to: string) => ({
  from: `hello@${SENDER_DOMAIN}`,
  to: [to],
  subject: "Crash",
  text: "Crash. ",
});

/**
 * Returns one line `type recipient` for each event of these messages, sorted. Leaves out delays: a
 * busy machine may let an attempt's time limit pass, and the next attempt delivers.
 */
async function history(emailIds: readonly string[]): Promise<string[]> {
  const events = await readEvents(harness, team.apiKey, begun);
  return events
    .filter(({ email_id, type }) => emailIds.includes(email_id) && type !== "email.delayed")
    .map(({ type, recipient }) => `${type} ${recipient}`)
    .toSorted();
}

const once = (recipients: readonly string[]): string[] =>
  recipients.flatMap((to) => [`email.delivered ${to}`, `email.sent ${to}`]).toSorted();

/** Counts the copies for a recipient that the mail server took. */
function copiesFor(recipient: string): number {
  for (const { what, to } of harness.readLogs().mail) if (what === "taken") taken.push(to);
  return taken.filter((to) => to === recipient).length;
}

/** Counts the events that the webhook received again although it already had them. */
const repeats = (): number =>
  team.hooks
    .flatMap(({ received }) => [...received.values()])
    .reduce((sum, count) => sum + count - 1, 0);

/** Resolves when no message, delivery or event is left to be processed. */
const settled = () =>
  vi.waitFor(async () => {
    const { requests, ledger, work } = await team.remains();
    expect({ requests, messages: ledger.messages, work }).toEqual({
      requests: 0,
      messages: 0,
      work: [],
    });
    expect(ledger.unpaged).toBeLessThan(PAGE_EVENTS);
  });

/**
 * Fails unless each webhook got every event of its types, and every delivery had the right bytes.
 */
async function expectTold(): Promise<void> {
  const events = await readEvents(harness, team.apiKey, begun);
  for (const { types, received, wrong } of team.hooks) {
    const wanted = events.filter(({ type }) => types.includes(type)).map(({ id }) => id);
    expect([...received.keys()].toSorted()).toEqual(wanted.toSorted());
    expect(wrong).toEqual([]);
  }
}

/** A message reaches these points by itself. A storm of tools/chaos reaches those of a reply. */
const REACHED = CRASH_POINTS.filter((point) => point !== AFTER_PAGE && !point.startsWith("reply_"));

describe("the worker killed", () => {
  it.each(REACHED)(
    "at %s: delivers accepted mail exactly once, reports it to the webhook, and gives a retry the same id",
    async (point) => {
      const prefix = ASKED.has(point) ? "late" : "ok";
      const [to, before] = [`${prefix}-${point}@${DOMAIN}`, repeats()];
      arm(point);
      const { id } = await send<{ id: string }>("/v1/email", point, emailTo(to));
      await expect.poll(() => history([id])).toEqual(once([to]));
      await expect.poll(() => kills(point)).toBe(1);
      // If the outbox has posted a batch but not recorded this, it posts the batch again after a
      // restart.
      if (point === "webhook_after_post") await expect.poll(repeats).toBeGreaterThan(before);
      await harness.up();
      await settled();
      expect(await history([id])).toEqual(once([to]));
      expect(copiesFor(to)).toBe(1);
      await expectTold();
      expect(await send("/v1/email", point, emailTo(to))).toMatchObject({ id });
    },
  );

  it("at after_page: keeps each event of the chunk once, and makes the next chunk", async () => {
    const recipients = Array.from({ length: PAGE_MESSAGES }, (_, at) => `ok-page-${at}@${DOMAIN}`);
    const emails = recipients.map(emailTo);
    await settled();
    arm(AFTER_PAGE);
    const { data } = await send<{ data: { id: string }[] }>("/v1/email/batch", AFTER_PAGE, {
      emails,
    });
    const ids = data.map(({ id }) => id);
    await expect.poll(() => kills(AFTER_PAGE)).toBe(1);
    await expect.poll(() => history(ids)).toEqual(once(recipients));
    await harness.up();
    await settled();
    expect(await history(ids)).toEqual(once(recipients));
    expect(recipients.filter((to) => copiesFor(to) !== 1)).toEqual([]);
    await expectTold();
  });

  it("after it recorded a webhook batch: does not post the batch again", async () => {
    await settled();
    const before = repeats();
    const to = `ok-later@${DOMAIN}`;
    const { id } = await send<{ id: string }>("/v1/email", "later", emailTo(to));
    await expect.poll(() => history([id])).toEqual(once([to]));
    await settled();
    expect(repeats()).toBe(before);
  });
});

describe("an import whose worker is killed twice in its middle", () => {
  const call = async (method: string, path: string, body?: string): Promise<Import> => {
    const headers = { Authorization: `Bearer ${team.apiKey}`, "Content-Type": "text/csv" };
    const response = await harness.fetch(path, { method, headers, ...(body && { body }) });
    return (await response.json()) as Import;
  };

  it("finishes with every row", async () => {
    const rows = Array.from({ length: ROWS }, (_, index) => `user${index}@example.org`);
    const { id } = await call("POST", "/v1/suppressions/import", rows.join("\n"));
    const shown = () => call("GET", `/v1/suppressions/imports/${id}`);
    let total = 0;
    for (let kill = 0; kill < 2; kill += 1) {
      const seen = await vi.waitFor(async () => {
        const one = await shown();
        expect(one.total).toBeGreaterThan(total);
        return one;
      });
      expect(seen.status).toBe("running");
      ({ total } = seen);
      await harness.runtime.kill();
    }
    await expect.poll(shown).toEqual({
      id,
      status: "done",
      total: ROWS,
      imported: ROWS,
      skipped: 0,
      failed: 0,
      errors: [],
    });
  });
});
