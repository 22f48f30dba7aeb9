// Defines every metric of GET /admin/metrics, in the order of that answer
// (docs/metrics-and-alerts.md §Metrics). A metric never has a label for a team, an address or a
// domain, because each of them would be a series of its own. Pure.

export interface MetricEntry {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** Names of the labels. A counter without labels shows 0 before its first count. */
  readonly labels?: readonly string[];
}

export const DEFINITIONS = {
  postern_accepted_total: {
    type: "counter",
    help: "Recipients whose message was accepted. A replay is not counted.",
  },
  postern_delivered_total: {
    type: "counter",
    help: "Recipients whose mail server accepted the message.",
  },
  postern_delayed_total: {
    type: "counter",
    help: "Delivery attempts that were delayed and will be repeated.",
  },
  postern_bounced_total: {
    type: "counter",
    help:
      "Bounces by type (`permanent`, `transient`, `expired`) and class (or `none`), also " +
      "those that came as reports.",
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
    help:
      "Recipients without a final outcome, by state: `waiting`, `queued`, `attempting`, " +
      "`deferred`, `awaiting`.",
    labels: ["state"],
  },
  postern_oldest_undelivered_seconds: {
    type: "gauge",
    help: "Age of the oldest message with an open recipient.",
  },
  postern_stuck_recipients: {
    type: "gauge",
    help: "Recipients whose first delivery attempt is more than 15 minutes overdue.",
  },
  postern_holds: {
    type: "gauge",
    help: "Sending domains and accounts from which the provider takes no mail, summed over all teams.",
  },
  postern_leaving_recipients: {
    type: "gauge",
    help:
      "Recipients whose copy is, may be, or was in the last two minutes at a gateway of " +
      "EGRESS_LEAVING.",
  },
  postern_log_events: {
    type: "gauge",
    help:
      "Events in the ledgers' logs: `unwritten` are in no chunk of the database yet, " +
      "`undelivered` have not reached webhooks and suppressions.",
    labels: ["state"],
  },
  postern_log_set_aside_total: {
    type: "counter",
    help:
      "Groups of up to 64 events that a ledger stopped dispatching to webhooks and " +
      "suppressions.",
  },
  postern_ledgers_full: {
    type: "gauge",
    help:
      "Ledgers that have reached 8 GB. Their teams' sends get 502 until events are written " +
      "to D1.",
  },
  postern_queue_backlog_messages: {
    type: "gauge",
    help: "Messages that wait in each queue.",
    labels: ["queue"],
  },
  postern_queue_oldest_seconds: {
    type: "gauge",
    help: "Age of the oldest message in each queue; 0 if the queue is empty.",
    labels: ["queue"],
  },
  postern_dead_letters: {
    type: "gauge",
    help: "Dead letters on record, by queue.",
    labels: ["queue"],
  },
  postern_tracking_hosts: {
    type: "gauge",
    help:
      "Tracking hosts by state: `served`, `pending` (never served yet) or `broken` (links in sent " +
      "mail lead to it, and it is not served now). All are 0 while TRACKING_HOSTS is `direct`.",
    labels: ["state"],
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
    help: "Requests by surface and status: `2xx`, `3xx`, `4xx`, `5xx`.",
    labels: ["surface", "status"],
  },
  postern_unauthenticated_requests_total: {
    type: "counter",
    help: "Requests without a valid credential (401). They are in no team's log of requests.",
  },
  postern_http_request_duration_seconds: {
    type: "histogram",
    help: "Time from a request's arrival to the start of its response, by the worker's clock.",
    labels: ["surface"],
  },
  postern_source_up: {
    type: "gauge",
    help: "0: the source did not answer within 2 seconds, so its metrics are missing.",
    labels: ["source"],
  },
} as const satisfies Readonly<Record<string, MetricEntry>>;

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

/** Upper bounds of a histogram's buckets, in seconds. Slower requests count only in +Inf. */
export const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

type Labels = Readonly<Record<string, string>>;

/** Characters that must be escaped in a label's value. */
const ESCAPED = /[\\"\n]/;

/** Returns a sample's key in the exposition format. */
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
