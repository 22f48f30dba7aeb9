// The checks of the gateways, and the texts for the states of a gateway that the worker sees. A
// gateway itself writes the sentences about its own findings (docs/gateway-watch.md). Pure.
import type { CheckEntry } from "./check-entry.ts";

/** The states of a gateway, as the worker sees them when it posts a delivery without messages. */
export const GATEWAY_STATES = {
  agreed: {
    says: "The gateway {subject} answers, and its token agrees with the worker's.",
    next: "",
  },
  refused: {
    says: "The gateway {subject} and the worker hold different tokens.",
    next:
      "Give both the same token: the worker by npx wrangler secret put GATEWAY_TOKEN, the " +
      "gateway by GATEWAY_TOKEN or /etc/postern-gateway/token; then restart the gateway.",
  },
  unavailable: {
    says:
      "The gateway {subject} accepts no mail at the moment: it is shutting down, or can't " +
      "write its journal.",
    next: "Check the gateway's log and the disk of EGRESS_STATE.",
  },
  unreachable: {
    says: "The gateway {subject} does not answer.",
    next:
      "Start the gateway, and check its certificate and that EGRESS_URL leads to it " +
      "(smtp-gateway/README.md); a firewall must admit Cloudflare's network.",
  },
  unexpected: {
    says: "The server that answers as the gateway {subject} is another program.",
    next:
      "Check that EGRESS_URL and the proxy in front of the gateway lead to the gateway's " +
      "EGRESS_PORT.",
  },
} as const;

export type GatewayState = keyof typeof GATEWAY_STATES;
export const GATEWAY_STATE_NAMES = Object.keys(GATEWAY_STATES) as readonly GatewayState[];

/** The fate of the mail while a gateway does not accept it. */
export const WAITING_MAIL =
  "Its mail is accepted and waits, and no other gateway takes it over, because it could be sent twice. Nothing is lost.";

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

