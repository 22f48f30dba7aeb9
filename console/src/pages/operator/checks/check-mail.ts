// Judges the deployment by what an operator watches (docs/operating.md §Alerts): each check has its
// number, and a sentence with its evidence if it needs a hand. Pure.
import { formatCount, formatDuration, formatShare } from "../../parts/figures.ts";
import type { Tone } from "../../parts/tone.ts";
import {
  describeState,
  evidenceOf,
  fateOfMail,
  sinceOf,
  type WatchedDeployment,
} from "./gateway-watch.ts";
import { gainOf, type Look, samplesOf, sumOf } from "./metrics/metric-figures.ts";
import type { Family } from "./metrics/metrics-text.ts";

type OperatorPlace =
  | "/operator/couriers"
  | "/operator/dead-letters"
  | "/operator/metrics"
  | "/operator/shards"
  | "/operator/teams";

export interface Check {
  readonly id: string;
  readonly name: string;
  /** The number with its unit. */
  readonly value: string;
  /** `ok`: it is as it should be; `mute`: it is only told, or unknown. */
  readonly tone: Extract<Tone, "ok" | "wait" | "bad" | "mute">;
  /** Says what the number is. */
  readonly means: string;
  /** Says why it needs a hand; empty: it needs none. */
  readonly says: string;
  /** The value that was read. */
  readonly evidence: string;
  readonly to: OperatorPlace;
  readonly act: string;
}

const GREYLIST_S = 72 * 3_600;
const LATE_S = 3_600;
const DELIVER_LATE_S = 120;
const UNDELIVERED_EVENTS = 10_000;
const UNPAGED_EVENTS = 1_000_000;
const FAULT_SHARE = 0.01;
const UNKNOWN = "unknown";

const LETTERS_MEAN: Readonly<Record<string, string>> = {
  "postern-deliver": "Usually harmless: the ledgers offer their open messages again by themselves.",
  "postern-webhook": "Usually harmless: the webhooks’ outboxes wake by themselves.",
  "postern-dns-cleanup":
    "Records of deleted domains are still in the zone. Repair the access to the DNS API, then requeue.",
};

/** Says what a dead letter of the queue means. */
export function meaningOfQueue(queue: string): string {
  return LETTERS_MEAN[queue] ?? "";
}

/** Returns the checks that need a hand, the worst first. */
export function concernsAmong(checks: readonly Check[]): Check[] {
  const needy = checks.filter(({ tone }) => tone === "bad" || tone === "wait");
  return needy.toSorted(
    (left, right) => Number(right.tone === "bad") - Number(left.tone === "bad"),
  );
}

