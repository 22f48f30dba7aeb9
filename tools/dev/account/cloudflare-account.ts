// The state of the account's double: the contents of an operator's Cloudflare account, the rights
// that its tokens lack, and the products that were never enabled. Pure.
import type { PutRecord } from "../dns/dns-server.ts";
import { emptyFrontZone, type FrontZone } from "../front/front-zone.ts";

/** A right of a token, by Cloudflare's name for it. */
export type TokenRight =
  | "Workers Scripts"
  | "D1"
  | "Queues"
  | "Workers R2 Storage"
  | "Email Sending"
  | "Email Routing"
  | "Config Rules"
  | "Access"
  | "SSL and Certificates"
  | "Workers Routes"
  | "Zone";

interface RoutingRule {
  readonly id: string;
  readonly enabled: boolean;
  readonly matchers: readonly { readonly type: string; readonly value?: string }[];
  readonly actions: readonly { readonly type: string; readonly value?: readonly string[] }[];
}

export interface Account extends FrontZone {
  loggedIn: boolean;
  accounts: { id: string; name: string }[];
  /** The rights that each token lacks. A token that is not listed is refused (9109). */
  tokens: Record<string, TokenRight[]>;
  /** The products that were never enabled in the dashboard. */
  disabled: string[];
  databases: Record<string, string[]>;
  /** Number of rows in each database that are encrypted with KEY_ENCRYPTION_KEY. */
  sealed: Record<string, number>;
  queues: string[];
  buckets: string[];
  /** The jurisdictions of stores, by the store's name. Stores without a jurisdiction are absent. */
  jurisdictions: Record<string, string>;
  /** Number of teams that have received mail. */
  mailed: number;
  /** The worker that consumes each queue, by the queue's name. */
  readers: Record<string, string>;
  /** The worker's secrets by name. Null: the worker does not exist. */
  secrets: Record<string, string> | null;
  deployments: { version: string; variables: Record<string, string>; domains: string[] }[];
  zones: { id: string; name: string }[];
  sending: { name: string; zone_id: string; enabled: boolean; tag: string }[];
  subscriptions: {
    id: string;
    name: string;
    enabled: boolean;
    events: string[];
    source: { type: string; zone_id: string; domain: string };
    destination: { type: string; queue_id: string };
  }[];
  destinations: { email: string; verified: string | null }[];
  /** The rules of Email Routing. Mail to an address of the zone without a rule is refused. */
  routing: RoutingRule[];
  /** True: in the whole zone, a rule for `user@` also applies to `user+detail@`. */
  subaddressing: boolean;
  access_apps: { name: string; aud: string; domain: string }[];
  limits: {
    quota: { value: number; unit: string } | null;
    usage: { sent: number; over_quota: boolean; resets_at: string | null } | null;
  };
  fault: AccountFault | null;
}

/**
 * A fault that a test sets. It applies to the first command of wrangler or call of the API that
 * begins with `at`, such as `secret bulk` or `POST /zones`.
 */
export interface AccountFault {
  readonly at: string;
  /**
   * `refuse`: it fails with the text `says`. `print`: the command prints only `says`, or an HTML
   * page answers the call. `kill_before`, `kill_after`: set-up is killed before or after the effect.
   */
  readonly kind: "refuse" | "print" | "kill_before" | "kill_after";
  readonly says?: string;
  /** The HTTP status and the code of a refused call. */
  readonly status?: number;
  readonly code?: number;
  /** Number of commands or calls that get this fault. Default: 1. */
  readonly times?: number;
}

/** A record that other people published in the zone. */
export interface ForeignRecord extends PutRecord {
  readonly data: string;
}

/** The URL of the account's Access team. */
export const ACCESS_TEAM = "https://example.cloudflareaccess.com";

/** The token of wrangler's login. It has all rights. */
export const LOGIN_TOKEN = "login-token";
/** The token of a build at Cloudflare (docs/set-up.md §By the button). */
export const BUILDS_TOKEN = "builds-token";

/** The rights that both the token of a build and the token of the zone lack. */
const UNBUILT = [
  "D1",
  "Queues",
  "Email Sending",
  "Email Routing",
  "Config Rules",
  "Access",
] as const;

/** Returns an account with one zone, in which nothing is set up. */
export function emptyAccount(zone: {
  readonly id: string;
  readonly name: string;
  /** A token of the template "Edit zone DNS", with the additional right for custom hostnames. */
  readonly token: string;
}): Account {
  return {
    loggedIn: true,
    accounts: [{ id: "acc1", name: "Example" }],
    tokens: {
      [LOGIN_TOKEN]: [],
      [BUILDS_TOKEN]: [...UNBUILT, "SSL and Certificates", "Zone"],
      [zone.token]: [...UNBUILT, "Workers Scripts", "Workers R2 Storage", "Workers Routes"],
    },
    disabled: [],
    databases: {},
    sealed: {},
    queues: [],
    buckets: [],
    jurisdictions: {},
    mailed: 0,
    readers: {},
    secrets: null,
    deployments: [],
    zones: [{ id: zone.id, name: zone.name }],
    sending: [],
    subscriptions: [],
    destinations: [],
    routing: [],
    subaddressing: false,
    ...emptyFrontZone(),
    access_apps: [],
    limits: {
      quota: { value: 200, unit: "day" },
      usage: { sent: 3, over_quota: false, resets_at: null },
    },
    fault: null,
  };
}

/** Returns the fault of a command or a call, and counts its use. */
export function takeFault(account: Account, what: string): AccountFault | null {
  const { fault } = account;
  if (fault === null || !what.startsWith(fault.at)) return null;
  const { times = 1 } = fault;
  account.fault = times > 1 ? { ...fault, times: times - 1 } : null;
  return fault;
}

/** Tells whether the token lacks the right. An unknown token lacks every right. */
export function lacks({ tokens }: Account, token: string, right: TokenRight): boolean {
  return tokens[token]?.includes(right) ?? true;
}

/** Tells whether a rule of Email Routing applies to the address. */
export function isRouted({ routing, subaddressing }: Account, address: string): boolean {
  const plain = address.toLowerCase();
  const [local = "", domain = ""] = plain.split("@");
  const named = subaddressing ? `${local.split("+")[0]}@${domain}` : plain;
  return routing.some(
    ({ enabled, matchers }) =>
      enabled && matchers.some(({ value }) => [plain, named].includes(value?.toLowerCase() ?? "")),
  );
}

/**
 * Returns the address of Access's sign-in page for requests to the path. Null: no Access
 * application protects the path.
 */
export function accessLogin({ access_apps: apps }: Account, path: string): string | null {
  const inFront = apps.find(({ domain }) => {
    const [host = "", ...parts] = domain.split("/");
    const guarded = domain.slice(host.length);
    return parts.length === 0 || path === guarded || path.startsWith(`${guarded}/`);
  });
  const query = inFront && new URLSearchParams({ kid: inFront.aud, redirect_url: path });
  return query ? `${ACCESS_TEAM}/cdn-cgi/access/login/${inFront.domain}?${query.toString()}` : null;
}
