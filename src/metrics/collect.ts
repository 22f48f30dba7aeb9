// Gathers what GET /admin/metrics shows: the Metrics object's counters and gauges, the queues' own
// backlog, and the dead letters on record. A source that does not answer in time leaves out its
// metrics and is named in `postern_source_up`: the rest is needed most just then.
import type { Env } from "../env.ts";
import { withTimeout } from "../lib/with-timeout.ts";
import { logError } from "../lib/log.ts";
import { QUEUE_BINDINGS, type QueueName } from "../resources/dead-letters/job-queues.ts";
import { countDeadLetters } from "../resources/dead-letters/store.ts";
import { type Gauges, METRICS_OBJECT, type Reading } from "./metrics-contract.ts";
import { flush } from "./isolate-counts.ts";
import { type MetricName, type Samples, series } from "./definitions.ts";

const SOURCE_TIMEOUT_MS = 2_000;
const SECOND_MS = 1_000;

/** A ledger's gauges that are recipients in its outbox, by state. */
const STATES = ["waiting", "queued", "attempting", "deferred"] as const;

/** And those that are events in its log. */
const LOG_STATES = ["unpaged", "undelivered"] as const;

type MutableSamples = Record<string, number>;

/** What this isolate still has is handed over first. Never rejects. */
export async function collect(env: Env, now: number): Promise<Samples> {
  const samples: MutableSamples = {};
  const queues = Object.keys(QUEUE_BINDINGS) as QueueName[];
  await Promise.all([
    attempt(samples, "counters", async () => {
      await flush(env);
      return readingSamples(await env.METRICS.getByName(METRICS_OBJECT).read(now), now);
    }),
    attempt(samples, "database", async () =>
      deadLetterSamples(queues, await countDeadLetters(env.DB)),
    ),
    ...queues.map((queue) =>
      attempt(samples, queue, async () =>
        queueSamples(queue, await env[QUEUE_BINDINGS[queue]].metrics(), now),
      ),
    ),
  ]);
  return samples;
}

async function attempt(
  samples: MutableSamples,
  source: string,
  ask: () => Promise<Samples>,
): Promise<void> {
  const up = series(named("postern_source_up"), { source });
  try {
    Object.assign(samples, await withTimeout(SOURCE_TIMEOUT_MS, ask), { [up]: 1 });
  } catch (error) {
    logError("metrics_source_silent", error, { source });
    samples[up] = 0;
  }
}

function readingSamples({ counters, gauges }: Reading, now: number): Samples {
  const samples: MutableSamples = { ...counters };
  for (const state of STATES)
    samples[series(named("postern_outbox_recipients"), { state })] = gauges[state] ?? 0;
  for (const state of LOG_STATES)
    samples[series(named("postern_log_events"), { state })] = gauges[state] ?? 0;
  samples[named("postern_ledgers_full")] = gauges["full"] ?? 0;
  samples[named("postern_oldest_undelivered_seconds")] = ageOf(gauges, "oldestAcceptedAt", now);
  samples[named("postern_stuck_recipients")] = gauges["stuck"] ?? 0;
  samples[named("postern_webhook_pending_batches")] = gauges["webhookPending"] ?? 0;
  samples[named("postern_webhook_lag_seconds")] = ageOf(gauges, "webhookOldestAt", now);
  return samples;
}

function deadLetterSamples(
  queues: readonly QueueName[],
  counted: ReadonlyMap<string, number>,
): Samples {
  return Object.fromEntries(
    queues.map((queue) => [
      series(named("postern_dead_letters"), { queue }),
      counted.get(queue) ?? 0,
    ]),
  );
}

function queueSamples(
  queue: QueueName,
  { backlogCount, oldestMessageTimestamp }: QueueMetrics,
  now: number,
): Samples {
  const oldestAt = backlogCount > 0 ? oldestMessageTimestamp?.getTime() : undefined;
  return {
    [series(named("postern_queue_backlog_messages"), { queue })]: backlogCount,
    [series(named("postern_queue_oldest_seconds"), { queue })]:
      oldestAt === undefined ? 0 : secondsSince(oldestAt, now),
  };
}

function ageOf(gauges: Gauges, name: string, now: number): number {
  const at = gauges[name];
  return at === undefined ? 0 : secondsSince(at, now);
}

function secondsSince(at: number, now: number): number {
  return Math.max(0, (now - at) / SECOND_MS);
}

/** Has the compiler know each name. */
function named(name: MetricName): MetricName {
  return name;
}
