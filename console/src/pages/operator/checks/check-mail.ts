// Judges the mail and the events that the ledgers hold (docs/operating.md §Metrics, §Stuck). Pure.
import { formatCount } from "../../../parts/figures.ts";
import { samplesOf, sumOf } from "../metrics/metric-figures.ts";
import type { Family } from "../metrics/metrics-text.ts";
import { type Check, checkLimit, plural, seconds, UNKNOWN } from "./operator-check.ts";

/** The time for which mail is tried. */
const OLDEST_S = 72 * 3_600;
const UNDELIVERED_EVENTS = 10_000;
const UNPAGED_EVENTS = 1_000_000;

export function checkMail(families: readonly Family[]): Check[] {
  return [
    checkStuck(families),
    checkWaiting(families),
    checkOldest(families),
    checkLedgers(families),
    ...checkLog(families),
  ];
}

function checkStuck(families: readonly Family[]): Check {
  return checkLimit(families, {
    id: "stuck",
    name: "Stuck recipients",
    metric: "postern_stuck_recipients",
    above: 0,
    tone: "bad",
    bad: (_, value) =>
      `${plural(value, "recipient is", "recipients are")} stuck: released at least 15 minutes ago, with no first attempt finished. Nothing is lost: they are retried for 72 hours. The usual cause is a gateway that is down.`,
    good: "Released at least 15 minutes ago, with no first attempt finished.",
    to: "/operator/couriers",
    act: "Gateways",
  });
}

function checkWaiting(families: readonly Family[]): Check {
  const metric = "postern_open_recipients";
  const total = sumOf(families, metric);
  const states = samplesOf(families, metric)
    .filter(({ value }) => value > 0)
    .map(({ labels: { state }, value }) => `${formatCount(value)} ${state}`);
  return {
    id: "waiting",
    name: "Open recipients",
    value: total === null ? UNKNOWN : formatCount(total),
    tone: total === null ? "mute" : "ok",
    means: `Recipients without a final outcome: ${states.join(", ") || "none"}.`,
    says: "",
    evidence: `${metric} ${total ?? "is missing"}`,
    to: "/operator/metrics",
    act: "Metrics",
  };
}

function checkOldest(families: readonly Family[]): Check {
  return checkLimit(families, {
    id: "oldest",
    name: "Oldest open message",
    metric: "postern_oldest_undelivered_seconds",
    format: seconds,
    above: OLDEST_S,
    tone: "wait",
    bad: (value) =>
      `The oldest open message is ${value} old, although mail is only tried for 72 hours.`,
    good: "Deferred mail is retried for up to 72 hours.",
  });
}

function checkLedgers(families: readonly Family[]): Check {
  return checkLimit(families, {
    id: "ledgers",
    name: "Full ledgers",
    metric: "postern_ledgers_full",
    above: 0,
    tone: "bad",
    bad: (_, value) =>
      `${plural(value, "ledger has", "ledgers have")} reached 8 GB: their teams’ sends fail with 502 until events are moved to the database.`,
    good: "Ledgers at 8 GB, which refuse sends with 502.",
    to: "/operator/shards",
    act: "Shards",
  });
}

function checkLog(families: readonly Family[]): Check[] {
  return [
    checkLimit(families, {
      id: "undelivered",
      name: "Events not yet processed",
      metric: "postern_log_events",
      labels: { state: "undelivered" },
      above: UNDELIVERED_EVENTS,
      tone: "wait",
      bad: (value) => `${value} events have not reached webhooks and suppressions yet.`,
      good: "Events that have not reached webhooks and suppressions.",
    }),
    checkLimit(families, {
      id: "unpaged",
      name: "Events not yet stored",
      metric: "postern_log_events",
      labels: { state: "unpaged" },
      above: UNPAGED_EVENTS,
      tone: "wait",
      bad: (value) =>
        `${value} events are not in a database yet: a shard is down or slow. The ledgers keep them until it is back.`,
      good: "Events that are not in a database yet. A quiet team keeps up to 63 until midnight UTC.",
      to: "/operator/shards",
      act: "Shards",
    }),
    checkLimit(families, {
      id: "set aside",
      name: "Events that failed",
      metric: "postern_log_set_aside_total",
      above: 0,
      tone: "wait",
      bad: (_, value) =>
        `${plural(value, "row of events", "rows of events")} could not be processed: no webhook and no suppression received them. The worker’s log names them.`,
      good: "Rows of events that webhooks and suppressions never received.",
    }),
  ];
}
