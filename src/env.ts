// The bindings that wrangler.toml declares, and the operator's settings parsed from them once per isolate. A deployment without one of the
// secrets fails closed: every request that needs it is a 500 that names the setting in the log, never a run with a guessable default.
import type { AuthFailures } from "./api/auth-failures.ts";
import type { TeamLedger } from "./ledger/team-ledger.ts";
import type { Visits } from "./mail/feedback/visits.ts";
import type { DeliverJob } from "./mail/message.ts";
import type { DnsCleanupJob } from "./resources/domains/publisher.ts";
import { decodeBase64 } from "./lib/base64.ts";

export interface Env {
  readonly DB: D1Database;
  readonly HISTORY_0: D1Database;
  readonly CONTENT: R2Bucket;
  /** The API reference's scripts. */
  readonly ASSETS: Fetcher;
  readonly DELIVER: Queue<DeliverJob>;
  readonly DNS_CLEANUP: Queue<DnsCleanupJob>;
  readonly TEAM_LEDGER: DurableObjectNamespace<TeamLedger>;
  readonly AUTH_FAILURES: DurableObjectNamespace<AuthFailures>;
  readonly VISITS: DurableObjectNamespace<Visits>;
  readonly SERVICE_DOMAIN?: string;
  readonly PUBLIC_URL?: string;
  readonly OUTBOUND?: string;
  readonly EGRESS_URL?: string;
  readonly ADMIN_TOKEN?: string;
  readonly GATEWAY_TOKEN?: string;
  readonly SIGNING_KEY?: string;
  readonly KEY_ENCRYPTION_KEY?: string;
  readonly DNS_RESOLVER_URL?: string;
  readonly DNS_API_URL?: string;
  readonly DNS_API_TOKEN?: string;
  readonly DNS_ZONE_ID?: string;
  /** Test builds only: where crash points report, so that a harness can kill the process there. */
  readonly CRASH_POINT_URL?: string;
  /** Demonstrations and tests only: divides the waits between delivery attempts. */
  readonly RETRY_SPEEDUP?: string;
  /** Local development and tests only: `true` lets webhooks call loopback, over http too (wire.md "Webhook deliveries"). */
  readonly WEBHOOK_ALLOW_PRIVATE?: string;
  readonly HEADER_PREFIX?: string;
}

export interface Settings {
  /** Where the service itself lives in DNS: `<label>.dkim.<serviceDomain>` and the like. Lower-case ASCII. */
  readonly serviceDomain: string;
  /** Where recipients reach the service, e.g. `https://postern.example`: unsubscribe links begin with it. No final slash. */
  readonly publicUrl: string;
  readonly egressUrl: string;
  /** null: the whole of /admin is 404 (wire.md "Operator API"). */
  readonly adminToken: string | null;
  readonly gatewayToken: string;
  /** Derives the keys of cursors and recipient tokens. */
  readonly signingKey: string;
  /** AES-256 key for DKIM private keys and webhook secrets, 32 bytes. */
  readonly keyEncryptionKey: Uint8Array<ArrayBuffer>;
  readonly dnsResolverUrl: string;
  readonly dnsApiUrl: string;
  readonly dnsApiToken: string;
  readonly dnsZoneId: string;
  readonly retrySpeedup: number;
  readonly webhookAllowPrivate: boolean;
  /** How the names of a webhook delivery's headers begin: `Service` in `Service-Signature`. */
  readonly headerPrefix: string;
}

const SIGNING_KEY_MIN_CHARACTERS = 32;
const ENCRYPTION_KEY_BYTES = 32;
const DEFAULT_HEADER_PREFIX = "Service";
/** Letters, digits and single dashes; not `Webhook`, since `webhook-signature` is the Standard Webhooks scheme's. */
const HEADER_PREFIX = /^(?!webhook$)(?=.{1,32}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/i;

const parsed = new WeakMap<Env, Settings>();

/** The settings in force. Throws a plain Error that names the first missing or malformed one. */
export function settingsOf(env: Env): Settings {
  const known = parsed.get(env);
  if (known) return known;
  const settings = parse(env);
  parsed.set(env, settings);
  return settings;
}

function parse(env: Env): Settings {
  if (required(env, "OUTBOUND") !== "gateway") throw new Error("setting OUTBOUND: only `gateway` is known");
  const signingKey = required(env, "SIGNING_KEY");
  if (signingKey.length < SIGNING_KEY_MIN_CHARACTERS)
    throw new Error(`setting SIGNING_KEY: at least ${SIGNING_KEY_MIN_CHARACTERS} characters`);
  const keyEncryptionKey = decodeBase64(required(env, "KEY_ENCRYPTION_KEY"));
  if (keyEncryptionKey?.length !== ENCRYPTION_KEY_BYTES)
    throw new Error(`setting KEY_ENCRYPTION_KEY: base64 of ${ENCRYPTION_KEY_BYTES} bytes`);
  const retrySpeedup = Number(env.RETRY_SPEEDUP ?? "1");
  if (!(retrySpeedup >= 1)) throw new Error("setting RETRY_SPEEDUP: a number of at least 1");
  return {
    serviceDomain: required(env, "SERVICE_DOMAIN").toLowerCase(),
    publicUrl: publicUrlOf(env),
    egressUrl: required(env, "EGRESS_URL").replace(/\/$/, ""),
    adminToken: env.ADMIN_TOKEN || null,
    gatewayToken: required(env, "GATEWAY_TOKEN"),
    signingKey,
    keyEncryptionKey,
    dnsResolverUrl: required(env, "DNS_RESOLVER_URL"),
    dnsApiUrl: required(env, "DNS_API_URL").replace(/\/$/, ""),
    dnsApiToken: env.DNS_API_TOKEN ?? "",
    dnsZoneId: env.DNS_ZONE_ID ?? "",
    retrySpeedup,
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE === "true",
    headerPrefix: headerPrefixOf(env),
  };
}

function headerPrefixOf(env: Env): string {
  const prefix = env.HEADER_PREFIX || DEFAULT_HEADER_PREFIX;
  if (!HEADER_PREFIX.test(prefix)) throw new Error("setting HEADER_PREFIX: at most 32 letters, digits and dashes, and not `Webhook`");
  return prefix;
}

/** Unset: the service's own domain over https. */
function publicUrlOf(env: Env): string {
  const url = URL.parse(env.PUBLIC_URL || `https://${required(env, "SERVICE_DOMAIN")}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new Error("setting PUBLIC_URL: an http or https URL");
  return url.href.replace(/\/$/, "");
}

function required(
  env: Env,
  name:
    | "OUTBOUND"
    | "SERVICE_DOMAIN"
    | "EGRESS_URL"
    | "GATEWAY_TOKEN"
    | "SIGNING_KEY"
    | "KEY_ENCRYPTION_KEY"
    | "DNS_RESOLVER_URL"
    | "DNS_API_URL",
): string {
  const value = env[name];
  if (!value) throw new Error(`setting ${name} is missing`);
  return value;
}
