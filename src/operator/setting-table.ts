// Every setting of the worker: its form, its default and its texts. The type Env, the parser
// (settings.ts), set-up's questions, the Deploy to Cloudflare button, .dev.vars.example and
// docs/settings.md are made from this table (docs/settings.md §Settings of the worker). Pure.
import { PEOPLE_SETTINGS } from "./people-settings.ts";
import { formProblem, type SettingEntry, type SettingForm } from "./setting-form.ts";

/** The numbers of days for which a team can keep its mail's content. 0: it is not kept. */
export const CONTENT_DAYS = [0, 3, 7, 30] as const;

const TEXT: SettingForm = { kind: "text" };
const FLAG: SettingForm = { kind: "flag" };

export const SETTINGS = {
  SERVICE_DOMAIN: {
    form: TEXT,
    shipped: "postern.example",
    meaning:
      "the service's own domain. DKIM keys, return-paths and tracking hosts are published " +
      "below it ([dns.md](dns.md))",
    question:
      "Service domain (its own name in a Cloudflare zone of yours, such as post.example.com; " +
      "customers' DNS records point below it, so it can't change later)",
    button:
      "The service's own name in a Cloudflare zone of yours, such as `post.example.com`. " +
      "Customers' DNS records point below it, so it **can't change later**.",
  },
  PUBLIC_URL: {
    form: { kind: "url" },
    meaning:
      "the URL at which recipients reach the worker; unsubscribe links begin with it. Without " +
      "it: `https://<SERVICE_DOMAIN>`",
    question: "Public URL of the API and of recipients' links",
  },
  POSTMASTER_ADDRESS: {
    form: {
      kind: "pattern",
      pattern: /^[^\s@<>"(),:;[\\\]\p{Cc}]{1,64}@(?=.{1,253}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/iu,
      must: "be a mail address that is not at one of the service's own hosts",
    },
    meaning:
      "the address that gets the mail to [postmaster](complaints.md#postmaster). Without it, " +
      "such mail is accepted and dropped",
    question:
      "Your own mail address, for mail to postmaster at the service domain and the bounce " +
      "domains (empty: such mail is accepted and dropped)",
  },
  SERVICE_NAME: {
    form: {
      kind: "pattern",
      pattern: /^[a-z0-9.-]{5,15}$/i,
      must: "be 5 to 15 letters, digits, dots and hyphens",
    },
    meaning:
      "the service's unique name in [`Feedback-ID`](complaints.md). Without it: " +
      "`SERVICE_DOMAIN` if it is such a name, else its beginning and a hash of it",
    question:
      "The service's name in Feedback-ID, 5 to 15 characters (empty: derived from the service " +
      "domain)",
  },
  OUTBOUND: {
    form: { kind: "choice", choices: ["gateway", "smtp", "cloudflare"] },
    shipped: "cloudflare",
    meaning: "the courier that carries mail ([couriers.md](couriers.md))",
    question:
      "Courier that delivers mail: cloudflare (needs no host), gateway (a host of yours) or smtp " +
      "(a relay; docs/couriers.md)",
    button:
      "What carries mail away: `cloudflare` (Email Service, which needs no host of yours), " +
      "`gateway` (a host of yours with port 25) or `smtp` (a relay).",
  },
  EGRESS_URL: {
    form: { kind: "urls" },
    shipped: "",
    meaning:
      "the gateway's URL, required for `gateway`; of [several " +
      "hosts](../smtp-gateway/README.md#several-hosts) all",
    question:
      "URL of the gateway's egress (smtp-gateway/README.md; for several hosts, separate the " +
      "URLs with commas)",
    button:
      "Leave it empty, unless the courier is `gateway`: then the https URL at which the " +
      "gateway takes messages, such as `https://mx.example.com`; of several gateways all, " +
      "with commas.",
  },
  EGRESS_LEAVING: {
    form: { kind: "urls" },
    meaning:
      "the URLs of gateways that get no new mail, but are still asked about the copies they have; " +
      "usually empty",
  },
  SMTP_RELAY_HOST: {
    form: {
      kind: "pattern",
      pattern: /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i,
      must: "be a host name",
    },
    meaning: "the relay of `smtp`",
    question: "The relay's host",
  },
  SMTP_RELAY_PORT: {
    form: { kind: "port" },
    meaning: "the relay's port",
    question: "The relay's port",
  },
  SMTP_RELAY_USERNAME: {
    form: { kind: "pattern", pattern: /^[^\0]*$/, must: "be text without NUL" },
    meaning: "the relay's user name",
    question: "The relay's user name",
  },
  DNS_RESOLVER_URL: {
    form: { kind: "url" },
    shipped: "https://cloudflare-dns.com/dns-query",
    meaning: "DNS over HTTPS (RFC 8484) for verifying domains",
    button: "DNS over HTTPS, for verifying sending domains. Leave it as it is.",
  },
  DNS_API_URL: {
    form: { kind: "url" },
    shipped: "https://api.cloudflare.com/client/v4",
    meaning: "the Cloudflare DNS API",
    button: "Cloudflare's API. Leave it as it is.",
  },
  DNS_ZONE_ID: {
    form: TEXT,
    shipped: "",
    meaning: "the id of the zone of `SERVICE_DOMAIN`",
    question: "Id of the zone (empty: looked up from the service domain)",
    button:
      "Id of the zone that holds `SERVICE_DOMAIN`: 32 hexadecimal digits on the zone's " +
      "[overview page](https://dash.cloudflare.com/?to=/:account/:zone).",
  },
  WEBHOOK_ALLOW_PRIVATE: {
    form: FLAG,
    standard: "false",
    meaning: "allows webhooks to loopback, over http too. Only for local development and tests",
  },
  HEADER_PREFIX: {
    form: {
      kind: "pattern",
      // The prefix `webhook` is not allowed, because the Standard Webhooks scheme owns the header
      // name `webhook-signature`.
      pattern: /^(?!webhook$)(?=.{1,32}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/i,
      must: "be at most 32 letters, digits and single dashes, and not `Webhook`",
    },
    standard: "Service",
    meaning: "the first part of the header names of webhook deliveries",
  },
  LOG_LEVEL: {
    form: { kind: "choice", choices: ["info", "warning", "error", "none"] },
    standard: "info",
    meaning: "the lowest level that is [logged](logs.md)",
  },
  ACCESS_LOG: { form: FLAG, standard: "false", meaning: "logs every request" },
  JURISDICTION: {
    form: { kind: "choice", choices: ["any", "eu"] },
    standard: "any",
    meaning:
      "`eu`: databases, the bucket, queues and all objects run and store only in the EU. It " +
      "can't change after the first mail ([near-its-users.md](near-its-users.md#eu-only))",
    question:
      "Where data rests: any, or eu (only in the EU; docs/near-its-users.md says what that " +
      "leaves out; it can't change later)",
  },
  SHARDS_FOR_NEW_TEAMS: {
    form: {
      kind: "pattern",
      pattern: /^\s*\d+\s*(?:,\s*\d+\s*)*$/,
      must: "be numbers of shards with a binding, separated by commas",
    },
    meaning:
      "the shards that take new teams ([scaling.md](scaling.md#adding-a-shard)). Without it: " +
      "every shard that has a binding",
  },
  TRACKING_HOSTS: {
    form: { kind: "choice", choices: ["custom_hostnames", "direct"] },
    standard: "custom_hostnames",
    meaning:
      "how customers' [tracking hosts](tracking.md#hosts) lead to the worker: `custom_hostnames` of the zone DNS_ZONE_ID, or `direct`, where something other than a Cloudflare zone stands in front",
    question:
      "How tracking hosts lead to the worker: custom_hostnames of the zone, or direct (another " +
      "proxy than a Cloudflare zone; docs/tracking.md)",
  },
  CONTENT_DAYS: {
    form: { kind: "choice", choices: CONTENT_DAYS.map(String) },
    standard: "0",
    meaning:
      "for how many days the [content of sent mail](contract/sending.md#515-kept-content) is kept, unless a team chooses otherwise. 3 on the local stack",
  },
  CONTENT_DAYS_MOST: {
    form: { kind: "choice", choices: CONTENT_DAYS.map(String) },
    standard: "30",
    meaning: "the most days of kept content that a team may choose",
  },
  AUDIT_DAYS: {
    form: { kind: "number", least: 1, most: 3_650 },
    standard: "90",
    meaning: "for how many days [the trail](audit.md) keeps who changed what",
  },
  ...PEOPLE_SETTINGS,
  METRICS_FLUSH_SECONDS: {
    // The maximum is 20 s, because Cloudflare lets work run for at most 30 s after the response.
    form: { kind: "number", least: 0, most: 20 },
    standard: "10",
    meaning: "how many seconds an isolate collects counts before it transfers them",
  },
  RETRY_SPEEDUP: {
    form: { kind: "number", least: 1 },
    standard: "1",
    meaning:
      "divides by this number the schedules of deliveries and webhooks: the waits between " +
      "attempts and the 72 hours. Only for demonstrations and tests",
  },
  LEASE_SPEEDUP: {
    // The maximum is 12: a lease of two minutes then lasts ten seconds, in which even a slow
    // machine can transfer its copies.
    form: { kind: "number", least: 1, most: 12 },
    standard: "1",
    meaning:
      "divides by this number the leases and locks of running work, the waits before a gateway " +
      "is asked, and the waits before a release is repeated. Only for tests",
  },
  CRASH_POINT_URL: {
    form: { kind: "url" },
    meaning: "only for a crash harness ([architecture.md](architecture.md))",
  },
  SMTP_RELAY_PASSWORD: {
    form: { kind: "pattern", pattern: /^[^\0]*$/, must: "be text without NUL" },
    meaning: "the relay's password",
    question: "The relay's password",
    secret: {},
  },
  ADMIN_TOKEN: {
    // The minimum is 32 characters: wrong tokens never block the right token, so the token must be
    // too long to guess (contract.md §Failed authentication).
    form: { kind: "text", least: 32 },
    meaning: "the operator's bearer token (`openssl rand -hex 24`)",
    button:
      "Opens `/admin`, where teams are made: yours alone. At least 32 characters: generate it " +
      "with `openssl rand -hex 24`, and keep it.",
    secret: {
      example: [
        "openssl-rand-hex-24",
        "at least 32 characters; opens /admin, where teams are made: yours alone",
      ],
    },
  },
  GATEWAY_TOKEN: {
    form: TEXT,
    meaning: "the token that the worker shares with the gateway",
    button:
      "Shared by the worker and the gateway. Generate it with `openssl rand -hex 24`, without " +
      "a gateway too, and give a gateway the same.",
    secret: {
      example: [
        "openssl-rand-hex-24",
        "shared by the worker and the gateway; needed without a gateway too",
      ],
    },
  },
  SIGNING_KEY: {
    form: { kind: "text", least: 32 },
    meaning: "signs cursors, return-paths, unsubscribe links and tracked links",
    button:
      "Signs return-paths and links in mail. Generate it with `openssl rand -hex 32`, and " +
      "keep it: without it bounces of sent mail can't be read.",
    secret: {
      example: [
        "openssl-rand-hex-32",
        "at least 32 characters; without it bounces of sent mail can't be read and its links " +
          "are dead",
      ],
    },
  },
  KEY_ENCRYPTION_KEY: {
    form: { kind: "key", bytes: 32 },
    meaning: "encrypts DKIM private keys and webhook secrets (`openssl rand -base64 32`)",
    button:
      "Encrypts DKIM keys and webhook secrets. Generate it with `openssl rand -base64 32`, " +
      "and keep it: **without it they are lost**.",
    secret: {
      example: [
        "openssl-rand-base64-32",
        "base64 of 32 bytes; without it every DKIM key and webhook secret is lost",
      ],
    },
  },
  DNS_API_TOKEN: {
    form: TEXT,
    meaning:
      "a token that may edit the zone's DNS records, and its custom hostnames for [tracking " +
      "hosts](tracking.md#hosts)",
    question:
      "Cloudflare API token for the zone: template Edit zone DNS, with Zone · SSL and " +
      "Certificates · Edit for tracking hosts (dash.cloudflare.com/profile/api-tokens)",
    button:
      "An [API token](https://dash.cloudflare.com/profile/api-tokens) of the template __Edit " +
      "zone DNS__ for the zone of `SERVICE_DOMAIN`, with __SSL and Certificates · Edit__ for " +
      "tracking hosts.",
    secret: {
      example: [
        "token-of-the-template-edit-zone-dns",
        "may edit the DNS of the zone that holds SERVICE_DOMAIN",
      ],
    },
  },
  EMAIL_API_TOKEN: {
    form: TEXT,
    meaning:
      "optional: a token with which the service [onboards domains](dns.md#the-records-of-cloudflares-email-service) to the Email Service. It needs *Zone · Zone · Read* and *Zone · Email Sending · Edit* on the zones of these domains, and *Account · Queues · Edit*. With *Account · Email Routing Addresses · Read* the service also knows the account's [verified destinations](couriers.md#verified-destinations). Without the token, the operator onboards each domain",
    question:
      "Cloudflare API token with which the service onboards every team's domains (Zone · Zone · " +
      "Read, Zone · Email Sending · Edit, Account · Queues · Edit; empty: you onboard them)",
    secret: {},
  },
} as const satisfies Readonly<Record<string, SettingEntry>>;

export type SettingName = keyof typeof SETTINGS;

/** The settings as texts, in the form of the worker's environment. */
export type SettingTexts = { readonly [Name in SettingName]?: string };

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Returns a setting's entry, with all its optional members in its type. */
export function settingOf(name: SettingName): SettingEntry {
  return SETTINGS[name];
}

export const SECRET_NAMES = SETTING_NAMES.filter((name) => settingOf(name).secret !== undefined);

/** Returns the problem of a setting's value, to follow the setting's name. Null: it is valid. */
export function settingProblem(name: SettingName, value: string): string | null {
  return formProblem(settingOf(name).form, value);
}
