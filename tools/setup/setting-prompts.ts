// Lists the questions of set-up in order. Each question has a default, a validation rule and a
// condition. An answer comes from the environment, or else from an earlier run, or else from the
// operator at the terminal. If none of these has an answer, the default is used.
import { isIP } from "node:net";
import * as rules from "./rules.ts";

export type SetupSettings = Readonly<Record<string, string>>;

export interface SettingPrompt {
  /**
   * Name of the environment variable. If the worker has a variable for this answer, it has the same
   * name.
   */
  readonly name: string;
  readonly text: string;
  readonly rule: rules.Rule;
  readonly isSecret?: boolean;
  /**
   * True: set-up does not ask the operator. The answer comes from the environment or an earlier
   * run, or it is the default.
   */
  readonly isUnasked?: (known: SetupSettings) => boolean;
  /**
   * Returns the default. Undefined means that an answer is required. "" means that the question is
   * optional. `given` contains all answers from the environment and from an earlier run, even to
   * later questions.
   */
  readonly fallback: (known: SetupSettings, given: SetupSettings) => string | undefined;
  readonly applies?: (known: SetupSettings) => boolean;
  /**
   * Names of other questions. Their answers give this question's default. If one of their answers
   * is missing, set-up reports only that answer as missing.
   */
  readonly follows?: readonly string[];
}

const none = (): undefined => undefined;
const always = (): boolean => true;
const byEmailService = ({ OUTBOUND }: SetupSettings): boolean => OUTBOUND === "cloudflare";
const byRelay = ({ OUTBOUND }: SetupSettings): boolean => OUTBOUND === "smtp";
/** The mail servers of Cloudflare's Email Service, which take its bounces. */
export const CLOUDFLARE_MX =
  "route1.mx.cloudflare.net,route2.mx.cloudflare.net,route3.mx.cloudflare.net";
export const CLOUDFLARE_SPF = "v=spf1 include:_spf.mx.cloudflare.net ~all";

export const SETTING_PROMPTS: readonly SettingPrompt[] = [
  {
    name: "SERVICE_DOMAIN",
    text:
      "Service domain (its own name in a Cloudflare zone of yours, such as post.example.com; " +
      "customers' DNS records point below it, so it can't change later)",
    rule: rules.serviceDomain,
    fallback: none,
  },
  {
    name: "PUBLIC_URL",
    text: "Public URL of the API and of recipients' links",
    rule: rules.webUrl,
    fallback: ({ SERVICE_DOMAIN }) =>
      SERVICE_DOMAIN === undefined ? undefined : `https://${SERVICE_DOMAIN}`,
    follows: ["SERVICE_DOMAIN"],
  },
  {
    name: "OUTBOUND",
    text:
      "Courier that delivers mail: cloudflare (needs no host), gateway (a host of yours) or smtp " +
      "(a relay; docs/couriers.md)",
    rule: rules.courier,
    fallback: (_, { EGRESS_URL, SMTP_RELAY_HOST }) =>
      EGRESS_URL ? "gateway" : SMTP_RELAY_HOST ? "smtp" : "cloudflare",
  },
  {
    name: "EGRESS_URL",
    text:
      "URL of the gateway's egress (smtp-gateway/README.md; for several hosts, separate the " +
      "URLs with commas)",
    rule: rules.webUrls,
    fallback: none,
    applies: ({ OUTBOUND }) => OUTBOUND === "gateway",
  },
  {
    name: "SMTP_RELAY_HOST",
    text: "The relay's host",
    rule: rules.hostName,
    fallback: none,
    applies: byRelay,
  },
  {
    name: "SMTP_RELAY_PORT",
    text: "The relay's port",
    rule: rules.relayPort,
    fallback: () => "587",
    applies: byRelay,
  },
  {
    name: "SMTP_RELAY_USERNAME",
    text: "The relay's user name",
    rule: rules.token,
    fallback: none,
    applies: byRelay,
  },
  {
    name: "SMTP_RELAY_PASSWORD",
    text: "The relay's password",
    rule: rules.token,
    isSecret: true,
    fallback: none,
    applies: byRelay,
  },
  {
    name: "DNS_API_TOKEN",
    text:
      "Cloudflare API token that may edit the zone's DNS " +
      "(dash.cloudflare.com/profile/api-tokens, template Edit zone DNS)",
    rule: rules.token,
    isSecret: true,
    fallback: none,
  },
  {
    name: "DNS_ZONE_ID",
    text: "Id of the zone (empty: looked up from the service domain)",
    rule: rules.zoneId,
    isUnasked: always,
    fallback: () => "",
  },
  {
    name: "MX_HOST",
    text:
      "Host that takes bounces on port 25: the gateway's name (for several hosts, separate the " +
      "names with commas)",
    rule: rules.hostNames,
    isUnasked: byEmailService,
    fallback: ({ OUTBOUND, EGRESS_URL }) =>
      OUTBOUND === "cloudflare" ? CLOUDFLARE_MX : hostsOf(EGRESS_URL),
    follows: ["OUTBOUND", "EGRESS_URL"],
  },
  {
    name: "SPF",
    text: "SPF record of the return-path: the addresses that mail leaves from",
    rule: rules.spf,
    isUnasked: byEmailService,
    fallback: spfFor,
    follows: ["OUTBOUND", "MX_HOST"],
  },
  {
    name: "TRACK_TARGET",
    text: "Host of tracking links (the worker's)",
    rule: rules.hostName,
    isUnasked: byEmailService,
    fallback: ({ PUBLIC_URL }) => hostOf(PUBLIC_URL),
    follows: ["PUBLIC_URL"],
  },
  {
    name: "POSTMASTER_ADDRESS",
    text:
      "Your own mail address, for mail to postmaster at the service domain and the bounce " +
      "domains (empty: such mail is accepted and dropped)",
    rule: rules.mailAddress,
    isUnasked: always,
    fallback: () => "",
  },
  {
    name: "SERVICE_NAME",
    text: "The service's name in Feedback-ID, 5 to 15 characters (empty: derived from the service domain)",
    rule: rules.serviceName,
    isUnasked: always,
    fallback: () => "",
  },
  {
    name: "TEAM_NAME",
    text: "Name of the first team",
    rule: rules.teamName,
    fallback: () => "First team",
  },
];

