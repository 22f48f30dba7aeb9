// Defines every metric of GET /admin/metrics, in the order in which it shows them
// (docs/operating.md §Metrics). A metric never has a label for a team, an address or a domain,
// because there would be as many series as teams, addresses or domains. Pure.

interface Definition {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** True: the metric is shown as 0 before anything was counted. */
  readonly bare?: true;
}

export const DEFINITIONS = {
  postern_accepted_total: {
    type: "counter",
    help: "Recipients whose message was accepted.",
    bare: true,
  },
  postern_delivered_total: {
    type: "counter",
    help: "Recipients whose mail server took the message.",
    bare: true,
  },
  postern_delayed_total: { type: "counter", help: "Attempts that will be repeated.", bare: true },
  postern_bounced_total: {
    type: "counter",
    help: "Bounces, by type and class; also those that came as reports.",
  },
  postern_suppressed_total: {
    type: "counter",
    help: "Recipients who were not mailed because they are suppressed.",
    bare: true,
  },
  postern_complained_total: {
    type: "counter",
    help: "Complaints that came as reports.",
    bare: true,
  },
  postern_open_recipients: {
    type: "gauge",
    help: "Recipients without a last outcome, by what they wait for.",
  },
  postern_oldest_undelivered_seconds: {
    type: "gauge",
    help: "Age of the oldest message with such a recipient, deferred ones included.",
  },
  postern_stuck_recipients: {
    type: "gauge",
    help: "Recipients released 15 minutes ago or more whose first attempt has no outcome.",
  },
  postern_leaving_recipients: {
    type: "gauge",
    help: "Recipients whose copy a gateway of EGRESS_LEAVING has or may have.",
  },
  postern_log_events: {
    type: "gauge",
    help:
      "Events in the ledgers' logs that are in no page yet, or not handed over to webhooks and " +
      "suppressions.",
  },
  postern_log_set_aside_total: {
    type: "counter",
    help: "Rows of the ledgers' logs whose hand-over failed for good.",
    bare: true,
  },
  postern_ledgers_full: { type: "gauge", help: "Ledgers at 8 GB, which refuse sends with 502." },
  postern_queue_backlog_messages: { type: "gauge", help: "Messages that wait in a queue." },
  postern_queue_oldest_seconds: {
    type: "gauge",
    help: "Age of a queue's oldest message; 0 when none waits.",
  },
  postern_dead_letters: {
    type: "gauge",
    help: "Dead letters on record, by the queue that gave up.",
  },
  postern_dead_lettered_total: { type: "counter", help: "Jobs that a queue gave up, by queue." },
  postern_webhook_pending_batches: {
    type: "gauge",
    help: "Webhook batches that are not delivered yet, those behind an open circuit included.",
  },
  postern_webhook_lag_seconds: { type: "gauge", help: "Age of the oldest of them." },
  postern_http_requests_total: {
    type: "counter",
    help: "Requests, by where they go and the class of their status.",
  },
  postern_http_request_duration_seconds: {
    type: "histogram",
    help: "Time from a request's arrival to its response's start.",
  },
  postern_source_up: {
    type: "gauge",
    help: "Whether a source of these numbers answered: 0 means that its metrics are missing.",
  },
} as const satisfies Readonly<Record<string, Definition>>;

export type MetricName = keyof typeof DEFINITIONS;
export type CounterName = {
  [Name in MetricName]: (typeof DEFINITIONS)[Name]["type"] extends "counter" ? Name : never;
}[MetricName];
export type HistogramName = {
  [Name in MetricName]: (typeof DEFINITIONS)[Name]["type"] extends "histogram" ? Name : never;
}[MetricName];

/** Upper bounds in seconds. Slower requests count into +Inf only. */
export const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

type Labels = Readonly<Record<string, string>>;

/** Characters that a label's value must not contain as they are. */
const ESCAPED = /[\\"\n]/;

/** Returns a sample's key, in the form of the exposition. */
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
