// `bench scheduled`: what a million scheduled messages of one team cost its ledger in memory and at
// a restart, against one message. It also measures how late 10,000 messages that are due at one
// moment are released, and runs 10,000 races of a cancel against the release. Each race must have
// one winner.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchOptions } from "../bench-options.ts";
import {
  milliseconds,
  percentile,
  type BenchResult,
  type BenchRow,
} from "../harness/bench-result.ts";
import { callApi } from "../harness/http-api.ts";
import { Cleanup, temporaryFolder } from "../../harness/cleanup.ts";
import { residentMegabytes } from "../../harness/machine.ts";
import { MESSAGE } from "../../harness/sample-message.ts";
import { createTenant, newDkimKey, type Tenant, VARS } from "../../harness/tenant.ts";
import { startWorker, type Worker } from "../../harness/workerd.ts";
import type { Bundle } from "../../harness/worker-bundle.ts";
import { raceCancels, type RaceResult } from "../scheduled/cancel-race.ts";
import { askLedger, bundleWithFeed } from "../scheduled/scheduled-bundle.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** `starts`: the number of restarts from which each median is taken. */
const SIZES = {
  full: { waiting: 1_000_000, due: 10_000, races: 10_000, starts: 5 },
  quick: { waiting: 50_000, due: 2_000, races: 500, starts: 5 },
  smoke: { waiting: 100, due: 20, races: 10, starts: 1 },
};
const COPIES_PER_CALL = 10_000;
/** The team's delivery rate: a thousand messages a second, in messages a minute. */
const DELIVERY_RATE = 60_000;
const PLENTY = 1_000_000_000;
/**
 * The messages are due after this many times the duration of a restart. One restart happens before
 * they are due.
 */
const RESTARTS_AHEAD = 5;
const LOOK_EVERY_MS = 10;
/** Largest allowed lateness. */
const GOAL_MS = 2_000;
/** Mail to the simulator is delivered without leaving the worker. */
const SIMULATED = { ...MESSAGE, to: [`delivered@simulator.${VARS["SERVICE_DOMAIN"]}`] };

/** The cost of the team's ledger to a worker that has just started. */
interface Restart {
  /** Milliseconds to the ledger's first answer. */
  readonly firstMs: number;
  /** Resident memory of workerd after the ledger's first answer. */
  readonly megabytes: number;
}

interface Started {
  readonly bundle: Bundle;
  readonly state: string;
  readonly hasTables: boolean;
}

interface Bench extends Started {
  readonly tenant: Tenant;
  /** The team of the races. Its first request loads the worker's code. */
  readonly racer: Tenant;
}

export async function scheduled(options: BenchOptions, cleanup: Cleanup): Promise<BenchResult> {
  const size = SIZES[options.size];
  const root = await temporaryFolder(cleanup);
  await mkdir(join(root, "worker"));
  const bundle = await bundleWithFeed(cleanup, join(root, "worker"));
  const state = join(root, "state");
  const { tenant, racer, race } = await during(
    { bundle, state, hasTables: false },
    async (worker) => {
      const made = await createTenant(worker, DELIVERY_RATE, newDkimKey());
      console.error(`racing ${size.races} cancels`);
      const other = await createTenant(worker, PLENTY, newDkimKey());
      const racing = { origin: worker.origin, apiKey: other.apiKey };
      const outcome = await raceCancels(racing, SIMULATED, size.races);
      await schedule(worker, made);
      return { tenant: made, racer: other, race: outcome };
    },
  );
  const bench = { bundle, state, tenant, racer, hasTables: true };
  const empty = await restarts(bench, size.starts);
  console.error(`filling the ledger with ${size.waiting} messages`);
  await during(bench, (worker) => copy(worker, tenant, size.waiting, Date.now() + 20 * DAY_MS));
  const full = await restarts(bench, size.starts);
  const lateness = await releaseMany(bench, size.due);
  return {
    notes: [
      `${count(size.waiting)} scheduled messages of 2 KB in one team's ledger`,
      `released at ${count(DELIVERY_RATE)} a minute`,
      "worker, ledger and databases run in one workerd; its memory is that of the whole process",
      "a race: a message that is due 150 ms after its request, and a cancel at most 50 ms " +
        "before or after that time",
    ],
    rows: [
      restartRow("the ledger's first answer after a start", full, empty),
      memoryRow(full, empty),
      ...latenessRows(lateness, size.due),
      ...raceRows(race, size.races),
    ],
  };
}

/** Runs `work` on a new worker. Then ends the worker, and keeps its state. */
async function during<Result>(
  { bundle, state, hasTables }: Started,
  work: (worker: Worker) => Promise<Result>,
): Promise<Result> {
  const own = new Cleanup();
  try {
    return await work(await startWorker(own, bundle, { state, hasTables, vars: VARS }));
  } finally {
    await own.run();
  }
}

