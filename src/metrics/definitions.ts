// Defines every metric of GET /admin/metrics, in the order of that answer
// (docs/metrics-and-alerts.md §Metrics). A metric never has a label for a team, an address or a
// domain, because there would be as many series as teams, addresses or domains. Pure.

interface Definition {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** Names of the labels. A counter without labels is shown as 0 before its first count. */
  readonly labels?: readonly string[];
}

export const DEFINITIONS = {
  postern_accepted_total: {
    type: "counter",
    help: "Recipients accepted for delivery.",
  },
  postern_delivered_total: {
    type: "counter",
    help: "Recipients whose mail server accepted the message.",
  },
  postern_delayed_total: {
    type: "counter",
    help: "Delivery attempts that were delayed and will be retried.",
  },
  postern_bounced_total: {
    type: "counter",
    help: "Bounces by type and class, including those reported after delivery.",
    labels: ["type", "class"],
  },
  postern_suppressed_total: {
    type: "counter",
    help: "Recipients that got no mail because they are suppressed.",
  },
  postern_complained_total: {
    type: "counter",
    help: "Spam complaints received.",
  },
  postern_open_recipients: {
    type: "gauge",
    help: "Accepted recipients without a final outcome, by state.",
    labels: ["state"],
  },
  postern_oldest_undelivered_seconds: {
    type: "gauge",
    help: "Age of the oldest message that is still pending, including delayed mail.",
  },
  postern_stuck_recipients: {
    type: "gauge",
    help: "Recipients whose first delivery attempt is more than 15 minutes overdue.",
  },
  postern_leaving_recipients: {
    type: "gauge",
    help: "Recipients whose mail may still be with a gateway listed in EGRESS_LEAVING.",
  },
  postern_log_events: {
    type: "gauge",
    help:
      "Recent events: `unpaged` are not in the database yet, `undelivered` have not reached " +
      "webhooks and suppressions.",
    labels: ["state"],
  },
  postern_log_set_aside_total: {
    type: "counter",
    help: "Groups of up to 64 events that will not reach webhooks and suppressions.",
  },
  postern_ledgers_full: {
    type: "gauge",
    help: "Teams whose storage is full (8 GB). Their sends fail with 502.",
  },
  postern_queue_backlog_messages: {
    type: "gauge",
    help: "Messages waiting in each queue.",
    labels: ["queue"],
  },
  postern_queue_oldest_seconds: {
    type: "gauge",
    help: "Age of the oldest message in each queue; 0 if the queue is empty.",
    labels: ["queue"],
  },
  postern_dead_letters: {
    type: "gauge",
    help: "Stored dead letters by queue.",
    labels: ["queue"],
  },
  postern_dead_lettered_total: {
    type: "counter",
    help: "Jobs that failed every attempt, by queue.",
    labels: ["queue"],
  },
  postern_webhook_pending_batches: {
    type: "gauge",
    help: "Webhook batches not yet delivered, including those of paused webhooks.",
  },
  postern_webhook_lag_seconds: {
    type: "gauge",
    help: "Age of the oldest webhook batch not yet delivered.",
  },
  postern_http_requests_total: {
    type: "counter",
    help: "Requests by API surface and status class.",
    labels: ["surface", "status"],
  },
  postern_http_request_duration_seconds: {
    type: "histogram",
    help: "Time from the arrival of a request to the start of its response.",
    labels: ["surface"],
  },
  postern_source_up: {
    type: "gauge",
    help: "1 if the data source answered; 0 if it did not, and its metrics are missing.",
    labels: ["source"],
  },
} as const satisfies Readonly<Record<string, Definition>>;

export type MetricName = keyof typeof DEFINITIONS;
export type CounterName = {
  [Name in MetricName]: (typeof DEFINITIONS)[Name]["type"] extends "counter" ? Name : never;
}[MetricName];
export type HistogramName = {
  [Name in MetricName]: (typeof DEFINITIONS)[Name]["type"] extends "histogram" ? Name : never;
}[MetricName];

/** The names of a metric's labels. The compiler finds misspelled names. */
export type LabelsOf<Name extends MetricName> = Readonly<
  Record<
    (typeof DEFINITIONS)[Name] extends { labels: readonly (infer Label extends string)[] }
      ? Label
      : never,
    string
  >
>;

/** Upper bounds of the buckets of a histogram, in seconds. Slower requests count in +Inf only. */
export const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

type Labels = Readonly<Record<string, string>>;

/** Characters that must be escaped in a label's value. */
const ESCAPED = /[\\"\n]/;

/** Returns a sample's key as the exposition format writes it. */
export function series(name: string, labels: Labels = {}): string {
  let pairs = "";
  for (const label in labels)
    pairs += `${pairs === "" ? "" : ","}${label}="${escapeLabel(labels[label] ?? "")}"`;
  return pairs === "" ? name : `${name}{${pairs}}`;
}

function escapeLabel(value: string): string {
  if (!ESCAPED.test(value)) return value;
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