export function checkGateways(deployment: WatchedDeployment): Check[] {
  const { gateways } = deployment;
  return gateways.map((gateway): Check => {
    const isDown = gateway.state !== "agreed";
    const share = gateways.length === 1 ? "" : ` (one of ${gateways.length})`;
    return {
      id: `gateway ${gateway.url}`,
      name: `Gateway ${hostOf(gateway.url)}`,
      value: gateway.state,
      tone: isDown ? "bad" : "ok",
      means: `It ${describeState(gateway)}.`,
      says: isDown
        ? `The gateway ${hostOf(gateway.url)}${share} ${describeState(gateway)}. ${fateOfMail(deployment)}`
        : "",
      evidence: `${evidenceOf(gateway)} (${sinceOf(gateway)})`,
      to: "/operator/couriers",
      act: "Gateways",
    };
  });
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Judges the last look. Counters are judged by what they gained since the first one. */
export function checkMetrics(looks: readonly Look[]): Check[] {
  const families = looks.at(-1)?.families ?? [];
  return [
    ...checkSources(families),
    checkStuck(families),
    checkWaiting(families),
    checkOldest(families),
    checkLedgers(families),
    ...checkLog(families),
    ...checkQueues(families),
    ...checkLetters(families),
    checkWebhooks(families),
    checkFaults(looks),
  ];
}

function checkSources(families: readonly Family[]): Check[] {
  return samplesOf(families, "postern_source_up")
    .filter(({ value }) => value === 0)
    .map(({ labels: { source = "" } }): Check => ({
      id: `source ${source}`,
      name: `Source ${source}`,
      value: "no answer",
      tone: "bad",
      means: "A source of these numbers.",
      says: `The numbers of ${source} are missing: it did not answer within 2 seconds.`,
      evidence: `postern_source_up{source="${source}"} 0`,
      to: "/operator/metrics",
      act: "Metrics",
    }));
}

interface Limit {
  readonly id: string;
  readonly name: string;
  readonly metric: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly format?: (value: number) => string;
  /** A value above it needs a hand. */
  readonly above: number;
  readonly tone: "wait" | "bad";
  readonly bad: (text: string, value: number) => string;
  readonly good: string;
  readonly to?: OperatorPlace;
  readonly act?: string;
}

function checkLimit(families: readonly Family[], limit: Limit): Check {
  const { id, name, metric, labels, format = formatCount, above, tone, bad, good } = limit;
  const value = sumOf(families, metric, labels);
  const braces = Object.entries(labels ?? {}).map(([label, text]) => `${label}="${text}"`);
  const isOver = value !== null && value > above;
  const text = value === null ? UNKNOWN : format(value);
  return {
    id,
    name,
    value: text,
    tone: value === null ? "mute" : isOver ? tone : "ok",
    means: good,
    says: isOver ? bad(text, value) : "",
    evidence: `${metric}${braces.length > 0 ? `{${braces.join(",")}}` : ""} ${value ?? "is missing"}`,
    to: limit.to ?? "/operator/metrics",
    act: limit.act ?? "Metrics",
  };
}

function plural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function seconds(value: number): string {
  return formatDuration(value * 1_000);
}

function checkStuck(families: readonly Family[]): Check {
  return checkLimit(families, {
    id: "stuck",
    name: "Stuck recipients",
    metric: "postern_stuck_recipients",
    above: 0,
    tone: "bad",
    bad: (_, value) =>
      `${plural(value, "recipient is", "recipients are")} stuck: released 10 minutes ago or more, and still without a first outcome. The ledgers offer them again for 72 hours, so nothing is lost; a gateway that is down is the usual reason.`,
    good: "Released 10 minutes ago or more, without a first outcome.",
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
    name: "Recipients that wait",
    value: total === null ? UNKNOWN : formatCount(total),
    tone: total === null ? "mute" : "ok",
    means: `Recipients without a last outcome: ${states.join(", ") || "none"}.`,
    says: "",
    evidence: `${metric} ${total ?? "is missing"}`,
    to: "/operator/metrics",
    act: "Metrics",
  };
}

function checkOldest(families: readonly Family[]): Check {
  return checkLimit(families, {
    id: "oldest",
    name: "Oldest undelivered message",
    metric: "postern_oldest_undelivered_seconds",
    format: seconds,
    above: GREYLIST_S,
    tone: "wait",
    bad: (value) =>
      `The oldest undelivered message is ${value} old, longer than the 72 hours that mail is tried for.`,
    good: "Mail that a server defers may wait for 72 hours.",
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
      `${plural(value, "ledger holds", "ledgers hold")} 8 GB: the sends of their teams are answered 502 until events are written away.`,
    good: "Ledgers with 8 GB, which answer sends with 502.",
    to: "/operator/shards",
    act: "Shards",
  });
}

function checkLog(families: readonly Family[]): Check[] {
  return [
    checkLimit(families, {
      id: "undelivered",
      name: "Events not handed over",
      metric: "postern_log_events",
      labels: { state: "undelivered" },
      above: UNDELIVERED_EVENTS,
      tone: "wait",
      bad: (value) => `${value} events are not handed over to webhooks and suppressions yet.`,
      good: "Events that webhooks and suppressions have not received yet.",
    }),
    checkLimit(families, {
      id: "unpaged",
      name: "Events not written away",
      metric: "postern_log_events",
      labels: { state: "unpaged" },
      above: UNPAGED_EVENTS,
      tone: "wait",
      bad: (value) =>
        `${value} events are in no database yet: a shard is down or slow, and the ledgers keep them meanwhile.`,
      good: "Events in no database yet. A quiet team keeps up to 63 until its day is over.",
      to: "/operator/shards",
      act: "Shards",
    }),
    checkLimit(families, {
      id: "set aside",
      name: "Events set aside",
      metric: "postern_log_set_aside_total",
      above: 0,
      tone: "wait",
      bad: (_, value) =>
        `The hand-over of ${plural(value, "row", "rows")} of the logs failed for good: no webhook and no suppression received their events. The worker’s log names them.`,
      good: "Rows whose hand-over failed for good.",
    }),
  ];
}

function checkQueues(families: readonly Family[]): Check[] {
  return samplesOf(families, "postern_queue_oldest_seconds").map(({ labels: { queue = "" } }) => {
    const backlog = sumOf(families, "postern_queue_backlog_messages", { queue });
    const waiting = `${backlog === null ? UNKNOWN : formatCount(backlog)} messages wait in it`;
    return checkLimit(families, {
      id: `queue ${queue}`,
      name: `Queue ${queue}`,
      metric: "postern_queue_oldest_seconds",
      labels: { queue },
      format: (age) => (backlog === 0 ? "empty" : `${formatCount(backlog ?? 0)}, ${seconds(age)}`),
      above: queue === "postern-deliver" ? DELIVER_LATE_S : LATE_S,
      tone: queue === "postern-deliver" ? "bad" : "wait",
      bad: () => `The queue ${queue} is late: ${waiting}, and its consumer does not keep up.`,
      good: `Number of messages, and age of the oldest. ${waiting}.`,
    });
  });
}

function checkLetters(families: readonly Family[]): Check[] {
  return samplesOf(families, "postern_dead_letters").map(({ labels: { queue = "" } }) =>
    checkLimit(families, {
      id: `letters ${queue}`,
      name: `Dead letters of ${queue}`,
      metric: "postern_dead_letters",
      labels: { queue },
      above: 0,
      tone: queue === "postern-dns-cleanup" ? "bad" : "wait",
      bad: (_, value) =>
        `${queue} gave up ${plural(value, "job", "jobs")}. ${meaningOfQueue(queue)}`,
      good: "Jobs that the queue gave up.",
      to: "/operator/dead-letters",
      act: "Dead letters",
    }),
  );
}

function checkWebhooks(families: readonly Family[]): Check {
  const batches = sumOf(families, "postern_webhook_pending_batches");
  return checkLimit(families, {
    id: "webhooks",
    name: "Latest webhook",
    metric: "postern_webhook_lag_seconds",
    format: seconds,
    above: LATE_S,
    tone: "wait",
    bad: (value) =>
      `The oldest of ${formatCount(batches ?? 0)} webhook batches has waited for ${value}. More often a customer’s receiver fails than something of yours; the worker’s log names it.`,
    good: `Age of the oldest batch that was not delivered. ${formatCount(batches ?? 0)} wait.`,
  });
}

function checkFaults(looks: readonly Look[]): Check {
  const metric = "postern_http_requests_total";
  const faults = gainOf(looks, metric, { status: "5xx" });
  const all = gainOf(looks, metric) ?? 0;
  const total = sumOf(looks.at(-1)?.families ?? [], metric, { status: "5xx" }) ?? 0;
  const span = (looks.at(-1)?.at ?? 0) - (looks[0]?.at ?? 0);
  const isOver = faults !== null && faults > 0 && faults / all > FAULT_SHARE;
  return {
    id: "faults",
    name: "Faults (5xx)",
    value: faults === null ? "watching" : formatCount(faults),
    tone: faults === null ? "mute" : isOver ? "bad" : faults > 0 ? "wait" : "ok",
    means: `Answers with 5xx while this page looks. ${formatCount(total)} were counted in all.`,
    says:
      faults === null || faults === 0
        ? ""
        : `${formatCount(faults)} of ${formatCount(all)} requests (${formatShare(faults, all)}) of the last ${formatDuration(span)} were answered with a fault.`,
    evidence: `${metric}{status="5xx"} ${total}`,
    to: "/operator/metrics",
    act: "Metrics",
  };
}
