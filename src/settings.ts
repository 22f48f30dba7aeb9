// Parses the operator's settings, once per isolate. The service fails closed: if a required setting
// is missing or malformed, every request that needs the settings gets 500, and the log names the
// setting. A setting that protects something never has a default.
import { divisorOf, type Env } from "./env.ts";
import { decodeBase64 } from "./lib/crypto/base64.ts";
import { isLocalSecret, mayUseLocalSecrets } from "./lib/local-secrets.ts";
import { configureLog, LOG_LEVELS, type LogLevel } from "./lib/log.ts";
import { serviceNameOf } from "./service-name.ts";
import { ADMIN_TOKEN_MIN_CHARACTERS } from "./limits.ts";

/** The couriers that can carry mail (docs/couriers.md). */
export const COURIERS = ["gateway", "smtp", "cloudflare"] as const;
export type CourierName = (typeof COURIERS)[number];

export interface Settings {
  /**
   * The service's own domain, in lower-case ASCII. Customers' CNAME records point to names below
   * it, such as `<label>.dkim.<serviceDomain>`.
   */
  readonly serviceDomain: string;
  /** The name that identifies the service in the header Feedback-ID (docs/complaints.md). */
  readonly serviceName: string;
  /** The origin of the links in mail, such as `https://postern.example`, without a final slash. */
  readonly publicUrl: string;
  /** The address that receives the mail to postmaster. Null: such mail is dropped. */
  readonly postmasterAddress: string | null;
  /** The courier of teams that have not chosen one. The deployment can always send through it. */
  readonly outbound: CourierName;
  /**
   * The URLs of the gateways that carry mail, without duplicates and final slashes. Empty: the
   * deployment has no gateway.
   */
  readonly egressUrls: readonly string[];
  /**
   * URLs of gateways that get no new mail. The service still asks these gateways about copies that
   * they have.
   */
  readonly leavingUrls: readonly string[];
  /** The SMTP server of the courier `smtp`. Null: no relay is configured. */
  readonly relay: SmtpRelay | null;
  /** The operator's token. Null: every path below /admin gets 404 (contract.md §Operator API). */
  readonly adminToken: string | null;
  readonly gatewayToken: string;
  /** The keys for cursors and recipient tokens are derived from this key. */
  readonly signingKey: string;
  /** AES-256 key of 32 bytes, for DKIM private keys and webhook secrets. */
  readonly keyEncryptionKey: Uint8Array<ArrayBuffer>;
  readonly dnsResolverUrl: string;
  readonly dnsApiUrl: string;
  readonly dnsApiToken: string;
  readonly dnsZoneId: string;
  readonly retrySpeedup: number;
  /** Divides the times in which a request, a consumer or a gateway works. */
  readonly leaseSpeedup: number;
  readonly webhookAllowPrivate: boolean;
  /** The first part of a webhook delivery's header names: `Service` in `Service-Signature`. */
  readonly headerPrefix: string;
  /** The shards that take new teams: at least one. Each has a binding. */
  readonly newTeamShards: readonly number[];
  /** Time for which an isolate collects counts before a transfer (metrics/isolate-counts.ts). */
  readonly metricsFlushMs: number;
}

/** The SMTP server that the courier `smtp` hands mail to. */
export interface SmtpRelay {
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte, as on port 465. False: STARTTLS, which the relay must offer. */
  readonly implicitTls: boolean;
  readonly username: string;
  readonly password: string;
}

const SIGNING_KEY_MIN_CHARACTERS = 32;
const ENCRYPTION_KEY_BYTES = 32;
const DEFAULT_HEADER_PREFIX = "Service";
/**
 * A valid HEADER_PREFIX has letters, digits and single dashes. `Webhook` is excluded, because the
 * Standard Webhooks scheme owns the name `webhook-signature`.
 */
