// Defines every metric of GET /metrics, in the order of the response (docs/metrics-and-alerts.md
// §The gateway's metrics). No label has an address, a domain, a key or a host as its value, because
// each value would add a time series. The label `destination` has a limited number of values at a
// time. Pure.

interface Definition<Type extends "counter" | "gauge" | "histogram"> {
  readonly type: Type;
  readonly help: string;
  /** Names of the labels. A counter without labels shows 0 until it counts its first event. */
  readonly labels: readonly string[];
}

const counter = (help: string, labels: readonly string[] = []): Definition<"counter"> => {
  return { type: "counter", help, labels };
};
const gauge = (help: string, labels: readonly string[] = []): Definition<"gauge"> => {
  return { type: "gauge", help, labels };
};
const histogram = (help: string): Definition<"histogram"> => {
  return { type: "histogram", help, labels: [] };
};

export const DEFINITIONS = {
  postern_gateway_outcomes_total: counter(
    "Delivery attempts: `delivered`, `deferred` (4xx) or `refused` (5xx) at a stage, or " +
      "`failed` for a cause.",
    ["result", "at"],
  ),
  postern_gateway_repeats_total: counter(
    "Repeated requests for an attempt, by where its outcome came from: `under_way`, `memory` " +
      "or `journal`.",
    ["from"],
  ),
  postern_gateway_asked_total: counter(
    "Questions about attempts by key, by their answer: `under_way`, `known` (the outcome), " +
      "`not_taken` (the queue position is reserved) or `never_heard`.",
    ["answer"],
  ),
  postern_gateway_not_taken_total: counter(
    "Messages returned to the worker before any transaction began: `memory`, `disk`, `waited` " +
      "or `draining`.",
    ["why"],
  ),
  postern_gateway_delivery_seconds: histogram(
    "Seconds from a message's arrival to its outcome, waiting included.",
  ),
  postern_gateway_deliveries: gauge("Deliveries that are running now."),
  postern_gateway_behind_dot: gauge(
    "Messages that a mail server has received whole but not answered. A draining gateway waits " +
      "for them, up to ten minutes.",
  ),
  postern_gateway_connections: gauge("Connections to mail servers: `busy`, `idle`, `opening`.", [
    "state",
  ]),
  postern_gateway_connections_opened_total: counter(
    "Connections to mail servers that were opened.",
  ),
  postern_gateway_connections_failed_total: counter(
    "Connections that failed: `4xx`, `5xx` (the greeting), or a cause.",
    ["why"],
  ),
  postern_gateway_lanes: gauge("Mail servers in use, counted for each IP pool."),
  postern_gateway_waiting_messages: gauge("Messages that wait for a connection."),
  postern_gateway_destination_connections: gauge("Open or opening connections to a destination.", [
    "destination",
    "pool",
  ]),
  postern_gateway_destination_waiting_messages: gauge(
    "Messages that wait for a connection to a destination.",
    ["destination", "pool"],
  ),
  postern_gateway_destination_refusals: gauge("Connections that the destination refused.", [
    "destination",
    "pool",
  ]),
  postern_gateway_destination_concurrency: gauge(
    "The destination's present maximum of connections, and the reason.",
    ["destination", "pool", "why"],
  ),
  postern_gateway_dns_lookups_total: counter(
    "Look-ups of `mx`, `a`, `aaaa`, `txt`: `found`, `none`, or `failed` (DNS gave no answer).",
    ["type", "result"],
  ),
  postern_gateway_journal_bytes: gauge(
    "The journal's size, including the space reserved for outcomes.",
  ),
  postern_gateway_journal_index_bytes: gauge(
    "Memory of the journal's index: 9 bytes an outcome, up to 13.5 in the current hour.",
  ),
  postern_gateway_journal_outcomes: gauge("Outcomes in the journal."),
  postern_gateway_journal_writable: gauge(
    "0: the journal can't be written, so the gateway takes no new mail.",
  ),
  postern_gateway_recent_outcomes: gauge("Outcomes in memory that are not in the journal."),
  postern_gateway_promised_turns: gauge(
    "Messages that were returned to the worker and whose queue position is reserved.",
  ),
  postern_gateway_sessions_total: counter("SMTP connections that no cap refused."),
  postern_gateway_sessions_refused_total: counter(
    "Connections refused by a cap: `server`, `strangers`, `address`, `network` or `rate`.",
    ["cap"],
  ),
  postern_gateway_sessions_displaced_total: counter(
    "Sessions of unknown clients that were ended so that others got their slots.",
  ),
  postern_gateway_sessions: gauge("SMTP connections open now."),
  postern_gateway_commands_refused_total: counter(
    "SMTP commands refused, by the codes of the reply, such as `535 5.7.8`.",
    ["command", "reply"],
  ),
  postern_gateway_messages_taken_total: counter(
    "Incoming messages that got 250: `submission`, `report` or `reply`.",
    ["kind"],
  ),
  postern_gateway_message_bytes_total: counter("Bytes of incoming messages that got 250.", [
    "kind",
  ]),
  postern_gateway_worker_answers_total: counter(
    "The worker's answers; `none` means that no answer came.",
    ["route", "status"],
  ),
  postern_gateway_worker_seconds: histogram("Seconds until the worker's answer."),
  postern_gateway_in_flight_bytes: gauge("Memory of messages on their way `out` and `in`.", [
    "way",
  ]),
  postern_gateway_certificate_expiry_timestamp_seconds: gauge("Expiry of the certificate in use."),
  postern_gateway_watch_failed: gauge("Faults in the gateway's last check of itself, by check.", [
    "check",
  ]),
  postern_gateway_watch_warnings: gauge(
    "Warnings in the gateway's last check of itself, by check.",
    ["check"],
  ),
  postern_gateway_watch_unknown: gauge(
    "Checks without a result in the gateway's last check of itself, by check.",
    ["check"],
  ),
  postern_gateway_watch_timestamp_seconds: gauge("When the gateway last checked itself."),
  postern_gateway_draining: gauge("1: the gateway is shutting down."),
  process_start_time_seconds: gauge("When the process started."),
  process_resident_memory_bytes: gauge("Memory of the process."),
};

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
