// `bench retention`: the hourly sweep over a million events of 36 days and 200,000 expired
// suppressions, step by step. It also measures how long sends and recordings take while the sweep
// runs, against the same rate of sends without it. Everything runs in one workerd; a deployment has
// a machine for each database.
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { bundleWorker } from "../../harness/worker-bundle.ts";
import { type Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import type { LoadTarget } from "../harness/load.ts";
import type { BenchOptions } from "../bench-options.ts";
import { MESSAGE, SINGLE } from "../../harness/sample-message.ts";
import {
  milliseconds,
  percentile,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { createTenant, newDkimKey, VARS } from "../../harness/tenant.ts";
import { startWorker, type Worker } from "../../harness/workerd.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Number of days with events. The oldest day is expired, because chunks are kept for 35 days. */
const DAYS = 36;
const TEAMS = 50;
/** Number of events in one chunk. */
const EVENTS_PER_CHUNK = 100;
const PAGE_BYTES = 5_000;
const PAGE_TOKENS = 250;
const SIZES = {
  full: { events: 1_000_000, expired: 200_000, inForce: 100_000, objects: 2_000 },
  quick: { events: 72_000, expired: 20_000, inForce: 10_000, objects: 200 },
  smoke: { events: 7_200, expired: 200, inForce: 100, objects: 20 },
};
const OBJECTS_AT_ONCE = 20;
/**
 * Messages that the team may deliver per minute: so few that none is delivered while senders are
 * measured.
 */
const DELIVERY_RATE = 1;
const PLENTY = 1_000_000_000;
/**
 * Milliseconds from the start of one request to the start of the next. A request begins even if
 * earlier ones are still under way.
 */
const SEND_EVERY_MS = 40;
const RECORD_EVERY_MS = 200;
const LOOK_EVERY_MS = 20;
const CALM_MS = 10_000;
/** Number of sweeps. Each deletes up to 100,000 suppressions. */
const SWEEPS = 2;
/** The most milliseconds by which a sweep may delay a send, at p99. */
const GOAL_MS = 50;
/** Mail to the simulator is delivered without leaving the worker. */
const SIMULATED = { ...MESSAGE, to: [`delivered@simulator.${VARS["SERVICE_DOMAIN"]}`] };

/** Duration of each step of an hourly sweep, in milliseconds. */
type Steps = ReadonlyMap<string, number>;

interface Latencies {
  /** Milliseconds from a request to its 202. */
  readonly sends: readonly number[];
  /** Milliseconds from the 202 until GET /v1/events shows the delivery. */
  readonly recordings: readonly number[];
}

interface Bench {
  readonly worker: Worker;
  /** A team whose messages wait in the backlog. */
  readonly sender: LoadTarget;
  /** A team whose messages are delivered at once. */
  readonly recorded: LoadTarget;
}

export async function retention(options: BenchOptions, cleanup: Cleanup): Promise<BenchResult> {
  const size = SIZES[options.size];
  const calmMs = CALM_MS * options.timeFactor;
  const bench = await start(cleanup);
  const { worker } = bench;
  // The sweeps get a time so far ahead that even objects that were just put into R2 have expired.
  const now = Date.now() + 5 * DAY_MS;
  console.error("filling the databases");
  await fill(worker, size, now);
  await sendDuring(bench, () => sleep(calmMs / 3));
  const calm: Latencies[] = [await sendDuring(bench, () => sleep(calmMs))];
  const swept: Latencies[] = [];
  const steps: Steps[] = [];
  for (let hour = 1; hour <= SWEEPS; hour += 1) {
    console.error(`sweep ${hour} of ${SWEEPS}`);
    swept.push(
      await sendDuring(bench, async () => void steps.push(stepsIn(await worker.sweep(now)))),
    );
    calm.push(await sendDuring(bench, () => sleep(calmMs)));
  }
  const idle = stepsIn(await worker.sweep(now));
  return {
    notes: [
      `${count(size.events)} events in chunks of ${EVENTS_PER_CHUNK} on ${DAYS} days, ` +
        `${count(size.expired)} of ${count(size.expired + size.inForce)} suppressions expired, ` +
        `${count(size.objects)} objects in R2`,
      `one team sends every ${SEND_EVERY_MS} ms; another sends every ${RECORD_EVERY_MS} ms, and ` +
        `its mail is delivered and recorded; both send during each of ${SWEEPS} sweeps, and for ${calmMs / 1_000} s ` +
        "before, between and after the sweeps",
      "the worker, the ledgers, both databases and R2 run in one workerd with one thread",
    ],
    rows: [...stepRows(steps, idle), ...latencyRows(combine(swept), combine(calm))],
  };
}

async function start(cleanup: Cleanup): Promise<Bench> {
  const root = await temporaryFolder(cleanup);
  await mkdir(join(root, "worker"));
  const bundle = await bundleWorker(cleanup, join(root, "worker"));
  const worker = await startWorker(cleanup, bundle, { state: join(root, "state"), vars: VARS });
  const tenant = async (rate: number): Promise<LoadTarget> => {
    const { apiKey } = await createTenant(worker, rate, newDkimKey());
    return { origin: worker.origin, apiKey };
  };
  return { worker, sender: await tenant(DELIVERY_RATE), recorded: await tenant(PLENTY) };
}

async function fill(worker: Worker, size: typeof SIZES.full, now: number): Promise<void> {
  // A sweep makes the tables of its own day and of the next day. One sweep for each day therefore
  // makes all tables.
  for (let age = DAYS; age > 0; age -= 1) await worker.sweep(now - age * DAY_MS);
  for (let age = 1; age <= DAYS; age += 1)
    await fillPages(worker, dayOf(now - age * DAY_MS), size.events / DAYS);
  await fillSuppressions(worker, size.expired, now - DAY_MS);
  await fillSuppressions(worker, size.inForce, now + DAY_MS);
  const keys = Array.from({ length: size.objects }, () => `content/email_${randomUUID()}`);
  for (let at = 0; at < keys.length; at += OBJECTS_AT_ONCE)
    await Promise.all(
      keys
        .slice(at, at + OBJECTS_AT_ONCE)
        .map((key) => worker.stores.put("CONTENT", key, SINGLE.body)),
    );
}

/** Writes chunks of EVENTS_PER_CHUNK events, `events` in total. A chunk has a realistic size. */
async function fillPages(worker: Worker, day: string, events: number): Promise<void> {
  const chunks = series(events / EVENTS_PER_CHUNK);
  await worker.stores.run(
    "SHARD_0",
    `${chunks} INSERT INTO pages_${day} (key, last_seq, oldest, newest, body) SELECT n * ` +
      `5000000000, n, 1, 1, randomblob(${PAGE_BYTES}) FROM series`,
  );
  const tokens = `(WITH RECURSIVE token (m) AS (SELECT n UNION ALL SELECT m + 1 FROM token WHERE m < n + ${PAGE_TOKENS - 1})
    SELECT group_concat(lower(hex(randomblob(4))), ' ') FROM token)`;
  await worker.stores.run(
    "SHARD_0",
    `${chunks} INSERT INTO page_index_${day} (rowid, tokens) SELECT n * 5000000000, ${tokens} ` +
      "FROM series",
  );
  await worker.stores.run(
    "SHARD_0",
    `${series(TEAMS * 24)} INSERT INTO counts_${day} (key, counts) SELECT n, ` +
      "hex(randomblob(150)) FROM series",
  );
}

async function fillSuppressions(worker: Worker, rows: number, expiresAt: number): Promise<void> {
  const sql = `${series(rows)} INSERT INTO suppressions (id, team_id, email, topic, reason, origin, suppressed_at, expires_at, created_at)
    SELECT 'sup_' || hex(randomblob(16)), 'team_' || (n % ${TEAMS}), hex(randomblob(10)) || '@recipient.example', '*', 'permanent_bounce', 'auto', n, ?1, n FROM series`;
  await worker.stores.run("SHARD_0", sql, expiresAt);
}

function series(rows: number): string {
  return (
    "WITH RECURSIVE series (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < " +
    `${Math.floor(rows)})`
  );
}

/**
 * Sends and records at fixed intervals while `work` runs. Only requests that begin during `work`
 * count.
 */
async function sendDuring(
  { sender, recorded }: Bench,
  work: () => Promise<unknown>,
): Promise<Latencies> {
  const pool = new Pool(sender.origin, { connections: 64, pipelining: 1 });
  const over = new AbortController();
  try {
    const sends = runPaced(SEND_EVERY_MS, over.signal, async (due) => {
      await send(pool, sender, SINGLE.body);
      return performance.now() - due;
    });
    const recordings = runPaced(RECORD_EVERY_MS, over.signal, async () => {
      const id = await send(pool, recorded, JSON.stringify(SIMULATED));
      const accepted = performance.now();
      while (!(await isDelivered(pool, recorded, id))) await sleep(LOOK_EVERY_MS);
      return performance.now() - accepted;
    });
    await work();
    over.abort();
    return { sends: await sends, recordings: await recordings };
  } finally {
    over.abort();
    await pool.destroy();
  }
}

async function send(pool: Pool, { apiKey }: LoadTarget, message: string): Promise<string> {
  const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" };
  const { statusCode, body } = await pool.request({
    method: "POST",
    path: "/v1/email",
    headers,
    body: message,
  });
  const text = await body.text();
  if (statusCode !== 202) throw new Error(`POST /v1/email: ${statusCode} ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

async function isDelivered(pool: Pool, { apiKey }: LoadTarget, id: string): Promise<boolean> {
  const path = `/v1/events?email_id=${id}&event_type=email.delivered`;
  const { statusCode, body } = await pool.request({
    method: "GET",
    path,
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text}`);
  return (JSON.parse(text) as { data: unknown[] }).data.length > 0;
}

/**
 * Starts one `work` after the other without waiting for earlier ones. Passes to each `work` the
 * time when it was due, because the delay of a late start is part of the latency.
 */
async function runPaced(
  everyMs: number,
  over: AbortSignal,
  work: (due: number) => Promise<number>,
): Promise<number[]> {
  const begun = performance.now();
  const running: Promise<number>[] = [];
  while (!over.aborted) {
    const due = begun + running.length * everyMs;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    running.push(work(due));
  }
  return Promise.all(running);
}

function stepsIn(logged: readonly string[]): Steps {
  const entries = logged
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const swept = entries.find(({ event }) => event === "swept");
  if (!swept) throw new Error("the sweep logged nothing");
  const steps = Object.entries(swept).filter(([name]) => name.endsWith("_ms"));
  return new Map(
    steps.map(([name, ms]) => [name.slice(0, -"_ms".length).replaceAll("_", " "), Number(ms)]),
  );
}

function combine(all: readonly Latencies[]): Latencies {
  return {
    sends: all.flatMap(({ sends }) => sends),
    recordings: all.flatMap(({ recordings }) => recordings),
  };
}

function stepRows(all: readonly Steps[], idle: Steps): BenchRow[] {
  return Array.from(idle, ([step, ms]) => ({
    work: `sweep: ${step}`,
    measured: all.map((steps) => milliseconds(steps.get(step) ?? Number.NaN)).join(", then "),
    against: `with nothing to do: ${milliseconds(ms)}`,
    ratio: null,
    goal: null,
    met: null,
  }));
}

function latencyRows(swept: Latencies, calm: Latencies): BenchRow[] {
  return (["sends", "recordings"] as const).map((kind) => {
    const more = percentile(swept[kind], 0.99) - percentile(calm[kind], 0.99);
    return {
      work:
        kind === "sends" ? "sends while the sweep runs" : "deliveries, from accepted to recorded",
      measured: spread(swept[kind]),
      against: `without: ${spread(calm[kind])}`,
      ratio: percentile(swept[kind], 0.99) / percentile(calm[kind], 0.99),
      goal: `p99 ≤ ${GOAL_MS} ms more than without`,
      met: more <= GOAL_MS,
    };
  });
}

function spread(latencies: readonly number[]): string {
  const [p50, p99, longest] = [0.5, 0.99, 1].map((part) =>
    milliseconds(percentile(latencies, part)),
  );
  return `p50 ${p50}, p99 ${p99}, longest ${longest}`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
}

function count(things: number): string {
  return things.toLocaleString("en-US");
}