const HEADER_PREFIX = /^(?!webhook$)(?=.{1,32}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/i;

const SUBMISSIONS_PORT = 465;
/** Workers cannot connect to port 25. */
const SMTP_PORT = 25;
const ADDRESS =
  /^[^\s@<>"(),:;[\\\]\p{Cc}]{1,64}@((?=.{1,253}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)$/iu;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i;

/** The log redacts the values of these settings in every line. */
const SECRETS = [
  "ADMIN_TOKEN",
  "GATEWAY_TOKEN",
  "SIGNING_KEY",
  "KEY_ENCRYPTION_KEY",
  "DNS_API_TOKEN",
  "SMTP_RELAY_PASSWORD",
] as const;
const DEFAULT_FLUSH_SECONDS = 10;
/** Cloudflare lets work run for at most 30 s after the response. */
const LONGEST_FLUSH_SECONDS = 20;

const parsed = new WeakMap<Env, Settings>();

/** The condition under which this deployment can use each courier. */
const NEEDS: Readonly<
  Record<CourierName, (env: Env, settings: Pick<Settings, "egressUrls" | "relay">) => boolean>
> = {
  gateway: (_, { egressUrls }) => egressUrls.length > 0,
  smtp: (_, { relay }) => relay !== null,
  cloudflare: ({ EMAIL }) => EMAIL !== undefined,
};

/** Tells whether this deployment can send through the courier. */
export function isSetUp(
  courier: CourierName,
  env: Env,
  settings: Pick<Settings, "egressUrls" | "relay">,
): boolean {
  return NEEDS[courier](env, settings);
}

/**
 * Returns the parsed settings. Throws a plain Error that names the first missing or malformed
 * setting.
 */
export function settingsOf(env: Env): Settings {
  const known = parsed.get(env);
  if (known) return known;
  configureLog(
    logLevelOf(env),
    SECRETS.map((name) => env[name]),
    isLocal(env),
  );
  const settings = parse(env);
  parsed.set(env, settings);
  return settings;
}

/** Tells whether the worker runs on a developer's machine, by secrets that only work there. */
export function isLocal(env: Env): boolean {
  return mayUseLocalSecrets(env.SERVICE_DOMAIN) && SECRETS.some((name) => isLocalSecret(env[name]));
}

function parse(env: Env): Settings {
  refuseLocalSecrets(env);
  const serviceDomain = requireSetting(env, "SERVICE_DOMAIN").toLowerCase();
  const outbound = outboundOf(env);
  const signingKey = requireSetting(env, "SIGNING_KEY");
  if (signingKey.length < SIGNING_KEY_MIN_CHARACTERS)
    throw new Error(
      `setting SIGNING_KEY must have at least ${SIGNING_KEY_MIN_CHARACTERS} characters`,
    );
  const keyEncryptionKey = decodeBase64(requireSetting(env, "KEY_ENCRYPTION_KEY"));
  if (keyEncryptionKey?.length !== ENCRYPTION_KEY_BYTES)
    throw new Error(`setting KEY_ENCRYPTION_KEY must be ${ENCRYPTION_KEY_BYTES} bytes in base64`);
  return {
    serviceDomain,
    serviceName: serviceNameOf(env.SERVICE_NAME, serviceDomain),
    publicUrl: publicUrlOf(env),
    postmasterAddress: postmasterAddressOf(env, serviceDomain),
    outbound,
    egressUrls: gatewayUrlsOf(
      "EGRESS_URL",
      outbound === "gateway" ? requireSetting(env, "EGRESS_URL") : env.EGRESS_URL,
    ),
    leavingUrls: gatewayUrlsOf("EGRESS_LEAVING", env.EGRESS_LEAVING),
    relay: relayOf(env, outbound === "smtp"),
    adminToken: adminTokenOf(env),
    gatewayToken: requireSetting(env, "GATEWAY_TOKEN"),
    signingKey,
    keyEncryptionKey,
    dnsResolverUrl: requireSetting(env, "DNS_RESOLVER_URL"),
    dnsApiUrl: requireSetting(env, "DNS_API_URL").replace(/\/$/, ""),
    dnsApiToken: env.DNS_API_TOKEN ?? "",
    dnsZoneId: env.DNS_ZONE_ID ?? "",
    retrySpeedup: divisorOf(env, "RETRY_SPEEDUP"),
    leaseSpeedup: divisorOf(env, "LEASE_SPEEDUP"),
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE === "true",
    headerPrefix: headerPrefixOf(env),
    newTeamShards: newTeamShardsOf(env),
    metricsFlushMs: metricsFlushMsOf(env),
  };
}

function refuseLocalSecrets(env: Env): void {
  const local = mayUseLocalSecrets(env.SERVICE_DOMAIN)
    ? undefined
    : SECRETS.find((name) => isLocalSecret(env[name]));
  if (local !== undefined)
    throw new Error(
      `setting ${local} is a local secret; a SERVICE_DOMAIN outside .test needs a secret of its own`,
    );
}

/** Returns the numbers of the shards that have a binding, in ascending order. */
export function boundShards(env: Env): number[] {
  return Object.keys(env)
    .flatMap((name) => /^SHARD_(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((left, right) => left - right);
}

function newTeamShardsOf(env: Env): readonly number[] {
  const bound = boundShards(env);
  if (!env.SHARDS_FOR_NEW_TEAMS) return bound;
  const wanted = env.SHARDS_FOR_NEW_TEAMS.split(",").map((part) =>
    /^\s*\d+\s*$/.test(part) ? Number(part) : -1,
  );
  if (!wanted.every((shard) => bound.includes(shard)))
    throw new Error(
      `setting SHARDS_FOR_NEW_TEAMS must be numbers of shards with a binding (${bound.join(", ")}), separated by commas`,
    );
  return wanted;
}

function outboundOf(env: Env): CourierName {
  const name = requireSetting(env, "OUTBOUND");
  const outbound = COURIERS.find((known) => known === name);
  if (!outbound) throw new Error(`setting OUTBOUND must be one of ${COURIERS.join(", ")}`);
  if (outbound === "cloudflare" && !env.EMAIL)
    throw new Error(
      "setting OUTBOUND=cloudflare needs the binding EMAIL (send_email) in wrangler.toml",
    );
  return outbound;
}

/** Parses e.g. `https://egress-a.example.com,https://egress-b.example.com`. */
function gatewayUrlsOf(name: "EGRESS_URL" | "EGRESS_LEAVING", given = ""): string[] {
  const listed = given.split(",").map((url) => url.trim().replace(/\/$/, ""));
  const urls = [...new Set(listed.filter((url) => url !== ""))];
  const isUsable = (text: string): boolean => {
    const url = URL.parse(text);
    return (
      url !== null &&
      /^https?:$/.test(url.protocol) &&
      url.search === "" &&
      url.hash === "" &&
      url.username === ""
    );
  };
  if (urls.every(isUsable) && (given === "" || urls.length > 0)) return urls;
  throw new Error(`setting ${name} must be one or more http or https URLs, separated by commas`);
}

/** Refuses an address at one of the service's own hosts, because forwarding to it would loop. */
function postmasterAddressOf(env: Env, serviceDomain: string): string | null {
  const { POSTMASTER_ADDRESS: address } = env;
  if (!address) return null;
  const [, host = ""] = ADDRESS.exec(address) ?? [];
  const isOurs =
    [serviceDomain, `feedback.${serviceDomain}`].includes(host.toLowerCase()) ||
    /^bounces\./i.test(host);
  if (host === "" || isOurs)
    throw new Error(
      "setting POSTMASTER_ADDRESS must be a mail address that is not at one of the service's own hosts",
    );
  return address;
}

/**
 * Parses the relay's settings, all of which are required. If none is set, returns null, or throws
 * if the relay is `needed`.
 */
function relayOf(env: Env, needed: boolean): SmtpRelay | null {
  const { SMTP_RELAY_HOST, SMTP_RELAY_PORT, SMTP_RELAY_USERNAME, SMTP_RELAY_PASSWORD } = env;
  const given = [SMTP_RELAY_HOST, SMTP_RELAY_PORT, SMTP_RELAY_USERNAME, SMTP_RELAY_PASSWORD];
  if (!needed && !given.some(Boolean)) return null;
  const host = requireSetting(env, "SMTP_RELAY_HOST");
  if (!HOST_NAME.test(host)) throw new Error("setting SMTP_RELAY_HOST must be a host name");
  const port = Number(requireSetting(env, "SMTP_RELAY_PORT"));
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || port === SMTP_PORT)
    throw new Error(
      "setting SMTP_RELAY_PORT must be a port such as 587, 465 or 2525; port 25 is closed to Workers",
    );
  const username = requireSetting(env, "SMTP_RELAY_USERNAME");
  const password = requireSetting(env, "SMTP_RELAY_PASSWORD");
  if (`${username}${password}`.includes("\0"))
    throw new Error("settings SMTP_RELAY_USERNAME and SMTP_RELAY_PASSWORD must not contain NUL");
  return { host, port, implicitTls: port === SUBMISSIONS_PORT, username, password };
}

/**
 * Wrong tokens never block the right token, so the token must be too long to guess (contract.md
 * §Failed authentication).
 */
function adminTokenOf({ ADMIN_TOKEN }: Env): string | null {
  if (!ADMIN_TOKEN) return null;
  if (ADMIN_TOKEN.length < ADMIN_TOKEN_MIN_CHARACTERS)
    throw new Error(
      `setting ADMIN_TOKEN must have at least ${ADMIN_TOKEN_MIN_CHARACTERS} characters`,
    );
  return ADMIN_TOKEN;
}

function logLevelOf({ LOG_LEVEL }: Env): LogLevel {
  const level = LOG_LEVELS.find((known) => known === (LOG_LEVEL || "info"));
  if (!level) throw new Error(`setting LOG_LEVEL must be one of ${LOG_LEVELS.join(", ")}`);
  return level;
}

/**
 * Parses METRICS_FLUSH_SECONDS alone, because counting continues while another setting is missing.
 * Throws as settingsOf() does.
 */
export function metricsFlushMsOf({ METRICS_FLUSH_SECONDS }: Env): number {
  const seconds = Number(METRICS_FLUSH_SECONDS || DEFAULT_FLUSH_SECONDS);
  if (!(seconds >= 0 && seconds <= LONGEST_FLUSH_SECONDS))
    throw new Error(`setting METRICS_FLUSH_SECONDS must be 0 to ${LONGEST_FLUSH_SECONDS} seconds`);
  return seconds * 1_000;
}

function headerPrefixOf(env: Env): string {
  const prefix = env.HEADER_PREFIX || DEFAULT_HEADER_PREFIX;
  if (!HEADER_PREFIX.test(prefix))
    throw new Error(
      "setting HEADER_PREFIX must be at most 32 letters, digits and single dashes, and not `Webhook`",
    );
  return prefix;
}

/** Parses PUBLIC_URL, which defaults to the service's own domain over https. */
function publicUrlOf(env: Env): string {
  const url = URL.parse(env.PUBLIC_URL || `https://${requireSetting(env, "SERVICE_DOMAIN")}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "")
    throw new Error("setting PUBLIC_URL must be an http or https URL");
  return url.href.replace(/\/$/, "");
}

function requireSetting(
  env: Env,
  name:
    | "OUTBOUND"
    | "SERVICE_DOMAIN"
    | "EGRESS_URL"
    | "SMTP_RELAY_HOST"
    | "SMTP_RELAY_PORT"
    | "SMTP_RELAY_USERNAME"
    | "SMTP_RELAY_PASSWORD"
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
