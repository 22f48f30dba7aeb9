// `bench retention`: the hourly sweep over a million events in 32 days and 200,000 suppressions whose time is over, step by step; and what sends and
// recordings wait while it runs, against the same pace without it. Everything is in one workerd here, where a deployment has a machine for each database.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { bundleWorker } from "./bundle.ts";
import type { Cleanup } from "./cleanup.ts";
import type { Target } from "./load.ts";
import type { Options } from "./main.ts";
import { SINGLE } from "./message.ts";
import { milliseconds, percentile, type Report, type Row } from "./report.ts";
import { createTenant, newDkimKey, VARS } from "./tenant.ts";
import { startWorker, type Worker } from "./workerd.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** The oldest of each kind is over: events are kept for 31 days, messages for 35. */
const EVENT_DAYS = 32;
const MESSAGE_DAYS = 36;
const BIG = { events: 1_000_000, messages: 360_000, expired: 200_000, inForce: 100_000, objects: 2_000 };
const SMALL = { events: 64_000, messages: 36_000, expired: 20_000, inForce: 10_000, objects: 200 };
const OBJECTS_AT_ONCE = 20;
/** One a minute: nothing is delivered while senders are measured. */
const DELIVERY_RATE = 1;
/** How far from each other requests begin, whatever became of those before. */
const SEND_EVERY_MS = 40;
const RECORD_EVERY_MS = 100;
const CALM_SECONDS = 20;
/** What a send may wait for more than it does without a sweep, at p99. */
const GOAL_MS = 50;

/** What an hour's sweep did, by step, in milliseconds. */
type Steps = ReadonlyMap<string, number>;

interface Latencies {
  readonly sends: readonly number[];
  readonly records: readonly number[];
}

export async function retention({ rounds }: Options, cleanup: Cleanup): Promise<Report> {
  const size = rounds < 5 ? SMALL : BIG;
  const { worker, target } = await start(cleanup);
  // Far enough ahead for what R2 is given now to be old.
  const now = Date.now() + 5 * DAY_MS;
  console.error("filling the databases");
  await fill(worker, size, now);
  const table = `messages_${dayOf(now)}`;
  await underPace(worker, target, table, () => sleep(3_000));
  console.error("without a sweep");
  const calm = await underPace(worker, target, table, () => sleep(CALM_SECONDS * 1_000));
  console.error("with one");
  let steps: Steps = new Map();
  const swept = await underPace(worker, target, table, async () => {
    steps = stepsIn(await worker.sweep(now));
  });
  const idle = stepsIn(await worker.sweep(now));
  return {
    notes: [
      `${count(size.events)} events in ${EVENT_DAYS} days, ${count(size.messages)} messages in ${MESSAGE_DAYS}, ${count(size.expired)} of ${count(size.expired + size.inForce)} suppressions over, ${count(size.objects)} objects in R2`,
      `a send every ${SEND_EVERY_MS} ms and a write to the history every ${RECORD_EVERY_MS} ms, for ${CALM_SECONDS} s without a sweep and as long as one takes`,
      `the worker, the ledger, both databases and R2 in one workerd, one thread; ${swept.sends.length} sends and ${swept.records.length} writes fell into the sweep`,
    ],
    rows: [...stepRows(steps, idle), ...latencyRows(swept, calm)],
  };
}

async function start(cleanup: Cleanup): Promise<{ worker: Worker; target: Target }> {
  const root = await mkdtemp(join(tmpdir(), "postern-bench-"));
  cleanup.add(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "worker"));
  const bundle = await bundleWorker(cleanup, join(root, "worker"));
  const worker = await startWorker(cleanup, bundle, { state: join(root, "state"), vars: VARS });
  const { apiKey } = await createTenant(worker, DELIVERY_RATE, newDkimKey());
  return { worker, target: { origin: worker.origin, apiKey } };
}

async function fill(worker: Worker, size: typeof BIG, now: number): Promise<void> {
  // The worker's own tables: each sweep makes those of its day and the next.
  for (let age = MESSAGE_DAYS; age > 0; age -= 1) await worker.sweep(now - age * DAY_MS);
  for (let age = 1; age <= EVENT_DAYS; age += 1) await fillEvents(worker, dayOf(now - age * DAY_MS), size.events / EVENT_DAYS);
  for (let age = 1; age <= MESSAGE_DAYS; age += 1) {
    const rows = `${series(size.messages / MESSAGE_DAYS)} INSERT INTO messages_${dayOf(now - age * DAY_MS)} (email, team, facts)
      SELECT randomblob(16), randomblob(16), hex(zeroblob(150)) FROM series`;
    await worker.run("HISTORY_0", rows);
  }
  await fillSuppressions(worker, size.expired, now - DAY_MS);
  await fillSuppressions(worker, size.inForce, now + DAY_MS);
  const keys = Array.from({ length: size.objects }, () => `content/email_${randomUUID()}`);
  for (let at = 0; at < keys.length; at += OBJECTS_AT_ONCE)
    await Promise.all(keys.slice(at, at + OBJECTS_AT_ONCE).map((key) => worker.put("CONTENT", key, SINGLE.body)));
}

