// Collects the samples of GET /admin/metrics: the Metrics object's counters and gauges, the queues'
// backlog, the numbers of dead letters and of tracking hosts, and whether Cloudflare Access
// answers. If a source does not answer in time, its metrics are left out, and `postern_source_up`
// names it. The response still has all other metrics, because an operator needs them most during a
// failure.
import { sharedCore } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { logError } from "../../lib/log.ts";
import { SECOND_MS } from "../../limits.ts";
import { type QueueName, QUEUE_BINDINGS } from "../dead-letters/job-queues.ts";
import { countDeadLetters } from "../dead-letters/store.ts";
import { countHosts } from "../domains/tracking-hosts/store.ts";
import {
  type CounterMark,
  type Gauges,
  METRICS_OBJECT,
  type Reading,
  type Samples,
} from "../../rpc/metrics-calls.ts";
import { certificatesUrl, settingsOf } from "../../settings.ts";
import { flush } from "../../metrics/isolate-counts.ts";
import { type LabelsOf, type MetricName, series } from "../../operator/metric-table.ts";
import { objectOf } from "../../object-of.ts";

const SOURCE_TIMEOUT_MS = 2_000;

/** States of recipients without a final outcome. The ledgers report a gauge for each state. */
const STATES = ["waiting", "queued", "attempting", "deferred", "awaiting"] as const;

/** The gauge for each state of events in the ledgers' logs. */
const LOG_GAUGES = { unwritten: "unpaged", undelivered: "undelivered" } as const;

type MutableSamples = Record<string, number>;

export interface CollectedSamples {
  readonly samples: Samples;
  /** Past sums of the Metrics object's counters. Empty: the object did not answer. */
  readonly marks: readonly CounterMark[];
}

/** Sends this isolate's counts to the Metrics object, then collects the samples. Never rejects. */
export async function collect(env: Env, now: number): Promise<CollectedSamples> {
  const samples: MutableSamples = {};
  let marks: readonly CounterMark[] = [];
  const queues = Object.keys(QUEUE_BINDINGS) as QueueName[];
  await Promise.all([
    attempt(samples, "counters", async () => {
      await flush(env);
      const reading = await objectOf(env, "METRICS", METRICS_OBJECT).read(now);
      marks = reading.marks ?? [];
      return readingSamples(reading, now);
    }),
    attempt(samples, "database", async () => ({
      ...deadLetterSamples(queues, await countDeadLetters(sharedCore(env))),
      ...hostSamples(await countHosts(sharedCore(env))),
    })),
    ...accessOf(env).map((certificates) =>
      attempt(samples, "access", async () => {
        const { ok, status } = await fetch(certificates);
        if (!ok) throw new Error(`Access answered ${status} for its keys`);
        return {};
      }),
    ),
    ...queues.map((queue) =>
      attempt(samples, queue, async () =>
        queueSamples(queue, await env[QUEUE_BINDINGS[queue]].metrics(), now),
      ),
    ),
  ]);
  return { samples, marks };
}

/**
 * Returns the URL of Cloudflare Access's keys, which verify people's sign-ins. Returns an empty
 * list if only API keys can sign in.
 */
function accessOf(env: Env): string[] {
  const { access } = settingsOf(env);
  return access ? [certificatesUrl(access)] : [];
}

async function attempt(
  samples: MutableSamples,
  source: string,
  ask: () => Promise<Samples>,
): Promise<void> {
  const up = keyOf("postern_source_up", { source });
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
    samples[keyOf("postern_open_recipients", { state })] = gauges[state] ?? 0;
  for (const [state, gauge] of Object.entries(LOG_GAUGES))
    samples[keyOf("postern_log_events", { state })] = gauges[gauge] ?? 0;
  samples[keyOf("postern_ledgers_full")] = gauges["full"] ?? 0;
  samples[keyOf("postern_oldest_undelivered_seconds")] = ageOf(gauges, "oldestAcceptedAt", now);
  samples[keyOf("postern_stuck_recipients")] = gauges["stuck"] ?? 0;
  samples[keyOf("postern_holds")] = gauges["holds"] ?? 0;
  samples[keyOf("postern_leaving_recipients")] = gauges["leaving"] ?? 0;
  samples[keyOf("postern_webhook_pending_batches")] = gauges["webhookPending"] ?? 0;
  samples[keyOf("postern_webhook_lag_seconds")] = ageOf(gauges, "webhookOldestAt", now);
  return samples;
}

function deadLetterSamples(
  queues: readonly QueueName[],
  counted: ReadonlyMap<string, number>,
): Samples {
  return Object.fromEntries(
    queues.map((queue) => [keyOf("postern_dead_letters", { queue }), counted.get(queue) ?? 0]),
  );
}

function hostSamples(counted: Awaited<ReturnType<typeof countHosts>>): Samples {
  return Object.fromEntries(
    Object.entries(counted).map(([state, count]) => [
      keyOf("postern_tracking_hosts", { state }),
      count,
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
    [keyOf("postern_queue_backlog_messages", { queue })]: backlogCount,
    [keyOf("postern_queue_oldest_seconds", { queue })]:
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

/** Returns a sample's key. The compiler checks the name and the labels. */
function keyOf<Name extends MetricName>(
  name: Name,
  labels: LabelsOf<Name> = {} as LabelsOf<Name>,
): string {
  return series(name, labels);
}
