// Judges the queues, their dead letters and the webhooks (docs/operating.md §Alerts). Pure.
import { formatCount } from "../../../parts/figures.ts";
import { samplesOf, sumOf } from "../metrics/metric-figures.ts";
import type { Family } from "../metrics/metrics-text.ts";
import { type Check, checkLimit, plural, seconds, UNKNOWN } from "./operator-check.ts";

const LATE_S = 3_600;
const DELIVER_LATE_S = 120;

const LETTERS_MEAN: Readonly<Record<string, string>> = {
  "postern-deliver": "Usually harmless: each team’s ledger retries its open messages.",
  "postern-webhook": "Usually harmless: webhook deliveries are retried on their own.",
  "postern-dns-cleanup":
    "DNS records of deleted domains are still in the zone. Restore access to the DNS API, then requeue.",
};

/** Says what a dead letter of the queue means. */
export function meaningOfQueue(queue: string): string {
  return LETTERS_MEAN[queue] ?? "";
}

export function checkQueues(families: readonly Family[]): Check[] {
  return samplesOf(families, "postern_queue_oldest_seconds").map(({ labels: { queue = "" } }) => {
    const backlog = sumOf(families, "postern_queue_backlog_messages", { queue });
    const waiting = `${backlog === null ? UNKNOWN : formatCount(backlog)} messages waiting`;
    return checkLimit(families, {
      id: `queue ${queue}`,
      name: `Queue ${queue}`,
      metric: "postern_queue_oldest_seconds",
      labels: { queue },
      format: (age) => (backlog === 0 ? "empty" : `${formatCount(backlog ?? 0)}, ${seconds(age)}`),
      above: queue === "postern-deliver" ? DELIVER_LATE_S : LATE_S,
      tone: queue === "postern-deliver" ? "bad" : "wait",
      bad: (_, age) =>
        `The queue ${queue} is falling behind: ${waiting}, the oldest for ${seconds(age)}.`,
      good: `Messages waiting, and the age of the oldest.`,
    });
  });
}

export function checkLetters(families: readonly Family[]): Check[] {
  return samplesOf(families, "postern_dead_letters").map(({ labels: { queue = "" } }) =>
    checkLimit(families, {
      id: `letters ${queue}`,
      name: `Dead letters of ${queue}`,
      metric: "postern_dead_letters",
      labels: { queue },
      above: 0,
      tone: queue === "postern-dns-cleanup" ? "bad" : "wait",
      bad: (_, value) =>
        `${queue} gave up on ${plural(value, "job", "jobs")}. ${meaningOfQueue(queue)}`,
      good: "Jobs that failed on every attempt.",
      to: "/operator/dead-letters",
      act: "Dead letters",
    }),
  );
}

export function checkWebhooks(families: readonly Family[]): Check {
  const batches = sumOf(families, "postern_webhook_pending_batches");
  const pending = plural(batches ?? 0, "batch is", "batches are");
  return checkLimit(families, {
    id: "webhooks",
    name: "Webhook delay",
    metric: "postern_webhook_lag_seconds",
    format: seconds,
    above: LATE_S,
    tone: "wait",
    bad: (value) =>
      `The oldest undelivered webhook batch has waited for ${value}; ${pending} pending. The cause is usually a customer’s endpoint that fails; the worker’s log names it.`,
    good: `Age of the oldest undelivered batch. ${formatCount(batches ?? 0)} pending.`,
  });
}