/** Schedules the message that is copied later. */
async function schedule({ origin }: Worker, { apiKey }: Tenant): Promise<void> {
  const scheduled_at = new Date(Date.now() + 20 * DAY_MS).toISOString();
  await callApi({ origin, apiKey }, "POST", "/v1/email", { ...SIMULATED, scheduled_at });
}

async function copy(worker: Worker, { teamId }: Tenant, copies: number, at: number): Promise<void> {
  for (let left = copies; left > 0; left -= COPIES_PER_CALL)
    await askLedger(worker, { teamId, copies: Math.min(left, COPIES_PER_CALL), at });
}

/** Restarts the worker several times, and returns the medians of the figures. */
async function restarts(bench: Bench, starts: number): Promise<Restart> {
  const all: Restart[] = [];
  for (let turn = 0; turn < starts; turn += 1) all.push(await restart(bench));
  const median = (name: keyof Restart): number =>
    percentile(
      all.map((one) => one[name]),
      0.5,
    );
  return { firstMs: median("firstMs"), megabytes: median("megabytes") };
}

function restart(bench: Bench): Promise<Restart> {
  const { tenant, racer } = bench;
  return during(bench, async ({ origin, pid }) => {
    await callApi({ origin, apiKey: racer.apiKey }, "GET", "/v1/usage");
    await sleep(1_000);
    const before = performance.now();
    await callApi({ origin, apiKey: tenant.apiKey }, "GET", "/v1/usage");
    const firstMs = performance.now() - before;
    await sleep(1_000);
    return { firstMs, megabytes: residentMegabytes(pid) };
  });
}

interface Lateness {
  /** Milliseconds from the due time to the release of the last message. */
  readonly lastMs: number;
  /** Milliseconds from the due time to the delivery of the last message. */
  readonly deliveredMs: number;
}

/** Makes messages due at one moment, beside others that wait longer. */
async function releaseMany(bench: Bench, due: number): Promise<Lateness> {
  const { tenant } = bench;
  const begun = Date.now();
  await restart(bench);
  const at = Date.now() + RESTARTS_AHEAD * (Date.now() - begun);
  await during(bench, (worker) => copy(worker, tenant, due, at));
  return during(bench, async (worker) => {
    const { origin } = worker;
    const { teamId, apiKey } = tenant;
    await callApi({ origin, apiKey }, "GET", "/v1/usage");
    const left = (): Promise<number> => askLedger(worker, { teamId, copies: 0, at });
    if ((await left()) !== due || Date.now() > at)
      throw new Error("the scheduled time came before everything was ready");
    await sleep(at - Date.now());
    while ((await left()) > 0) await sleep(LOOK_EVERY_MS);
    const lastMs = Date.now() - at;
    while (!(await worker.stores.isSettled(teamId))) await sleep(LOOK_EVERY_MS);
    return { lastMs, deliveredMs: Date.now() - at };
  });
}

function restartRow(work: string, full: Restart, empty: Restart): BenchRow {
  return {
    work,
    measured: milliseconds(full.firstMs),
    against: `${milliseconds(empty.firstMs)} with one message`,
    ratio: full.firstMs / empty.firstMs,
    goal: null,
    met: null,
  };
}

function memoryRow(full: Restart, empty: Restart): BenchRow {
  const grown = full.megabytes - empty.megabytes;
  return {
    work: "workerd's memory after the ledger's first answer",
    measured: `${full.megabytes.toFixed(0)} MB`,
    against: `${empty.megabytes.toFixed(0)} MB with one message`,
    ratio: full.megabytes / empty.megabytes,
    goal: "at most 20 MB more",
    met: grown <= 20,
  };
}

function latenessRows({ lastMs, deliveredMs }: Lateness, due: number): BenchRow[] {
  const none = { against: "", ratio: null };
  return [
    {
      ...none,
      work: `${count(due)} due at one moment: the last is released after`,
      measured: milliseconds(lastMs),
      goal: `at most ${GOAL_MS / 1_000} s`,
      met: lastMs <= GOAL_MS,
    },
    {
      ...none,
      work: "messages due at one moment: the last is delivered after",
      measured: milliseconds(deliveredMs),
      goal: null,
      met: null,
    },
  ];
}

function raceRows({ canceled, released, wrong, lateMs }: RaceResult, races: number): BenchRow[] {
  const none = { against: "", ratio: null };
  return [
    {
      ...none,
      work: `${count(races)} races of a cancel against the release`,
      measured: `${count(canceled)} canceled, ${count(released)} released`,
      goal: "exactly one winner in every race",
      met: wrong === 0 && canceled + released === races,
    },
    {
      ...none,
      work: "races: delay after the scheduled time, p50 and p99",
      measured: `${milliseconds(percentile(lateMs, 0.5))}, ${milliseconds(percentile(lateMs, 0.99))}`,
      goal: null,
      met: null,
    },
  ];
}

function count(number: number): string {
  return number.toLocaleString("en");
}
