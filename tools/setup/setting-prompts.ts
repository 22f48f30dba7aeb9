// Lists the questions of set-up in order. Each question has a default, a validation rule and a
// condition. An answer comes from the environment, else from an earlier run, else from the operator
// at the terminal, else from the default.
import { isIP } from "node:net";
import { BOUNCE_SERVERS, SPF_RECORD } from "../../src/operator/mail-records.ts";
import {
  type SettingName,
  SETTING_NAMES,
  settingOf,
  settingProblem,
} from "../../src/operator/setting-table.ts";
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
   * optional. `given` has all answers from the environment and from an earlier run, even to later
   * questions.
   */
  readonly fallback: (known: SetupSettings, given: SetupSettings) => string | undefined;
  readonly applies?: (known: SetupSettings) => boolean;
  /**
   * Names of other questions. Their answers give this question's default. If one of their answers
   * is missing, set-up reports only that answer as missing.
   */
  readonly follows?: readonly string[];
}

const byEmailService = ({ OUTBOUND }: SetupSettings): boolean => OUTBOUND === "cloudflare";
const byPeople = ({ ACCESS_ISSUER }: SetupSettings): boolean => Boolean(ACCESS_ISSUER);
const byRelay = ({ OUTBOUND }: SetupSettings): boolean => OUTBOUND === "smtp";
const optional = (): string => "";
const UNASKED = { isUnasked: () => true, fallback: optional } as const;
/** The mail servers of Cloudflare's Email Service, which accept its bounces. */
export const CLOUDFLARE_MX = BOUNCE_SERVERS.join(",");

/** Makes the question about a worker's setting. If `more` has no default, an answer is required. */
function asked(name: SettingName, more: Partial<SettingPrompt> = {}): SettingPrompt {
  const { question = "", secret } = settingOf(name);
  return {
    name,
    text: question,
    rule: (value) => settingProblem(name, value),
    isSecret: secret !== undefined,
    fallback: () => undefined,
    ...more,
  };
}

const ASKED: readonly SettingPrompt[] = [
  asked("SERVICE_DOMAIN", { rule: rules.serviceDomain }),
  asked("PUBLIC_URL", {
    rule: rules.webUrl,
    fallback: ({ SERVICE_DOMAIN }) =>
      SERVICE_DOMAIN === undefined ? undefined : `https://${SERVICE_DOMAIN}`,
    follows: ["SERVICE_DOMAIN"],
  }),
  asked("OUTBOUND", {
    fallback: (_, { EGRESS_URL, SMTP_RELAY_HOST }) =>
      EGRESS_URL ? "gateway" : SMTP_RELAY_HOST ? "smtp" : "cloudflare",
  }),
  asked("JURISDICTION", { fallback: () => "any" }),
  asked("EGRESS_URL", {
    rule: rules.webUrls,
    applies: ({ OUTBOUND }) => OUTBOUND === "gateway",
  }),
  asked("SMTP_RELAY_HOST", { rule: rules.hostName, applies: byRelay }),
  asked("SMTP_RELAY_PORT", { fallback: () => "587", applies: byRelay }),
  asked("SMTP_RELAY_USERNAME", { rule: rules.token, applies: byRelay }),
  asked("SMTP_RELAY_PASSWORD", { rule: rules.token, applies: byRelay }),
  asked("DNS_API_TOKEN", { rule: rules.token }),
  asked("EMAIL_API_TOKEN", { rule: rules.token, ...UNASKED }),
  asked("DNS_ZONE_ID", { rule: rules.zoneId, ...UNASKED }),
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
  asked("TRACKING_HOSTS", { ...UNASKED, fallback: () => "custom_hostnames" }),
  asked("POSTMASTER_ADDRESS", { rule: rules.mailAddress, ...UNASKED }),
  asked("ACCESS_ISSUER", { rule: rules.webUrl, fallback: optional }),
  asked("ACCESS_AUDIENCE", { applies: byPeople }),
  asked("CONSOLE_URL", { rule: rules.webUrl, fallback: optional, applies: byPeople }),
  asked("NOTICES_TEAM", { fallback: optional, applies: byPeople }),
  asked("NOTICES_FROM", {
    rule: rules.mailAddress,
    applies: ({ NOTICES_TEAM }) => Boolean(NOTICES_TEAM),
  }),
  {
    name: "TEAM_NAME",
    text: "Name of the first team",
    rule: rules.teamName,
    fallback: () => "First team",
  },
];

/** The settings that have a question and are not in ASKED. All of them are optional. */
const OTHERS = SETTING_NAMES.filter(
  (name) => settingOf(name).question !== undefined && !ASKED.some((prompt) => prompt.name === name),
).map((name) => asked(name, UNASKED));

export const SETTING_PROMPTS: readonly SettingPrompt[] = [...ASKED, ...OTHERS];

/**
 * The question about the first team's sending domain. Set-up asks it separately, after it has found
 * the zone.
 */
export const SENDING_DOMAIN: SettingPrompt = {
  name: "SENDING_DOMAIN",
  text:
    "Domain that the first team sends from, for a first message to the simulator (empty: none " +
    "yet)",
  rule: rules.hostName,
  fallback: sendingDomainFor,
};

/**
 * The question about the zone's other proxied names. Set-up asks it with the list of names, before
 * it makes a route for tracking hosts.
 */
export const TRACKING_ROUTES: SettingPrompt = {
  name: "TRACKING_ROUTES",
  text: "Routes without a worker for the zone's other names",
  rule: (value) => (value === "yes" || value === "no" ? null : "must be yes or no"),
  fallback: () => "no",
};

/**
 * Returns the variables that set-up sets on the worker, as wrangler's arguments. If a variable
 * without an answer has an example value in wrangler.toml, it is set to "", because otherwise the
 * example value would apply. Any other variable without an answer is not set.
 */
export function variableArguments(settings: SetupSettings): string[] {
  return SETTING_NAMES.flatMap((name) => {
    const { secret, shipped } = settingOf(name);
    const value = settings[name] ?? (shipped === undefined ? undefined : "");
    return secret !== undefined || value === undefined ? [] : ["--var", `${name}:${value}`];
  });
}

/** Returns the host name, or undefined for an invalid URL or an IP address. */
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
  if (OUTBOUND === "cloudflare") return SPF_RECORD;
  if (OUTBOUND !== "gateway") return undefined;
  const hosts = rules.splitList(MX_HOST).map((host) => `a:${host}`);
  return `v=spf1 ${hosts.join(" ")} -all`;
}

/**
 * Returns the default of the sending domain: a separate name below the zone. Onboarding publishes
 * `p=reject`, which at the zone's own name would apply to all mail of the zone. A stored "" comes
 * from an earlier version, whose default was the zone's own name.
 */
function sendingDomainFor(
  { SERVICE_DOMAIN = "", ZONE = "" }: SetupSettings,
  { SENDING_DOMAIN: stored }: SetupSettings,
): string {
  if (ZONE === "" || ZONE === SERVICE_DOMAIN) return "";
  if (stored === "") return ZONE;
  return SERVICE_DOMAIN === `mail.${ZONE}` ? `send.${ZONE}` : `mail.${ZONE}`;
}