export const GATEWAY_CHECKS = {
  "gateway.token": {
    title: "Gateway {subject}",
    reads: {
      kind: "gateway",
      expression: 'absent(up{job="postern-gateway"}) or up{job="postern-gateway"} == LIMIT',
    },
    unit: "count",
    limit: 0,
    severity: "critical",
    alertAfterSeconds: 2 * MINUTE,
    alert: "PosternGatewayDown",
    over: "A gateway does not answer.",
    good: "The gateways answer.",
    next:
      "The gateway's mail waits at the worker until the gateway is back. Read the gateway's log " +
      "on its host (journalctl), and start the gateway again.",
    page: "docs/operating.md#when-something-is-down",
  },
  "gateway.journal": {
    title: "Journal",
    reads: {
      kind: "alert",
      expression: "postern_gateway_journal_writable == LIMIT",
    },
    unit: "count",
    limit: 0,
    severity: "critical",
    alertAfterSeconds: MINUTE,
    alert: "PosternGatewayJournal",
    over: "The gateway {subject} can't write its journal and takes no mail.",
    good: "The journal can be written.",
    next:
      "Its disk is full or broken. Mail waits at the worker, and nothing is sent twice. Free " +
      "disk space: the gateway then continues by itself.",
    page: "docs/egress-protocol.md#a-full-disk",
  },
  "gateway.waiting": {
    title: "Messages that wait for a connection",
    reads: {
      kind: "alert",
      expression: "postern_gateway_waiting_messages > LIMIT",
    },
    unit: "count",
    limit: 1000,
    severity: "warning",
    alertAfterSeconds: 10 * MINUTE,
    alert: "PosternGatewayWaiting",
    over: "Messages that wait for a connection to their mail server: {value}.",
    good: "Few messages wait for a connection.",
    next:
      "One provider is slow or takes few connections from this address: the outcomes in the " +
      "log name the provider. Wait, or add a gateway with another address.",
    page: "docs/scaling.md#gateway-hosts-and-pools",
  },
  "gateway.full": {
    title: "Messages returned for lack of memory",
    reads: {
      kind: "alert",
      expression:
        'sum by (instance) (rate(postern_gateway_not_taken_total{why="memory"}[10m])) > LIMIT',
    },
    unit: "count",
    limit: 1,
    severity: "warning",
    alertAfterSeconds: 10 * MINUTE,
    alert: "PosternGatewayFull",
    over: "The gateway {subject} returns mail to the worker because its memory is full.",
    good: "The memory suffices.",
    next:
      "The mail to one domain hangs, or there is too much mail for one host. The worker sends " +
      "returned mail again. Give the gateway more memory, or add a host.",
    page: "docs/egress-protocol.md#what-is-not-taken",
  },
  "gateway.lookups": {
    title: "DNS look-ups without an answer",
    reads: {
      kind: "alert",
      expression:
        'sum by (instance) (rate(postern_gateway_dns_lookups_total{result="failed"}[5m])) / sum by (instance) (rate(postern_gateway_dns_lookups_total[5m])) > LIMIT',
    },
    unit: "share",
    limit: 0.2,
    severity: "critical",
    alertAfterSeconds: 5 * MINUTE,
    alert: "PosternGatewayDns",
    over: "{value} of the DNS look-ups of the gateway {subject} get no answer.",
    good: "DNS answers.",
    next:
      "Ask the resolvers of the host {subject} by hand, and name working ones in EGRESS_DNS. " +
      "Mail that finds no mail server waits and is tried again.",
    page: "smtp-gateway/README.md#settings",
  },
  "gateway.reach": {
    title: "Mail servers out of reach",
    reads: {
      kind: "alert",
      expression:
        'sum by (instance) (rate(postern_gateway_outcomes_total{result="failed",at="connect"}[15m])) / sum by (instance) (rate(postern_gateway_outcomes_total[15m])) > LIMIT',
    },
    unit: "share",
    limit: 0.5,
    severity: "critical",
    alertAfterSeconds: 15 * MINUTE,
    alert: "PosternGatewayUnreachable",
    over: "The gateway {subject} reaches few mail servers.",
    good: "Mail servers are within reach.",
    next:
      "Its provider or firewall closes port 25 outwards. Run npm run doctor -- --outbound-mx " +
      "on the host, and have the port opened.",
    page: "docs/doctor.md#doctor",
  },
  "gateway.worker": {
    title: "Worker as the gateway sees it",
    reads: {
      kind: "alert",
      expression:
        'sum by (instance) (rate(postern_gateway_worker_answers_total{status=~"none|5..|404",route!~"return-paths|roles|postmaster"}[5m])) > LIMIT',
    },
    unit: "count",
    limit: 0.1,
    severity: "critical",
    alertAfterSeconds: 5 * MINUTE,
    alert: "PosternGatewayWorker",
    over: "The worker does not answer the gateway {subject}.",
    good: "The worker answers the gateway.",
    next:
      "Submissions and reports get 451, and their senders try again. Look for worker_unreachable " +
      "in the gateway's log. A 404 means that the gateway has a wrong address of the worker.",
    page: "docs/logs.md#the-gateways-log",
  },
  "gateway.certificate": {
    title: "Certificate of a gateway",
    reads: {
      kind: "gateway",
      expression: "postern_gateway_certificate_expiry_timestamp_seconds - time() < LIMIT",
    },
    unit: "seconds",
    limit: 14 * DAY,
    severity: "warning",
    alertAfterSeconds: 0,
    alert: "PosternGatewayCertificate",
    over: "The certificate of the gateway {subject} expires in {value}.",
    good: "The certificate is valid for 14 days or more.",
    next:
      "The renewal fails. Run certbot or lego by hand on the host; the gateway loads the new " +
      "files by itself. After the certificate's expiry, no program can submit mail.",
    page: "smtp-gateway/README.md#certificates",
  },
  "gateway.seen": {
    title: "Gateway as receivers see it",
    reads: {
      kind: "gateway",
      expression: "postern_gateway_watch_failed > LIMIT",
    },
    unit: "count",
    limit: 0,
    severity: "critical",
    alertAfterSeconds: 120 * MINUTE,
    alert: "PosternGatewaySeenBadly",
    over: "Receivers see a fault of the gateway {subject}.",
    good: "Receivers see no fault of the gateways.",
    next:
      "The console's page of the gateways names the fault and its remedy. A wrong PTR, HELO or " +
      "SPF, or an address on a block list, makes providers refuse the mail.",
    page: "docs/gateway-watch.md#what-the-gateway-finds-about-itself",
  },
} as const satisfies Readonly<Record<string, CheckEntry>>;
