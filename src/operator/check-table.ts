// Every check of a deployment's numbers: its source, its limit, and its texts. GET /admin/checks,
// the doctor, the console, dashboards/alerts.yml and docs/checks.md repeat this table. In a text,
// `{value}` is the number with its unit and `{subject}` is the part of the deployment, such as a
// queue. Pure.
import type { CheckEntry } from "./check-entry.ts";
import { TRACKING_CHECKS } from "./tracking-check-table.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const PROVIDER_BLOCKS = ["SpamBlock", "PolicyRelated", "RelayDenied"];

/** The members of a check that shows its number and does not judge it. */
const UNJUDGED = {
  limit: null,
  severity: "warning",
  alertAfterSeconds: 0,
  alert: "",
  over: "",
  next: "",
} as const;

export const WORKER_CHECKS = {
  "worker.up": {
    title: "Worker",
    reads: { kind: "alert", expression: 'absent(up{job="postern"}) or up{job="postern"} == LIMIT' },
    unit: "count",
    limit: 0,
    severity: "critical",
    alertAfterSeconds: 2 * MINUTE,
    alert: "PosternDown",
    over: "The worker does not answer.",
    good: "The worker answers.",
    next:
      "Ask GET /healthz: its false checks name what is down, and the log says why " +
      "(unhealthy). If the worker is well, check the scrape's address and token.",
    page: "docs/metrics-and-alerts.md#what-to-watch",
  },
  "worker.variables": {
    title: "Names of settings",
    reads: { kind: "settings" },
    unit: "count",
    limit: 0,
    severity: "warning",
    alertAfterSeconds: 0,
    alert: "",
    over: "The variable {subject} has no effect. The setting {value} has nearly the same name.",
    good: "No variable's name looks like a misspelt setting.",
    next: "Correct the name in wrangler.toml or at Cloudflare, and deploy.",
    page: "docs/settings.md#settings-of-the-worker",
  },
  "queues.source": {
    title: "Data source {subject}",
    reads: { kind: "gauge", metric: "postern_source_up", each: "source", below: true },
    unit: "count",
    limit: 1,
    severity: "critical",
    alertAfterSeconds: 2 * MINUTE,
    alert: "PosternSource",
    over: "The data source {subject} does not answer the worker.",
    good: "The data source {subject} answers.",
    next:
      "npx wrangler tail shows why (metrics_source_silent). If a queue is silent, look for " +
      "its [[queues]] sections in wrangler.toml; npm run deploy creates missing queues.",
    page: "docs/troubleshooting.md#sends-are-500-or-502",
  },
  "queues.moving": {
    title: "Queue {subject}",
    reads: { kind: "gauge", metric: "postern_queue_oldest_seconds", each: "queue" },
    unit: "seconds",
    limit: 5 * MINUTE,
    severity: "critical",
    alertAfterSeconds: MINUTE,
    alert: "PosternQueueOld",
    over: "{subject}: the oldest job has waited for {value}.",
    good: "{subject}: no job has waited for long.",
    next:
      "npm run deploy connects a missing consumer (npx wrangler queues info <queue>), and npx " +
      "wrangler queues resume-delivery <queue> ends a pause. Otherwise the consumer fails, or " +
      "is too slow: look for deliver_failed in the log, and for a max_concurrency in " +
      "wrangler.toml.",
    page: "docs/troubleshooting.md#mail-stays-queued",
  },
  "queues.stuck": {
    title: "Stuck recipients",
    reads: { kind: "gauge", metric: "postern_stuck_recipients" },
    unit: "count",
    limit: 0,
    severity: "critical",
    alertAfterSeconds: MINUTE,
    alert: "PosternStuck",
    over: "Stuck recipients: {value}. Their first attempt is more than 15 minutes overdue.",
    good: "No recipient's first attempt is overdue.",
    next: 'Nothing is lost, and the ledger sends them again by itself. Find the log\'s line "stuck" and the reason around its time, such as egress_unreachable: usually the courier is down or not set up.',
    page: "docs/operating.md#stuck",
  },
  "queues.dead_letters": {
    title: "Dead letters of {subject}",
    reads: { kind: "gauge", metric: "postern_dead_letters", each: "queue" },
    unit: "count",
    limit: 0,
    severity: "warning",
    alertAfterSeconds: 0,
    alert: "PosternDeadLetters",
    over: "{subject}: jobs that failed every attempt: {value}.",
    good: "{subject}: no job failed every attempt.",
    next:
      "GET /admin/dead-letters says why each job failed. The service repeats deliveries and " +
      "webhooks itself: act if new dead letters come. For postern-dns-cleanup repair the access " +
      "to DNS and requeue the job. Then delete the other dead letters.",
    page: "docs/operating.md#dead-letters",
  },
  "mail.held": {
    title: "Held mail",
    reads: { kind: "gauge", metric: "postern_holds" },
    unit: "count",
    limit: 0,
    severity: "critical",
    alertAfterSeconds: 5 * MINUTE,
    alert: "PosternHeld",
    over: "Sending domains and accounts from which the provider takes no mail: {value}.",
    good: "The provider takes mail from every domain.",
    next:
      "GET /admin/attention names them, with the remedy: onboard exactly the named domain, or " +
      "wait until the quota returns. The mail waits, and is sent after the remedy by itself.",
    page: "docs/operating.md#held",
  },
  ...TRACKING_CHECKS,
  "mail.pending": {
    title: "Pending recipients",
    reads: { kind: "gauge", metric: "postern_open_recipients" },
    unit: "count",
    ...UNJUDGED,
    good: "Recipients without a final outcome: {value}.",
    page: "docs/contract/limits.md#162-usage",
  },
  "mail.oldest": {
    title: "Oldest pending message",
    reads: { kind: "gauge", metric: "postern_oldest_undelivered_seconds" },
    unit: "seconds",
    ...UNJUDGED,
    good:
      "Age of the oldest message with an open recipient: {value}. Greylisting may delay a " +
      "message for 72 hours.",
    page: "docs/operating.md#stuck",
  },
  "mail.bounces": {
    title: "Permanent bounces",
    reads: {
      kind: "share",
      of: { metric: "postern_bounced_total", labels: { type: ["permanent"] } },
      among: { metric: "postern_accepted_total" },
      windowSeconds: HOUR,
      atLeast: 100,
    },
    unit: "share",
    limit: 0.05,
    severity: "warning",
    alertAfterSeconds: 30 * MINUTE,
    alert: "PosternBounces",
    over: "{value} of the recipients bounce for good.",
    good: "Few recipients bounce for good.",
    next:
      "GET /admin/attention names the teams. One of them probably mails an old or bought " +
      "list: talk to the team, and lower its rate until the list is clean.",
    page: "docs/operating.md#teams-that-need-attention",
  },
  "mail.blocked": {
    title: "Mail refused because of its sender",
    reads: {
      kind: "share",
      of: { metric: "postern_bounced_total", labels: { class: PROVIDER_BLOCKS } },
      among: { metric: "postern_accepted_total" },
      windowSeconds: 30 * MINUTE,
      atLeast: 100,
    },
    unit: "share",
    limit: 0.02,
    severity: "critical",
    alertAfterSeconds: 15 * MINUTE,
    alert: "PosternBlocked",
    over: "{value} of the mail is refused because of its sender.",
    good: "Little mail is refused because of its sender.",
    next:
      "A provider or a block list refuses your addresses or a domain. GET /admin/attention " +
      "names the teams and the providers; npm run doctor checks SPF, DKIM and reverse DNS.",
    page: "docs/troubleshooting.md#a-provider-refuses-the-mail",
  },
  "mail.complaints": {
    title: "Complaints",
    reads: {
      kind: "share",
      of: { metric: "postern_complained_total" },
      among: { metric: "postern_delivered_total" },
      windowSeconds: 6 * HOUR,
      atLeast: 1_000,
    },
    unit: "share",
    limit: 0.001,
    severity: "warning",
    alertAfterSeconds: HOUR,
    alert: "PosternComplaints",
    over: "{value} of the delivered mail is reported as spam.",
    good: "Little mail is reported as spam.",
    next:
      "Above 0.3 % Gmail and Yahoo refuse mail. GET /admin/attention names the teams: stop " +
      "the campaign that causes it, and see that its unsubscribe link works.",
    page: "docs/complaints.md#complaints",
  },
  "ledgers.full": {
    title: "Teams with full storage",
    reads: { kind: "gauge", metric: "postern_ledgers_full" },
    unit: "count",
    limit: 0,
    severity: "critical",
    alertAfterSeconds: 0,
    alert: "PosternLedgerFull",
    over: "Teams whose storage is full: {value}. Their sends fail with 502.",
    good: "No team's storage is full.",
    next:
      "GET /admin/attention names the teams. The ledger empties when its events can be " +
      "written to the database: bring back the shard that is down, or spread the team over " +
      "several.",
    page: "docs/scaling.md#one-team-and-its-ledger",
  },
  "events.unwritten": {
    title: "Events to store",
    reads: { kind: "gauge", metric: "postern_log_events", labels: { state: ["unwritten"] } },
    unit: "count",
    limit: 1_000_000,
    severity: "warning",
    alertAfterSeconds: 30 * MINUTE,
    alert: "PosternLogUnwritten",
    over: "Events that are not written to the database: {value}.",
    good:
      "Events are written to the database in groups of 64, and the rest of a day's events " +
      "after midnight UTC.",
    next:
      "A shard is down or slow (chunk_failed in the log); the ledgers keep the events " +
      "meanwhile. Bring it back. With more than ten thousand teams, raise the limit of " +
      "events.unwritten.",
    page: "docs/metrics-and-alerts.md#alerts",
  },
  "events.undelivered": {
    title: "Events to process",
    reads: { kind: "gauge", metric: "postern_log_events", labels: { state: ["undelivered"] } },
    unit: "count",
    limit: 10_000,
    severity: "warning",
    alertAfterSeconds: 10 * MINUTE,
    alert: "PosternLogUndelivered",
    over: "Events that have not reached webhooks and suppressions: {value}.",
    good: "Events reach webhooks and suppressions.",
    next:
      "The log's line row_dispatch_failed says why: usually the core database does not " +
      "answer. The dispatch is repeated for 72 hours by itself.",
    page: "docs/operating.md#when-something-is-down",
  },
  "events.set_aside": {
    title: "Failed groups of events",
    reads: {
      kind: "increase",
      of: { metric: "postern_log_set_aside_total" },
      windowSeconds: HOUR,
    },
    unit: "count",
    limit: 0,
    severity: "critical",
    alertAfterSeconds: 0,
    alert: "PosternLogSetAside",
    over: "Groups of events that webhooks and suppressions will not receive: {value}.",
    good: "In the last hour, no event was given up.",
    next:
      "The log's line row_dispatch_set_aside names the row and the fault. The events are in " +
      "the history: replay them to the team's webhooks, and add missing suppressions by hand.",
    page: "docs/webhooks.md#replay",
  },
  "webhooks.late": {
    title: "Webhook delay",
    reads: { kind: "gauge", metric: "postern_webhook_lag_seconds" },
    unit: "seconds",
    limit: HOUR,
    severity: "warning",
    alertAfterSeconds: 10 * MINUTE,
    alert: "PosternWebhooksLate",
    over: "The oldest webhook batch has waited for {value}.",
    good: "No webhook batch has waited for long.",
    next:
      "Usually the endpoint of one customer fails: the log's line webhook_circuit names the " +
      "webhook. Tell the customer; the events wait for 72 hours.",
    page: "docs/webhooks.md#delivery",
  },
  "requests.faults": {
    title: "Server errors (5xx)",
    reads: {
      kind: "share",
      of: { metric: "postern_http_requests_total", labels: { status: ["5xx"] } },
      among: { metric: "postern_http_requests_total" },
      windowSeconds: 10 * MINUTE,
      atLeast: 20,
    },
    unit: "share",
    limit: 0.01,
    severity: "critical",
    alertAfterSeconds: 5 * MINUTE,
    alert: "PosternFaults",
    over: "{value} of the requests are answered 5xx.",
    good: "Few requests are answered 5xx.",
    next:
      "Look for fault (500) and pipeline_unavailable (502) in the log; each has a request_id. " +
      "Ask GET /healthz whether a database or a queue is down.",
    page: "docs/logs.md#logs",
  },
  "requests.slow": {
    title: "Slow sends",
    reads: {
      kind: "alert",
      expression:
        'histogram_quantile(0.99, sum by (le) (rate(postern_http_request_duration_seconds_bucket{surface="send"}[5m]))) > LIMIT',
    },
    unit: "seconds",
    limit: 1,
    severity: "warning",
    alertAfterSeconds: 10 * MINUTE,
    alert: "PosternSlowSends",
    over: "One send in a hundred takes longer than {value}.",
    good: "Sends are fast.",
    next:
      "If one busy team is slow, its ledger is the limit: the team should send batches. If all " +
      "teams are slow, compare with the status page of the platform.",
    page: "docs/scaling.md#one-team-and-its-ledger",
  },
} as const satisfies Readonly<Record<string, CheckEntry>>;