/**
 * The question for the first team's sending domain. Set-up asks it separately, after it has found
 * the zone.
 */
export const SENDING_DOMAIN: SettingPrompt = {
  name: "SENDING_DOMAIN",
  text:
    "Domain that the first team sends from, for a first message to the simulator (empty: none " +
    "yet)",
  rule: rules.hostName,
  fallback: ({ SERVICE_DOMAIN = "", ZONE = "" }) =>
    ZONE === "" || ZONE === SERVICE_DOMAIN ? "" : ZONE,
};

/**
 * The variables that set-up sets on the worker in every deployment. A variable without a value is
 * set to "", because otherwise the example's value in wrangler.toml would apply.
 */
export const WORKER_VARIABLES = [
  "SERVICE_DOMAIN",
  "PUBLIC_URL",
  "POSTMASTER_ADDRESS",
  "SERVICE_NAME",
  "OUTBOUND",
  "EGRESS_URL",
  "SMTP_RELAY_HOST",
  "SMTP_RELAY_PORT",
  "SMTP_RELAY_USERNAME",
  "DNS_RESOLVER_URL",
  "DNS_API_URL",
  "DNS_ZONE_ID",
] as const;

/**
 * Returns the host name of a URL. Returns undefined if the URL is invalid or has an IP address,
 * which no MX record can name.
 */
export function hostOf(url: string | undefined): string | undefined {
  const host = URL.parse(url ?? "")?.hostname;
  return host === undefined || host.startsWith("[") || isIP(host) !== 0 ? undefined : host;
}

/** Returns the hosts of several URLs (separated by commas), without duplicates. */
function hostsOf(urls: string | undefined): string | undefined {
  const hosts = rules.splitList(urls).map(hostOf);
  return hosts.length > 0 && hosts.every((host) => host !== undefined)
    ? [...new Set(hosts)].join(",")
    : undefined;
}

/**
 * Returns the default of the SPF record. A relay has no default, because only the relay's operator
 * knows its addresses.
 */
function spfFor({ OUTBOUND, MX_HOST = "" }: SetupSettings): string | undefined {
  if (OUTBOUND === "cloudflare") return CLOUDFLARE_SPF;
  if (OUTBOUND !== "gateway") return undefined;
  const hosts = rules.splitList(MX_HOST).map((host) => `a:${host}`);
  return `v=spf1 ${hosts.join(" ")} -all`;
}
