// The bindings and variables of the worker, as wrangler.toml and the deployment's secrets declare
// them. operator/setting-table.ts lists the variables, and settings.ts parses them. The type of
// each Durable Object's binding is the interface that its class implements.
import type { WebhookOutboxCalls } from "./rpc/outbox-calls.ts";
import type { FailureCounter, VisitFilter } from "./rpc/failure-and-visit-calls.ts";
import type { Ledger } from "./rpc/ledger.ts";
import type { MetricsAggregator } from "./rpc/metrics-calls.ts";
import type { Namespace } from "./namespace.ts";
import type { DeliverBody, DnsJob, WebhookJob } from "./rpc/queue-jobs.ts";
import type { Replayer } from "./rpc/replay-calls.ts";
import type { RequestRecorder } from "./rpc/request-log-calls.ts";
import type { SuppressionImporter } from "./rpc/import-calls.ts";
import type { SettingTexts } from "./operator/setting-table.ts";

/** The calls of each Durable Object, by the name of its binding. */
export interface ObjectInterfaces {
  readonly TEAM_LEDGER: Ledger;
  readonly AUTH_FAILURES: FailureCounter;
  readonly VISITS: VisitFilter;
  readonly SUPPRESSION_IMPORTS: SuppressionImporter;
  readonly WEBHOOK_OUTBOX: WebhookOutboxCalls;
  readonly WEBHOOK_REPLAY: Replayer;
  readonly METRICS: MetricsAggregator;
  readonly REQUEST_LOG: RequestRecorder;
}

type ObjectBindings = {
  readonly [Binding in keyof ObjectInterfaces]: Namespace<ObjectInterfaces[Binding]>;
};

export interface Env extends SettingTexts, ObjectBindings {
  readonly DB: D1Database;
  readonly SHARD_0: D1Database;
  readonly CONTENT: R2Bucket;
  /** Static assets: the API's description, the reference's scripts and the console's files. */
  readonly ASSETS: Fetcher;
  readonly DELIVER: Queue<DeliverBody>;
  readonly DNS_CLEANUP: Queue<DnsJob>;
  readonly WEBHOOK: Queue<WebhookJob>;
  /** The binding by which the courier `cloudflare` sends. Present if wrangler.toml declares it. */
  readonly EMAIL?: SendEmail;
}
