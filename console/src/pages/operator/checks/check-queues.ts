// Judges the queues, their dead letters and the webhooks (docs/metrics-and-alerts.md §Alerts).
// Pure.
import { formatCount } from "../../../parts/figures.ts";
import { samplesOf, sumOf } from "../metrics/metric-figures.ts";
import type { Family } from "../metrics/metrics-text.ts";
import { age, type Check, checkLimit, plural } from "./operator-check.ts";

const LATE_S = 3_600;
const DELIVER_LATE_S = 120;

const LETTERS_MEAN: Readonly<Record<string, string>> = {
  "postern-deliver": "Usually harmless: the service retries pending messages on its own.",
  "postern-webhook": "Usually harmless: the service retries webhook deliveries on its own.",
  "postern-dns-cleanup":
    "DNS records of deleted domains are still in the zone. Restore access to the DNS API, then requeue the job.",
};

/** Explains what a dead letter of this queue means. */
export function meaningOfQueue(queue: string): string {
  return LETTERS_MEAN[queue] ?? "";
}

export function checkQueues(families: readonly Family[]): Check[] {
  return samplesOf(families, "postern_queue_oldest_seconds").map(({ labels: { queue = "" } }) => {
    const backlog = sumOf(families, "postern_queue_backlog_messages", { queue });
    const waiting = backlog === null ? "messages" : plural(backlog, "message", "messages");
    return checkLimit(families, {
      id: `queue ${queue}`,
      name: `Queue ${queue}`,
      metric: "postern_queue_oldest_seconds",
      labels: { queue },
      format: (oldest) =>
        backlog === 0 ? "empty" : `${formatCount(backlog ?? 0)}, oldest ${age(oldest)}`,
      above: queue === "postern-deliver" ? DELIVER_LATE_S : LATE_S,
      tone: queue === "postern-deliver" ? "bad" : "wait",
      bad: (_, oldest) =>
        `The queue ${queue} is falling behind: ${waiting} waiting, the oldest for ${age(oldest)}.`,
      good: "The number of queue messages that wait, and the age of the oldest.",
    });
  });
}

export function checkLetters(families: readonly Family[]): Check[] {
  return samplesOf(families, "postern_dead_letters").map(({ labels: { queue = "" } }) =>
    checkLimit(families, {
      id: `letters ${queue}`,
      name: `Dead letters in ${queue}`,
      metric: "postern_dead_letters",
      labels: { queue },
      above: 0,
      tone: queue === "postern-dns-cleanup" ? "bad" : "wait",
      bad: (_, value) =>
        `${plural(value, "job", "jobs")} in ${queue} failed every attempt. ${meaningOfQueue(queue)}`,
      good: "Jobs that failed every attempt.",
      to: "/operator/dead-letters",
      act: "Dead letters",
    }),
  );
}

export function checkWebhooks(families: readonly Family[]): Check {
  const batches = sumOf(families, "postern_webhook_pending_batches");
  const pending = plural(batches ?? 0, "batch is pending", "batches are pending");
  return checkLimit(families, {
    id: "webhooks",
    name: "Webhook delay",
    metric: "postern_webhook_lag_seconds",
    format: age,
    above: LATE_S,
    tone: "wait",
    bad: (value) =>
      `The oldest webhook batch has been waiting for ${value}; ${pending}. The usual cause is a customer’s endpoint that fails. The worker’s log names the webhook.`,
    good: `Age of the oldest batch that is not delivered yet; ${pending}.`,
  });
}
