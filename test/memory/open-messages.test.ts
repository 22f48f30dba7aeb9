// Tests that a ledger's memory and its time to start do not grow with its open messages
// (src/ledger/open/resting-rows.ts). The rows are written by SQL, because sending them takes hours.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Held, MemoryHarness } from "./memory-harness.ts";

const HEAP_MEGABYTES = 100;
/** An older version read every row at a start, and died at 600,000 deferred messages. */
const ROWS = 700_000;
const ROWS_PER_STATEMENT = 100_000;
const GROWTH_MEGABYTES = 60;
const HOUR_MS = 3_600_000;

interface Usage {
  readonly delivery: { readonly deferred: number; readonly waiting: number };
}

interface Answered {
  readonly held: Held;
  readonly usage: Usage;
}

let harness: MemoryHarness;

beforeAll(async () => {
  harness = await MemoryHarness.start(HEAP_MEGABYTES);
});
afterAll(() => harness.stop());

const DEFERRED = (dueAt: string): string =>
  `json_object('0', json_object('state', 'waiting', 'attempt', 1, 'dueAt', ${dueAt}))`;

/** Writes ROWS open messages. `columns` and `values`: the columns beside the usual ones. */
async function seed(teamId: string, columns: string, values: string): Promise<void> {
  const now = Date.now();
  for (let from = 1; from <= ROWS; from += ROWS_PER_STATEMENT) {
    const to = Math.min(ROWS, from + ROWS_PER_STATEMENT - 1);
    await harness.runSql(
      teamId,
      `INSERT INTO ledger (seq, id, accepted_at, recipients, meta, content, ${columns})
       WITH RECURSIVE numbers (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM numbers WHERE i < ${to})
       SELECT i, printf('email_%08d', i), ${now}, 1, '{}', hex(zeroblob(150)), ${values} FROM numbers`,
    );
  }
}

/** Stores the log's state, as a ledger does after each few thousand rows. */
async function seedState(teamId: string): Promise<void> {
  const state = { lastSeq: ROWS, underWayFrom: ROWS, lastAt: 0, delivered: 0, chunked: {} };
  const json = JSON.stringify({ ...state, bookmarks: {} });
  await harness.runSql(teamId, `INSERT OR REPLACE INTO log_state VALUES (1, '${json}')`);
}

/** Restarts the ledger. Returns what its first answer says, and the memory that the answer needs. */
async function firstAnswer(teamId: string, apiKey: string): Promise<Answered> {
  await harness.restartLedger(teamId);
  let usage: Usage | undefined;
  const held = await harness.held(async () => void (usage = await usageOf(apiKey)));
  return { held, usage: usage! };
}

async function usageOf(apiKey: string): Promise<Usage> {
  const response = await harness.fetch("GET", "/v1/usage", apiKey);
  expect(response.status).toBe(200);
  return (await response.json()) as Usage;
}

describe("a ledger's first answer after a restart", () => {
  const inTwoDays = `${Date.now() + 2 * HOUR_MS} + i`;

  it("takes no memory for its deferred messages", async () => {
    const { teamId, apiKey } = await harness.tenantWithLedger();
    const empty = (await firstAnswer(teamId, apiKey)).held.megabytes;
    await seed(
      teamId,
      "jobs, wake_at, since, states",
      `${DEFERRED(inTwoDays)}, ${inTwoDays}, 1, 1 + (1 << 32)`,
    );
    await seedState(teamId);
    const { held, usage } = await firstAnswer(teamId, apiKey);
    expect(usage).toMatchObject({ delivery: { deferred: ROWS } });
    expect(held.megabytes).toBeLessThan(empty + GROWTH_MEGABYTES);
  });

  it("takes no memory for the messages that wait for their release", async () => {
    const { teamId, apiKey } = await harness.tenantWithLedger();
    await usageOf(apiKey);
    await seed(teamId, "jobs, stream", "'{}', 'news'");
    await seedState(teamId);
    await harness.runSql(teamId, "INSERT INTO streams VALUES ('news', 1, 0)");
    await harness.runSql(teamId, "INSERT INTO counters VALUES (1, 0, 0, 0, 0, 0, 0, 0, 1)");
    const { usage } = await firstAnswer(teamId, apiKey);
    expect(usage).toMatchObject({ delivery: { waiting: ROWS } });
  });
});
