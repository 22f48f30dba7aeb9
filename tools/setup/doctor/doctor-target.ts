// Finds the deployment that the doctor examines, and all known values of it. A value comes from the
// command line, else from the environment, else from set-up's file, else from a running local
// stack. If none of these has the value, the doctor asks the worker.
import { parseArgs } from "node:util";
import { SETTINGS } from "../../../src/operator/setting-table.ts";
import { readStoredSettings } from "../ask-settings.ts";
import { findLocalStack, type LocalStack } from "./local-stack.ts";
import { withUsage } from "../run-command.ts";
import { SetupFile } from "../setup-file.ts";
import { SetupProblem } from "../setup-problem.ts";
import { SETTING_PROMPTS } from "../setting-prompts.ts";
import { splitList } from "../rules.ts";
import type { CommandEnvironment } from "../run-wrangler.ts";

/** A value of the deployment that is undefined is unknown. */
export interface Target {
  /** The API's URL, without a final slash. */
  readonly url: string;
  /** The URL at which recipients reach the worker. */
  readonly publicUrl: string | undefined;
  readonly adminToken: string | undefined;
  /** A team's key with full access. */
  readonly key: string | undefined;
  readonly serviceDomain: string | undefined;
  /** The deployment's courier. */
  readonly outbound: string | undefined;
  /**
   * True: set-up made this deployment in this directory, so wrangler's login is for its account.
   */
  readonly isSetUpHere: boolean;
  /** The id of the service domain's zone. */
  readonly zoneId: string | undefined;
  readonly dnsApi: { readonly url: string; readonly token: string } | undefined;
  /** The URL of the console's host, if people sign in there. */
  readonly consoleUrl?: string | undefined;
  readonly trackingHosts: string | undefined;
  /** True: the deployment runs on this machine. False: it runs in a Cloudflare account. */
  readonly isLocal: boolean;
  /**
   * The mail address for a real message. "" means the login's own address. Undefined means that no
   * real message is sent.
   */
  readonly sendTo: string | undefined;
  /**
   * The URLs of the gateways' egress, without final slashes. The list is empty if the deployment
   * has no gateway, or if the URLs are unknown.
   */
  readonly egressUrls: readonly string[];
  /** The hosts that should accept bounces. If the list is empty, DNS is asked for these hosts. */
  readonly mailHosts: readonly string[];
  readonly smtpPort: number;
  readonly domains: readonly string[];
  /** URL of the resolver (DNS over HTTPS). */
  readonly resolverUrl: string;
  /**
   * A mail server (`host` or `host:port`). The doctor tests whether this machine reaches it on port
   * 25.
   */
  readonly outboundMx: string | undefined;
  readonly waitMs: number;
  /**
   * The only certificate to trust for SMTP, as PEM. Undefined means that the public authorities are
   * trusted.
   */
  readonly smtpCertificate: string | undefined;
}

/** Tells whether the deployment has a gateway, even if its URL is unknown. */
export function hasGateway({ outbound, egressUrls }: Target): boolean {
  return outbound === "gateway" || egressUrls.length > 0;
}

export interface DoctorOptions {
  readonly target: Target;
  readonly json: boolean;
  readonly skipped: ReadonlySet<string>;
}

export const USAGE = `npm run doctor [-- --url https://… --admin-token … --key …]

  --local           the stack that npm start runs on this machine
  --url             the API's URL                          (API_URL, PUBLIC_URL)
  --admin-token     the worker's ADMIN_TOKEN               (ADMIN_TOKEN)
  --key             a full API key: a message is sent      (API_KEY)
  --service-domain  default: the worker's                  (SERVICE_DOMAIN)
  --egress-url      the gateways' URLs, separated by commas; default: the worker's  (EGRESS_URL)
  --mail-host       a host that takes bounces; repeatable  (MX_HOST)
  --domain          with the Email Service: another team's sending domain; repeatable
  --outbound-mx     a mail server to try port 25 on: run it on the gateway's host
  --resolver        DNS over HTTPS                         (DNS_RESOLVER_URL)
  --smtp-port       25
  --send            an address that a real message is sent to; without an address, the login's own
  --wait            seconds that a message may take: 30, with --send 120
  --skip            a check, or a group of them: message, gateway, gateway.tls; repeatable
  --json            the results as JSON

Defaults come from the file of npm run setup, or else from a running local stack. Exit code 1: a check failed.`;

const DEFAULT_WAIT = "30";
/**
 * Seconds to wait with --send. A receiver may delay a first message (greylisting), and events
 * arrive some seconds later.
 */
const DEFAULT_WAIT_TO_SEND = "120";
const many = { type: "string", multiple: true } as const;
const one = { type: "string" } as const;

