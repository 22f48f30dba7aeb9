// `bench history`: measures how fast a team's ledger writes its log into chunks when its databases
// and other objects are on another continent (events/far-ledger.ts).
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchOptions } from "../bench-options.ts";
import { type AppendFeed, DATABASE_MS, FEED_PATH } from "../events/far-ledger.ts";
import { atLeast, type BenchResult } from "../harness/bench-result.ts";
import { callApi, createBenchWebhook } from "../harness/http-api.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { createTenant, VARS } from "../../harness/tenant.ts";
import { bundleWrapped } from "../../harness/worker-bundle.ts";
import { startWorker } from "../../harness/workerd.ts";

const EVENTS = { full: 300_000, quick: 30_000, smoke: 1_000 };
const EVENTS_A_MESSAGE = 2.35;
const DAY_SECONDS = 24 * 60 * 60;
const GOAL_MILLIONS = 12;
const LOOK_EVERY_MS = 100;
/** Events that are written before the measurement. Their writes create the tables of the days. */
const WARM_UP_EVENTS = 200;

export async function history({ size }: BenchOptions, cleanup: Cleanup): Promise<BenchResult> {
  const far = import.meta.resolve("../events/far-ledger.ts");
  const bundle = await bundleWrapped(cleanup, far, "added.withFeed(worker)", [
    "export const TeamLedger = added.farLedger(parts.TeamLedger);",
  ]);
  const worker = await startWorker(cleanup, bundle, { vars: VARS });
  await worker.sweep(Date.now());
  const team = await createTenant(worker);
  await createBenchWebhook(team, "https://hooks.example.com/");
  const write = async (events: number): Promise<number> => {
    const begun = performance.now();
    const feed: AppendFeed = { teamId: team.teamId, events };
    await callApi(team, "POST", FEED_PATH, feed);
    while (!(await worker.stores.isSettled(team.teamId))) await sleep(LOOK_EVERY_MS);
    return (performance.now() - begun) / 1_000;
  };
  await write(WARM_UP_EVENTS);
  const seconds = await write(EVENTS[size]);
  const perSecond = EVENTS[size] / seconds / EVENTS_A_MESSAGE;
  const millions = (perSecond * DAY_SECONDS) / 1e6;
  return {
    notes: [
      `${EVENTS[size]} events of one team, ${EVENTS_A_MESSAGE} for each message; a webhook ` +
        "subscribes to all of them but never answers",
      `each call of the ledger to a database waits ${DATABASE_MS} ms, and each to another object 30 ms`,
      "the events are appended by calls to the ledger, faster than they are written; the time " +
        "counts until all events are in chunks and dispatched",
    ],
    rows: [
      {
        work: "history of one team, a continent away",
        measured: `${millions.toFixed(1)} million messages a day`,
        ...atLeast(GOAL_MILLIONS, millions, " million"),
      },
    ],
  };
}
