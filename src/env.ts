// The bindings and variables of the worker, as wrangler.toml and the deployment's secrets declare
// them. settings.ts parses the variables. The type of each Durable Object's binding is the
// interface that its class implements.
import type { WebhookOutboxCalls } from "./rpc/outbox-calls.ts";
import type { FailureCounter, VisitFilter } from "./rpc/repeats-calls.ts";
import type { Ledger } from "./rpc/ledger.ts";
import type { MetricsAggregator } from "./rpc/metrics-calls.ts";
import type { Namespace } from "./rpc/namespace.ts";
import type { DeliverBody, DnsCleanupJob, WebhookJob } from "./rpc/queue-jobs.ts";
import type { Replayer } from "./rpc/replay-calls.ts";
import type { SuppressionImporter } from "./rpc/import-calls.ts";

export interface Env {
  readonly DB: D1Database;
  readonly SHARD_0: D1Database;
  /**
   * Numbers of the shards that take new teams, separated by commas. Unset: every shard that has a
   * binding.
   */
  readonly SHARDS_FOR_NEW_TEAMS?: string;
  readonly CONTENT: R2Bucket;
  /** Static assets: the API's description, the reference's scripts and the console's files. */
  readonly ASSETS: Fetcher;
  readonly DELIVER: Queue<DeliverBody>;
  readonly DNS_CLEANUP: Queue<DnsCleanupJob>;
  readonly WEBHOOK: Queue<WebhookJob>;
  readonly TEAM_LEDGER: Namespace<Ledger>;
  readonly AUTH_FAILURES: Namespace<FailureCounter>;
  readonly VISITS: Namespace<VisitFilter>;
  readonly SUPPRESSION_IMPORTS: Namespace<SuppressionImporter>;
  readonly WEBHOOK_OUTBOX: Namespace<WebhookOutboxCalls>;
  readonly WEBHOOK_REPLAY: Namespace<Replayer>;
  readonly METRICS: Namespace<MetricsAggregator>;
  readonly SERVICE_DOMAIN?: string;
  readonly PUBLIC_URL?: string;
  /**
   * The name that identifies the service in the header Feedback-ID. Unset: derived from
   * SERVICE_DOMAIN.
   */
  readonly SERVICE_NAME?: string;
  /** The address that receives the mail to postmaster. Unset: such mail is accepted and dropped. */
  readonly POSTMASTER_ADDRESS?: string;
  readonly OUTBOUND?: string;
  readonly EGRESS_URL?: string;
  readonly EGRESS_LEAVING?: string;
  /** The courier `cloudflare` sends through this binding. Present if wrangler.toml declares it. */
  readonly EMAIL?: SendEmail;
  readonly SMTP_RELAY_HOST?: string;
  readonly SMTP_RELAY_PORT?: string;
  readonly SMTP_RELAY_USERNAME?: string;
  readonly SMTP_RELAY_PASSWORD?: string;
  readonly ADMIN_TOKEN?: string;
  readonly GATEWAY_TOKEN?: string;
  readonly SIGNING_KEY?: string;
  readonly KEY_ENCRYPTION_KEY?: string;
  readonly DNS_RESOLVER_URL?: string;
  readonly DNS_API_URL?: string;
  readonly DNS_API_TOKEN?: string;
  readonly DNS_ZONE_ID?: string;
  /**
   * Test builds only: crash points report to this URL, so that a harness can kill the process
   * there.
   */
  readonly CRASH_POINT_URL?: string;
  /** Demonstrations and tests only: divides the waits between delivery attempts. */
  readonly RETRY_SPEEDUP?: string;
  /** Tests only: divides the times in which a request, a consumer or a gateway works. */
  readonly LEASE_SPEEDUP?: string;
  /**
   * Local development and tests only: `true` lets webhooks call loopback addresses, also by http.
   */
  readonly WEBHOOK_ALLOW_PRIVATE?: string;
  readonly HEADER_PREFIX?: string;
  readonly LOG_LEVEL?: string;
  /** `true`: every request writes a line to the log, at `info`. */
  readonly ACCESS_LOG?: string;
  readonly METRICS_FLUSH_SECONDS?: string;
}

/**
 * The greatest divisors of waits. A lease of two minutes then lasts ten seconds, in which a slow
 * machine can hand its copies over.
 */
const DIVISORS_MAX = { RETRY_SPEEDUP: Number.POSITIVE_INFINITY, LEASE_SPEEDUP: 12 };

/** Parses a divisor of waits, which is 1 if the setting is not set. */
export function divisorOf(env: Env, name: keyof typeof DIVISORS_MAX): number {
  const divisor = Number(env[name] ?? "1");
  const most = DIVISORS_MAX[name];
  if (divisor >= 1 && divisor <= most) return divisor;
  const range = Number.isFinite(most) ? `from 1 to ${most}` : "of at least 1";
  throw new Error(`setting ${name} must be a number ${range}`);
}