/** Reads the command line. Null: the user asked for help. Throws a SetupProblem if it is wrong. */
export function optionsFrom(
  args: readonly string[],
  environment: CommandEnvironment,
  root: string,
): DoctorOptions | null {
  const values = parse(args);
  if (values.help) return null;
  const { kept } = new SetupFile(environment, root, true);
  const answered = readStoredSettings(SETTING_PROMPTS, kept);
  const isNamed = Boolean(
    values.url || environment["PUBLIC_URL"]?.trim() || answered["PUBLIC_URL"],
  );
  // If the doctor examines a running local stack, the stack's file replaces the environment and
  // set-up's file.
  const stack = values.local || !isNamed ? localStack(environment, root) : null;
  const known: CommandEnvironment = stack
    ? { PUBLIC_URL: stack.url, ADMIN_TOKEN: stack.adminToken, API_KEY: stack.key }
    : { ...answered, ...kept.secrets, API_KEY: kept.team?.api_key };
  const said = (flag: string | undefined, name: string): string | undefined =>
    flag || (stack ? undefined : environment[name]?.trim()) || known[name];
  const reached = stack ? undefined : environment["API_URL"]?.trim();
  const url = (values.url || reached || said(undefined, "PUBLIC_URL")) ?? "";
  if (!/^https?:\/\//.test(url)) throw new SetupProblem(`${url} is not a URL: --url https://…`);
  const mailHosts = values["mail-host"] ?? splitList(said(undefined, "MX_HOST"));
  const target: Target = {
    url: url.replace(/\/$/, ""),
    publicUrl: said(undefined, "PUBLIC_URL"),
    adminToken: said(values["admin-token"], "ADMIN_TOKEN"),
    key: said(values.key, "API_KEY"),
    serviceDomain: said(values["service-domain"], "SERVICE_DOMAIN")?.toLowerCase(),
    outbound: said(undefined, "OUTBOUND"),
    isLocal: stack !== null,
    isSetUpHere: stack === null && values.url === undefined && kept.account_id !== undefined,
    zoneId: said(undefined, "DNS_ZONE_ID") ?? kept.zone?.id,
    dnsApi: dnsApiOf(said(undefined, "DNS_API_TOKEN"), environment),
    sendTo: values.send,
    egressUrls: splitList(said(values["egress-url"], "EGRESS_URL")).map((egress) =>
      egress.replace(/\/$/, ""),
    ),
    mailHosts: mailHosts.map((host) => host.toLowerCase()),
    smtpPort: wholeNumber("--smtp-port", values["smtp-port"] ?? String(stack?.smtpPort ?? 25)),
    trackingHosts: said(undefined, "TRACKING_HOSTS"),
    domains: (values.domain ?? []).map((name) => name.toLowerCase()),
    resolverUrl:
      said(values.resolver, "DNS_RESOLVER_URL") ??
      stack?.resolverUrl ??
      SETTINGS.DNS_RESOLVER_URL.shipped,
    outboundMx: values["outbound-mx"],
    waitMs: waitMsOf(values),
    smtpCertificate: stack?.certificate,
  };
  return { target, json: values.json, skipped: new Set(values.skip) };
}

function dnsApiOf(token: string | undefined, environment: CommandEnvironment): Target["dnsApi"] {
  if (!token) return undefined;
  return { url: environment["DNS_API_URL"]?.trim() || SETTINGS.DNS_API_URL.shipped, token };
}

function localStack(environment: CommandEnvironment, root: string): LocalStack {
  const stack = findLocalStack(environment, root);
  if (stack !== null) return stack;
  throw new SetupProblem(
    "no deployment is known: nothing is set up here, and no local stack is running",
    "run npm start, or npm run setup, or give --url https://…",
  );
}

function parse(args: readonly string[]) {
  const options = {
    url: one,
    "admin-token": one,
    key: one,
    "service-domain": one,
    "egress-url": one,
    "mail-host": many,
    domain: many,
    "outbound-mx": one,
    resolver: one,
    "smtp-port": one,
    local: { type: "boolean", default: false },
    wait: one,
    send: one,
    skip: { type: "string", multiple: true, default: [] as string[] },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  } as const;
  return withUsage(USAGE, () => parseArgs({ args: withAddress(args), options }).values);
}

/** Adds an empty address after a `--send` without one, because parseArgs would refuse it. */
function withAddress(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const next = args[index + 1];
    const isAlone = arg === "--send" && (next === undefined || next.startsWith("-"));
    return isAlone ? "--send=" : arg;
  });
}

function waitMsOf({ wait, send }: ReturnType<typeof parse>): number {
  const standard = send === undefined ? DEFAULT_WAIT : DEFAULT_WAIT_TO_SEND;
  return wholeNumber("--wait", wait ?? standard) * 1000;
}

function wholeNumber(flag: string, value: string): number {
  if (!/^[0-9]{1,5}$/.test(value)) throw new SetupProblem(`${flag} must be a whole number`);
  return Number(value);
}
