// Parses the operator's settings, once per isolate. The service fails closed: if a required setting
// is missing or malformed, every request that needs the settings gets 500, and the log names the
// setting. A setting that protects something has no default.
import type { ContentBounds, ContentDays } from "./content-days.ts";
import type { Env } from "./env.ts";
import { decodeBase64 } from "./lib/crypto/base64.ts";
import { isLocalSecret, mayUseLocalSecrets } from "./lib/local-secrets.ts";
import { configureLog, LOG_LEVELS, logWarning } from "./lib/log.ts";
import { findNearest } from "./lib/nearest-name.ts";
import { SECOND_MS } from "./limits.ts";
import { listedUrls } from "./operator/setting-form.ts";
import {
  SECRET_NAMES,
  SETTING_NAMES,
  type SettingName,
  settingOf,
  settingProblem,
  SETTINGS,
} from "./operator/setting-table.ts";
import { nameAfter } from "./service-name.ts";

/** The couriers that can carry mail (docs/couriers.md). */
export const COURIERS = SETTINGS.OUTBOUND.form.choices;
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
  /** URLs of gateways that get no new mail, but are still asked about their copies. */
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
  /** The means by which customers' tracking hosts lead to the worker (docs/tracking.md §Hosts). */
  readonly trackingHosts: "custom_hostnames" | "direct";
  /**
   * The API token that onboards domains to Cloudflare's Email Service. Empty: the operator onboards
   * each domain.
   */
  readonly emailApiToken: string;
  readonly retrySpeedup: number;
  /** Divides the leases, locks and waits that last while a request, consumer or gateway works. */
  readonly leaseSpeedup: number;
  readonly webhookAllowPrivate: boolean;
  /** The first part of a webhook delivery's header names: `Service` in `Service-Signature`. */
  readonly headerPrefix: string;
  /** The shards that get new teams: at least one. Each has a binding. */
  readonly newTeamShards: readonly number[];
  /** Time for which an isolate collects counts, until metrics/isolate-counts.ts transfers them. */
  readonly metricsFlushMs: number;
  readonly content: ContentBounds;
  /** Cloudflare Access in front of the console. Null: keys sign in. */
  readonly access: AccessSettings | null;
  /** False: keys do not sign in to the console after the first person has signed in. */
  readonly keysSignIn: boolean;
  /** The sender of invitations by mail. Null: invitations are only links. */
  readonly notices: { readonly teamId: string; readonly from: string } | null;
  /** Time for which entries of the trail are kept, in days. */
  readonly auditDays: number;
}

/** The Access application whose assertions open sessions for people (docs/people.md). */
export interface AccessSettings {
  /** The URL of the Access team, without a final slash: `https://acme.cloudflareaccess.com`. */
  readonly issuer: string;
  readonly audience: string;
  /** The console's origin. Assertions are valid only at its host. */
  readonly consoleUrl: string;
}

/** Returns the URL of the keys that verify assertions. */
export function certificatesUrl({ issuer }: AccessSettings): string {
  return `${issuer}/cdn-cgi/access/certs`;
}

/** The SMTP server to which the courier `smtp` sends mail. */
export interface SmtpRelay {
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte, as on port 465. False: STARTTLS, which the relay must offer. */
  readonly implicitTls: boolean;
  readonly username: string;
  readonly password: string;
}

/** A connection to this port uses TLS from the first byte. */
const SUBMISSIONS_PORT = 465;

const parsed = new WeakMap<Env, Settings>();

/** Tells whether this deployment can send through the courier. */
export function isSetUp(courier: CourierName, env: Env, settings: Settings): boolean {
  switch (courier) {
    case "gateway":
      return settings.egressUrls.length > 0;
    case "smtp":
      return settings.relay !== null;
    case "cloudflare":
      return env.EMAIL !== undefined;
  }
}

