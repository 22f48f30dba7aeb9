// Defines every metric of GET /metrics, in the order of the response (docs/metrics-and-alerts.md
// §The gateway's metrics). No label holds an address, a domain, a key or a host, because each value
// would add a time series. The label `destination` has a limited number of values at a time. Pure.

interface Definition {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /**
   * Names of the labels. A counter without labels is shown as 0 until it counts its first event.
   */
  readonly labels?: readonly string[];
}

export const DEFINITIONS = {
  postern_gateway_outcomes_total: {
    type: "counter",
    help: "Delivery attempts by result, and by the stage or cause that decided it.",
    labels: ["result", "at"],
  },
  postern_gateway_repeats_total: {
    type: "counter",
    help: "Repeated requests for an attempt, by the place where its outcome was found.",
    labels: ["from"],
  },
  postern_gateway_asked_total: {
    type: "counter",
    help: "Message keys that the worker asked about, by what the gateway knew of the message.",
    labels: ["answer"],
  },
  postern_gateway_not_taken_total: {
    type: "counter",
    help: "Messages given back to the worker before any server was asked, by reason.",
    labels: ["why"],
  },
  postern_gateway_delivery_seconds: {
    type: "histogram",
    help: "Seconds from the arrival of a message at the gateway to the message's outcome.",
  },
  postern_gateway_deliveries: { type: "gauge", help: "Deliveries under way." },
  postern_gateway_behind_dot: {
    type: "gauge",
    help: "Messages that wait for the reply to their final dot.",
  },
  postern_gateway_connections: {
    type: "gauge",
    help: "Connections to mail servers by state.",
    labels: ["state"],
  },
  postern_gateway_connections_opened_total: {
    type: "counter",
    help: "Connections to mail servers that were opened.",
  },
  postern_gateway_connections_failed_total: {
    type: "counter",
    help: "Connections to mail servers that failed, by cause.",
    labels: ["why"],
  },
  postern_gateway_lanes: {
    type: "gauge",
    help: "Mail servers with connections or waiting messages, counted for each IP pool.",
  },
  postern_gateway_waiting_messages: { type: "gauge", help: "Messages that wait for a connection." },
  postern_gateway_destination_connections: {
    type: "gauge",
    help: "Connections to a destination, open or opening.",
    labels: ["destination", "pool"],
  },
  postern_gateway_destination_waiting_messages: {
    type: "gauge",
    help: "Messages that wait for a connection to a destination.",
    labels: ["destination", "pool"],
  },
  postern_gateway_destination_refusals: {
    type: "gauge",
    help: "Failed attempts to connect to a destination.",
    labels: ["destination", "pool"],
  },
  postern_gateway_destination_concurrency: {
    type: "gauge",
    help: "Present limit of connections to a destination, by the reason of the limit.",
    labels: ["destination", "pool", "why"],
  },
  postern_gateway_dns_lookups_total: {
    type: "counter",
    help: "DNS look-ups by record type and result.",
    labels: ["type", "result"],
  },
  postern_gateway_journal_bytes: { type: "gauge", help: "Size of the journal on disk." },
  postern_gateway_journal_index_bytes: { type: "gauge", help: "Memory of the journal's index." },
  postern_gateway_journal_outcomes: { type: "gauge", help: "Outcomes in the journal." },
  postern_gateway_journal_writable: {
    type: "gauge",
    help: "0: the journal can't be written, so no mail is taken.",
  },
  postern_gateway_recent_outcomes: {
    type: "gauge",
    help: "Outcomes kept in memory because they are not in the journal.",
  },
  postern_gateway_sessions_total: {
    type: "counter",
    help: "SMTP connections that no cap refused.",
  },
  postern_gateway_sessions_refused_total: {
    type: "counter",
    help: "SMTP connections refused, by the cap that was reached.",
    labels: ["cap"],
  },
  postern_gateway_sessions_displaced_total: {
    type: "counter",
    help: "Unauthenticated SMTP sessions ended to make room for others.",
  },
  postern_gateway_sessions: { type: "gauge", help: "SMTP connections open now." },
  postern_gateway_commands_refused_total: {
    type: "counter",
    help: "SMTP commands refused, by command and reply codes. `message` stands for the end of a message.",
    labels: ["command", "reply"],
  },
  postern_gateway_messages_taken_total: {
    type: "counter",
    help: "Messages that the gateway answered with 250: `submission` with AUTH, `report` for return-paths.",
    labels: ["kind"],
  },
  postern_gateway_message_bytes_total: {
    type: "counter",
    help: "Bytes of messages that the gateway answered with 250.",
    labels: ["kind"],
  },
  postern_gateway_worker_answers_total: {
    type: "counter",
    help: "Requests to the worker by route and status; `none`: it did not answer.",
    labels: ["route", "status"],
  },
  postern_gateway_worker_seconds: {
    type: "histogram",
    help: "Seconds until the worker's answer.",
  },
  postern_gateway_in_flight_bytes: {
    type: "gauge",
    help: "Memory that messages take: `out` to mail servers, `in` to the worker.",
    labels: ["way"],
  },
  postern_gateway_certificate_expiry_timestamp_seconds: {
    type: "gauge",
    help: "Expiry of the mail ports' certificate.",
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
  postern_gateway_draining: { type: "gauge", help: "1: the gateway is stopping." },
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
