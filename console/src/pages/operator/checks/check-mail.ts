// Judges the mail and the events that are not processed yet (docs/metrics-and-alerts.md §Metrics,
// docs/operating.md §Stuck). Pure.
import { formatCount } from "../../../parts/figures.ts";
import { samplesOf, sumOf } from "../metrics/metric-figures.ts";
import type { Family } from "../metrics/metrics-text.ts";
import { age, type Check, checkLimit, type Limit, plural, UNKNOWN } from "./operator-check.ts";

/** The time for which delivery is retried. */
const OLDEST_S = 72 * 3_600;
const UNDELIVERED_EVENTS = 10_000;
const UNPAGED_EVENTS = 1_000_000;

/** The display names of the states, as the page "Usage" shows them. */
const STATES: Readonly<Record<string, string>> = {
  waiting: "rate-limited",
  attempting: "sending",
  deferred: "delayed",
  awaiting: "unconfirmed",
};

const LIMITS: readonly Limit[] = [
  {
    id: "stuck",
    name: "Stuck recipients",
    metric: "postern_stuck_recipients",
    above: 0,
    tone: "bad",
    bad: (_, value) =>
      `${plural(value, "recipient has", "recipients have")} been waiting for more than 15 minutes for a first delivery attempt. No mail is lost: the service keeps trying for 72 hours. The usual cause is a gateway that is down.`,
    good: "Recipients whose first delivery attempt is more than 15 minutes overdue.",
    to: "/operator/delivery",
    act: "Gateways",
  },
  {
    id: "oldest",
    name: "Oldest pending message",
    metric: "postern_oldest_undelivered_seconds",
    format: age,
    above: OLDEST_S,
    tone: "wait",
    bad: (value) =>
      `The oldest pending message is ${value} old, but delivery should end after 72 hours.`,
    good: "Delayed mail is retried for up to 72 hours.",
  },
  {
    id: "ledgers",
    name: "Teams with full storage",
    metric: "postern_ledgers_full",
    above: 0,
    tone: "bad",
    bad: (_, value) =>
      `${plural(value, "team has", "teams have")} used up 8 GB of storage for pending mail and recent events. Sends fail with 502 until events have moved to the database.`,
    good: "At 8 GB of pending mail and recent events, a team’s sends fail with 502.",
    to: "/operator/shards",
    act: "Shards",
  },
  {
    id: "undelivered",
    name: "Events to process",
    metric: "postern_log_events",
    labels: { state: "undelivered" },
    above: UNDELIVERED_EVENTS,
    tone: "wait",
    bad: (value) => `${value} events have not reached the webhooks and the suppression list yet.`,
    good: "Events that have not reached the webhooks and the suppression list yet.",
  },
  {
    id: "unpaged",
    name: "Events to store",
    metric: "postern_log_events",
    labels: { state: "unpaged" },
    above: UNPAGED_EVENTS,
    tone: "wait",
    bad: (value) =>
      `${value} events have not been written to the database: a shard is down or slow. No event is lost.`,
    good: "Each team’s events are written to the database in groups of 64. The rest of a day’s events follow after midnight UTC.",
    to: "/operator/shards",
    act: "Shards",
  },
  {
    id: "set aside",
    name: "Failed groups of events",
    metric: "postern_log_set_aside_total",
    above: 0,
    tone: "wait",
    bad: (_, value) =>
      `${plural(value, "group", "groups")} of events could not be processed, so they did not reach the webhooks or the suppression list. The worker’s log has the details.`,
    good: "Groups of up to 64 events that did not reach the webhooks or the suppression list.",
  },
];

export function checkMail(families: readonly Family[]): Check[] {
  return [checkPending(families), ...LIMITS.map((limit) => checkLimit(families, limit))];
}

function checkPending(families: readonly Family[]): Check {
  const metric = "postern_open_recipients";
  const total = sumOf(families, metric);
  const states = samplesOf(families, metric)
    .filter(({ value }) => value > 0)
    .map(({ labels: { state }, value }) => `${formatCount(value)} ${STATES[state ?? ""] ?? state}`);
  return {
    id: "pending",
    name: "Pending recipients",
    value: total === null ? UNKNOWN : formatCount(total),
    tone: total === null ? "mute" : "ok",
    means: `Recipients without a final outcome: ${states.join(", ") || "none"}.`,
    says: "",
    evidence: `${metric} ${total ?? "is missing"}`,
    to: "/operator/metrics",
    act: "Metrics",
  };
}
