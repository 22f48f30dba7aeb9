// Defines every metric of GET /metrics, in the order of the response (docs/metrics-and-alerts.md
// §The gateway's metrics). No label has an address, a domain, a key or a host as its value, because
// each value would add a time series. The label `destination` has a limited number of values at a
// time. Pure.

interface Definition {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** Names of the labels. A counter without labels shows 0 until it counts its first event. */
  readonly labels?: readonly string[];
}

export const DEFINITIONS = {
  postern_gateway_outcomes_total: {
    type: "counter",
    help:
      "Delivery attempts: `delivered`, `deferred` (4xx) or `refused` (5xx) at a stage, or " +
      "`failed` for a cause.",
    labels: ["result", "at"],
  },
  postern_gateway_repeats_total: {
    type: "counter",
    help:
      "Repeated requests for an attempt, by where its outcome came from: `under_way`, " +
      "`memory` or `journal`.",
    labels: ["from"],
  },
  postern_gateway_asked_total: {
    type: "counter",
    help:
      "Questions about attempts by key, by their answer: `under_way`, `known` (the outcome), " +
      "`not_taken` (the queue position is reserved) or `never_heard`.",
    labels: ["answer"],
  },
  postern_gateway_not_taken_total: {
    type: "counter",
    help:
      "Messages returned to the worker before any transaction began: `memory`, `disk`, `waited` or " +
      "`draining`.",
    labels: ["why"],
  },
  postern_gateway_delivery_seconds: {
    type: "histogram",
    help: "Seconds from a message's arrival to its outcome, waiting included.",
  },
  postern_gateway_deliveries: { type: "gauge", help: "Deliveries that are running now." },
  postern_gateway_behind_dot: {
    type: "gauge",
    help:
      "Messages that a mail server has received whole but not answered. A draining gateway " +
      "waits for them, up to ten minutes.",
  },
  postern_gateway_connections: {
    type: "gauge",
    help: "Connections to mail servers: `busy`, `idle`, `opening`.",
    labels: ["state"],
  },
  postern_gateway_connections_opened_total: {
    type: "counter",
    help: "Connections to mail servers that were opened.",
  },
  postern_gateway_connections_failed_total: {
    type: "counter",
    help: "Connections that failed: `4xx`, `5xx` (the greeting), or a cause.",
    labels: ["why"],
  },
  postern_gateway_lanes: {
    type: "gauge",
    help: "Mail servers in use, counted for each IP pool.",
  },
  postern_gateway_waiting_messages: { type: "gauge", help: "Messages that wait for a connection." },
  postern_gateway_destination_connections: {
    type: "gauge",
    help: "Open or opening connections to a destination.",
    labels: ["destination", "pool"],
  },
  postern_gateway_destination_waiting_messages: {
    type: "gauge",
    help: "Messages that wait for a connection to a destination.",
    labels: ["destination", "pool"],
  },
  postern_gateway_destination_refusals: {
    type: "gauge",
    help: "Connections that the destination refused.",
    labels: ["destination", "pool"],
  },
  postern_gateway_destination_concurrency: {
    type: "gauge",
    help: "The destination's present maximum of connections, and the reason.",
    labels: ["destination", "pool", "why"],
  },
  postern_gateway_dns_lookups_total: {
    type: "counter",
    help:
      "Look-ups of `mx`, `a`, `aaaa`, `txt`: `found`, `none`, or `failed` (DNS gave no " +
      "answer).",
    labels: ["type", "result"],
  },
  postern_gateway_journal_bytes: {
    type: "gauge",
    help: "The journal's size, including the space reserved for outcomes.",
  },
  postern_gateway_journal_index_bytes: {
    type: "gauge",
    help: "Memory of the journal's index: 9 bytes an outcome, up to 13.5 in the current hour.",
  },
  postern_gateway_journal_outcomes: { type: "gauge", help: "Outcomes in the journal." },
  postern_gateway_journal_writable: {
    type: "gauge",
    help: "0: the journal can't be written, so the gateway takes no new mail.",
  },
  postern_gateway_recent_outcomes: {
    type: "gauge",
    help: "Outcomes in memory that are not in the journal.",
  },
  postern_gateway_promised_turns: {
    type: "gauge",
    help: "Messages that were returned to the worker and whose queue position is reserved.",
  },
  postern_gateway_sessions_total: {
    type: "counter",
    help: "SMTP connections that no cap refused.",
  },
  postern_gateway_sessions_refused_total: {
    type: "counter",
    help: "Connections refused by a cap: `server`, `strangers`, `address`, `network` or `rate`.",
    labels: ["cap"],
  },
  postern_gateway_sessions_displaced_total: {
    type: "counter",
    help: "Sessions of unknown clients that were ended so that others got their slots.",
  },
  postern_gateway_sessions: { type: "gauge", help: "SMTP connections open now." },
  postern_gateway_commands_refused_total: {
    type: "counter",
    help: "SMTP commands refused, by the codes of the reply, such as `535 5.7.8`.",
    labels: ["command", "reply"],
  },
  postern_gateway_messages_taken_total: {
    type: "counter",
    help: "Incoming messages that got 250: `submission` or `report`.",
    labels: ["kind"],
  },
  postern_gateway_message_bytes_total: {
    type: "counter",
    help: "Bytes of incoming messages that got 250.",
    labels: ["kind"],
  },
  postern_gateway_worker_answers_total: {
    type: "counter",
    help: "The worker's answers; `none` means that no answer came.",
    labels: ["route", "status"],
  },
  postern_gateway_worker_seconds: {
    type: "histogram",
    help: "Seconds until the worker's answer.",
  },
  postern_gateway_in_flight_bytes: {
    type: "gauge",
    help: "Memory of messages on their way `out` and `in`.",
    labels: ["way"],
  },
  postern_gateway_certificate_expiry_timestamp_seconds: {
    type: "gauge",
    help: "Expiry of the certificate in use.",
  },
  postern_gateway_watch_failed: {
    type: "gauge",
    help: "Faults in the gateway's last check of itself, by check.",
    labels: ["check"],
  },
  postern_gateway_watch_warnings: {
    type: "gauge",
    help: "Warnings in the gateway's last check of itself, by check.",
    labels: ["check"],
  },
  postern_gateway_watch_unknown: {
    type: "gauge",
    help: "Checks without a result in the gateway's last check of itself, by check.",
    labels: ["check"],
  },
  postern_gateway_watch_timestamp_seconds: {
    type: "gauge",
    help: "When the gateway last checked itself.",
  },
  postern_gateway_draining: { type: "gauge", help: "1: the gateway is shutting down." },
  process_start_time_seconds: { type: "gauge", help: "When the process started." },
  process_resident_memory_bytes: { type: "gauge", help: "Memory of the process." },
} as const satisfies Readonly<Record<string, Definition>>;

type NameOf<Type> = {
  [Name in keyof typeof DEFINITIONS]: (typeof DEFINITIONS)[Name]["type"] extends Type
    ? Name
    : never;
}[keyof typeof DEFINITIONS];

export type GatewayCounter = NameOf<"counter">;
export type GatewayGauge = NameOf<"gauge">;
export type GatewayHistogram = NameOf<"histogram">;

/**
 * Upper limits of the histograms' buckets, in seconds. A longer time counts only in the bucket
 * +Inf.
 */
export const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 600] as const;