/** Returns the parsed settings. Throws a plain Error that names the first wrong setting. */
export function settingsOf(env: Env): Settings {
  const known = parsed.get(env);
  if (known) return known;
  configureLog(
    LOG_LEVELS.find((level) => level === readSetting(env, "LOG_LEVEL")) ?? "info",
    SECRET_NAMES.map((name) => env[name]),
    isLocal(env),
  );
  for (const { name, nearest } of misspeltSettings(env))
    logWarning("setting_unknown", { setting: name, nearest });
  const settings = parse(env);
  parsed.set(env, settings);
  return settings;
}

/** Tells whether the worker runs on a developer's machine, by secrets that only work there. */
export function isLocal(env: Env): boolean {
  return (
    mayUseLocalSecrets(env.SERVICE_DOMAIN) && SECRET_NAMES.some((name) => isLocalSecret(env[name]))
  );
}

/**
 * Returns the variables whose names are nearly names of settings. Variables with other names may be
 * the operator's own.
 */
export function misspeltSettings(
  env: Env,
): { readonly name: string; readonly nearest: SettingName }[] {
  const known: ReadonlySet<string> = new Set(SETTING_NAMES);
  return Object.entries(env).flatMap(([name, value]) => {
    if (typeof value !== "string" || known.has(name)) return [];
    const nearest = findNearest(name, SETTING_NAMES) as SettingName | undefined;
    return nearest === undefined ? [] : [{ name, nearest }];
  });
}

function parse(env: Env): Settings {
  refuseLocalSecrets(env);
  for (const name of SETTING_NAMES) readSetting(env, name);
  const serviceDomain = requireSetting(env, "SERVICE_DOMAIN").toLowerCase();
  const outbound = outboundOf(env);
  const keyEncryptionKey = decodeBase64(requireSetting(env, "KEY_ENCRYPTION_KEY"));
  if (keyEncryptionKey === undefined) throw new Error("setting KEY_ENCRYPTION_KEY is not base64");
  if (outbound === "gateway") requireSetting(env, "EGRESS_URL");
  return {
    serviceDomain,
    serviceName: readSetting(env, "SERVICE_NAME") || nameAfter(serviceDomain),
    publicUrl: publicUrlOf(env, serviceDomain),
    postmasterAddress: postmasterAddressOf(env, serviceDomain),
    outbound,
    egressUrls: listedUrls(readSetting(env, "EGRESS_URL")),
    leavingUrls: listedUrls(readSetting(env, "EGRESS_LEAVING")),
    relay: relayOf(env, outbound === "smtp"),
    adminToken: readSetting(env, "ADMIN_TOKEN") || null,
    gatewayToken: requireSetting(env, "GATEWAY_TOKEN"),
    signingKey: requireSetting(env, "SIGNING_KEY"),
    keyEncryptionKey,
    dnsResolverUrl: requireSetting(env, "DNS_RESOLVER_URL"),
    dnsApiUrl: requireSetting(env, "DNS_API_URL").replace(/\/$/, ""),
    dnsApiToken: readSetting(env, "DNS_API_TOKEN"),
    dnsZoneId: readSetting(env, "DNS_ZONE_ID"),
    trackingHosts: readSetting(env, "TRACKING_HOSTS") as Settings["trackingHosts"],
    emailApiToken: readSetting(env, "EMAIL_API_TOKEN"),
    retrySpeedup: Number(readSetting(env, "RETRY_SPEEDUP")),
    leaseSpeedup: Number(readSetting(env, "LEASE_SPEEDUP")),
    webhookAllowPrivate: readSetting(env, "WEBHOOK_ALLOW_PRIVATE") === "true",
    headerPrefix: readSetting(env, "HEADER_PREFIX"),
    newTeamShards: newTeamShardsOf(env),
    metricsFlushMs: metricsFlushMsOf(env),
    content: {
      standard: Number(readSetting(env, "CONTENT_DAYS")) as ContentDays,
      most: Number(readSetting(env, "CONTENT_DAYS_MOST")) as ContentDays,
    },
    access: accessOf(env, serviceDomain),
    keysSignIn: readSetting(env, "CONSOLE_KEYS") === "true",
    notices: noticesOf(env),
    auditDays: Number(readSetting(env, "AUDIT_DAYS")),
  };
}