/** Rows of the size of real ones, whatever columns there are; ten tokens each in the index. */
async function fillEvents(worker: Worker, day: string, rows: number): Promise<void> {
  const columns = await worker.run("HISTORY_0", `SELECT name, type, "notnull" AS needed, pk FROM pragma_table_info('events_${day}')`);
  const values = columns.map(({ type, needed, pk }) =>
    pk === 1 ? "n * 2000000000" : needed !== 1 ? "NULL" : type === "BLOB" ? "randomblob(16)" : type === "TEXT" ? "hex(randomblob(20))" : "1",
  );
  await worker.run(
    "HISTORY_0",
    `${series(rows)} INSERT INTO events_${day} (${columns.map(({ name }) => name).join(", ")}) SELECT ${values.join(", ")} FROM series`,
  );
  const tokens = Array.from({ length: 10 }, () => "lower(hex(randomblob(4)))").join(" || ' ' || ");
  await worker.run("HISTORY_0", `${series(rows)} INSERT INTO event_index_${day} (rowid, tokens) SELECT n * 2000000000, ${tokens} FROM series`);
}

async function fillSuppressions(worker: Worker, rows: number, expiresAt: number): Promise<void> {
  const sql = `${series(rows)} INSERT INTO suppressions (id, team_id, email, topic, reason, origin, suppressed_at, expires_at, created_at)
    SELECT 'sup_' || hex(randomblob(16)), 'team_' || (n % 50), hex(randomblob(10)) || '@recipient.example', '*', 'permanent_bounce', 'auto', n, ?1, n FROM series`;
  await worker.run("DB", sql, expiresAt);
}

function series(rows: number): string {
  return `WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < ${Math.floor(rows)})`;
}

/** Sends and recordings at their pace for as long as `work` takes. What begins while it runs counts. */
async function underPace({ run }: Worker, { origin, apiKey }: Target, table: string, work: () => Promise<unknown>): Promise<Latencies> {
  const pool = new Pool(origin, { connections: 64, pipelining: 1 });
  const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
  const over = new AbortController();
  const send = async (): Promise<void> => {
    const { statusCode, body } = await pool.request({ method: "POST", path: "/v1/email", headers, body: SINGLE.body });
    if (statusCode !== 202) throw new Error(`POST /v1/email: ${statusCode} ${await body.text()}`);
    await body.dump();
  };
  const record = async (): Promise<void> => {
    await run("HISTORY_0", `INSERT INTO ${table} (email, team, facts) VALUES (unhex(?1), randomblob(16), '{}')`, randomBytes(16).toString("hex"));
  };
  try {
    const sends = paced(SEND_EVERY_MS, over.signal, send);
    const records = paced(RECORD_EVERY_MS, over.signal, record);
    await work();
    over.abort();
    return { sends: await sends, records: await records };
  } finally {
    over.abort();
    await pool.close();
  }
}

/** Begins one `work` after the other, without waiting for those before. Returns how long each took, in milliseconds. */
async function paced(everyMs: number, over: AbortSignal, work: () => Promise<void>): Promise<number[]> {
  const begun = performance.now();
  const running: Promise<number>[] = [];
  while (!over.aborted) {
    const due = begun + running.length * everyMs;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    // From when it was due: a request that could not begin has waited too.
    running.push(work().then(() => performance.now() - due));
  }
  return Promise.all(running);
}

function stepsIn(logged: readonly string[]): Steps {
  const steps = new Map<string, number>();
  for (const line of logged) {
    if (!line.startsWith("{")) continue;
    const entry = JSON.parse(line) as { event?: string; step?: string; ms?: number };
    if (entry.event === "swept" && entry.step !== undefined && entry.ms !== undefined) steps.set(entry.step, entry.ms);
  }
  if (steps.size === 0) throw new Error("the sweep said nothing");
  return steps;
}

function stepRows(steps: Steps, idle: Steps): Row[] {
  return Array.from(steps, ([step, ms]) => ({
    work: `sweep: ${step}`,
    measured: milliseconds(ms),
    against: `with nothing to do: ${milliseconds(idle.get(step) ?? Number.NaN)}`,
    ratio: null,
    goal: null,
    met: null,
  }));
}

function latencyRows(swept: Latencies, calm: Latencies): Row[] {
  return (["sends", "records"] as const).map((kind) => {
    const more = percentile(swept[kind], 0.99) - percentile(calm[kind], 0.99);
    return {
      work: `${kind === "sends" ? "sends" : "writes to the history"} while it runs`,
      measured: spread(swept[kind]),
      against: `without: ${spread(calm[kind])}`,
      ratio: percentile(swept[kind], 0.99) / percentile(calm[kind], 0.99),
      goal: `p99 ≤ ${GOAL_MS} ms more`,
      met: more <= GOAL_MS,
    };
  });
}

function spread(latencies: readonly number[]): string {
  const [p50, p99, longest] = [0.5, 0.99, 1].map((part) => milliseconds(percentile(latencies, part)));
  return `p50 ${p50}, p99 ${p99}, longest ${longest}`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
}

function count(things: number): string {
  return things.toLocaleString("en-US");
}