function refuseLocalSecrets(env: Env): void {
  const local = mayUseLocalSecrets(env.SERVICE_DOMAIN)
    ? undefined
    : SECRET_NAMES.find((name) => isLocalSecret(env[name]));
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
  const given = readSetting(env, "SHARDS_FOR_NEW_TEAMS");
  if (given === "") return bound;
  const wanted = given.split(",").map(Number);
  if (!wanted.every((shard) => bound.includes(shard)))
    throw new Error(
      `setting SHARDS_FOR_NEW_TEAMS must be numbers of shards with a binding (${bound.join(", ")}), separated by commas`,
    );
  return wanted;
}

function outboundOf(env: Env): CourierName {
  const outbound = requireSetting(env, "OUTBOUND") as CourierName;
  if (outbound === "cloudflare" && !env.EMAIL)
    throw new Error(
      "setting OUTBOUND=cloudflare needs the binding EMAIL (send_email) in wrangler.toml",
    );
  return outbound;
}

/** Returns PUBLIC_URL, which defaults to the service's own domain over https. */
function publicUrlOf(env: Env, serviceDomain: string): string {
  const url = URL.parse(readSetting(env, "PUBLIC_URL") || `https://${serviceDomain}`);
  if (url === null) throw new Error("setting SERVICE_DOMAIN must be a host name");
  return url.href.replace(/\/$/, "");
}

function accessOf(env: Env, serviceDomain: string): AccessSettings | null {
  if (readSetting(env, "ACCESS_ISSUER") === "") return null;
  return {
    issuer: requireSetting(env, "ACCESS_ISSUER").replace(/\/$/, ""),
    audience: requireSetting(env, "ACCESS_AUDIENCE"),
    consoleUrl: new URL(readSetting(env, "CONSOLE_URL") || publicUrlOf(env, serviceDomain)).origin,
  };
}

function noticesOf(env: Env): Settings["notices"] {
  if (readSetting(env, "NOTICES_TEAM") === "") return null;
  return { teamId: requireSetting(env, "NOTICES_TEAM"), from: requireSetting(env, "NOTICES_FROM") };
}

/** Refuses an address at one of the service's own hosts, because forwarding to it would loop. */
function postmasterAddressOf(env: Env, serviceDomain: string): string | null {
  const address = readSetting(env, "POSTMASTER_ADDRESS");
  const host = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  if ([serviceDomain, `feedback.${serviceDomain}`].includes(host) || host.startsWith("bounces."))
    throw new Error(`setting POSTMASTER_ADDRESS ${SETTINGS.POSTMASTER_ADDRESS.form.must}`);
  return address || null;
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
  const port = Number(requireSetting(env, "SMTP_RELAY_PORT"));
  return {
    host,
    port,
    implicitTls: port === SUBMISSIONS_PORT,
    username: requireSetting(env, "SMTP_RELAY_USERNAME"),
    password: requireSetting(env, "SMTP_RELAY_PASSWORD"),
  };
}

/**
 * Parses METRICS_FLUSH_SECONDS alone, because counting must work while another setting is missing.
 * Throws a plain Error if the value is malformed.
 */
export function metricsFlushMsOf(env: Env): number {
  return Number(readSetting(env, "METRICS_FLUSH_SECONDS")) * SECOND_MS;
}

/** Returns a setting's value, or its default, or "". Throws an Error for a malformed value. */
function readSetting(env: Env, name: SettingName): string {
  const value = env[name] || settingOf(name).standard || "";
  const problem = value === "" ? null : settingProblem(name, value);
  if (problem !== null) throw new Error(`setting ${name} ${problem}`);
  return value;
}

function requireSetting(env: Env, name: SettingName): string {
  const value = readSetting(env, name);
  if (value !== "") return value;
  const wrong = misspeltSettings(env).find(({ nearest }) => nearest === name);
  throw new Error(
    `setting ${name} is missing${wrong ? `; ${wrong.name} is set, which may be a misspelling` : ""}`,
  );
}
