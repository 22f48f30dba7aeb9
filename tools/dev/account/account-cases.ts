// The cases of `npm start -- --account=<case>` (docs/local.md §An account). Each case is an empty
// account with one difference that real accounts have. Pure.
import {
  type Account,
  emptyAccount,
  type ForeignRecord,
  LOGIN_TOKEN,
} from "./cloudflare-account.ts";

export interface AccountCase {
  /** The difference, in the words of docs/local.md. */
  readonly about: string;
  /** Changes to the empty account. */
  readonly change?: Partial<Account>;
  /** The records of other people in the zone. */
  readonly records?: readonly ForeignRecord[];
  /** The answers that set-up needs in this case. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** The account's only zone, with the quota of a Free zone. */
export const ACCOUNT_ZONE = {
  id: "0123456789abcdef0123456789abcdef",
  name: "example.com",
  token: "dns-token",
  recordQuota: 200,
};
/** Records of other people. The quota allows five more. */
const CROWD = ACCOUNT_ZONE.recordQuota - 5;

const { tokens } = emptyAccount(ACCOUNT_ZONE);
const ROUTES = [1, 2, 3].map((number) => `${number} route${number}.mx.cloudflare.net`);
const routed = (name: string): ForeignRecord[] =>
  ROUTES.map((data) => ({ name, type: "MX", data }));

export const ACCOUNT_CASES = {
  empty: { about: "one zone, all rights, nothing set up" },
  "no-login": { about: "wrangler is not logged in", change: { loggedIn: false } },
  "no-r2": { about: "R2 was never enabled (10042)", change: { disabled: ["R2"] } },
  "no-queues": {
    about: "the login may not edit queues (10000)",
    change: { tokens: { ...tokens, [LOGIN_TOKEN]: ["Queues"] } },
  },
  "no-email": {
    about: "the login may not edit Email Sending (10000)",
    change: { tokens: { ...tokens, [LOGIN_TOKEN]: ["Email Sending"] } },
  },
  "wrangler-login": {
    about:
      "the login has the rights that wrangler asks for, which lack Configuration Rules (10000)",
    change: { tokens: { ...tokens, [LOGIN_TOKEN]: ["Config Rules"] } },
  },
  "full-zone": {
    about: "the zone has 195 of its 200 DNS records (81045)",
    records: Array.from({ length: CROWD }, (_, index) => ({
      name: `host${index}.example.com`,
      type: "TXT",
      data: "theirs",
    })),
  },
  google: {
    about: "the zone's own name sends by Google Workspace, and set-up is told to send from it",
    records: [
      { name: "example.com", type: "MX", data: "1 aspmx.l.google.com" },
      { name: "example.com", type: "TXT", data: "v=spf1 include:_spf.google.com ~all" },
    ],
    answers: { SENDING_DOMAIN: "example.com" },
  },
  "foreign-dmarc": {
    about: "the same zone, with a DMARC record",
    records: [
      { name: "example.com", type: "MX", data: "1 aspmx.l.google.com" },
      { name: "_dmarc.example.com", type: "TXT", data: "v=DMARC1; p=quarantine" },
    ],
    answers: { SENDING_DOMAIN: "example.com" },
  },
  second: {
    about: "another deployment reads from the queues (11004)",
    change: {
      queues: ["postern-deliver", "postern-email-events"],
      readers: { "postern-deliver": "first", "postern-email-events": "first" },
    },
  },
  young: {
    about: "the Email Service gives no quota yet",
    change: { limits: { quota: null, usage: null } },
  },
  "no-zone": {
    about: "the service domain is in no zone of the account",
    answers: { SERVICE_DOMAIN: "post.elsewhere.org" },
  },
  "taken-host": {
    about: "the service's host has an A record of others",
    records: [{ name: "post.example.com", type: "A", data: "192.0.2.9" }],
  },
  "no-ssl": {
    about: "DNS_API_TOKEN may not edit SSL and Certificates (10000)",
    change: {
      tokens: {
        ...tokens,
        [ACCOUNT_ZONE.token]: [...(tokens[ACCOUNT_ZONE.token] ?? []), "SSL and Certificates"],
      },
    },
  },
  website: {
    about: "the zone has the operator's website, www.example.com, and set-up may make routes",
    records: [{ name: "www.example.com", type: "A", data: "192.0.2.10", proxied: true }],
    answers: { TRACKING_ROUTES: "yes" },
  },
  saas: {
    about: "the zone has custom hostnames of another service, and its fallback origin",
    change: { fallback_origin: "shop.example.com" },
    records: [{ name: "shop.example.com", type: "A", data: "192.0.2.11", proxied: true }],
  },
  routing: {
    about:
      "Email Routing is on for post.example.com and its names feedback and reply, without rules",
    records: ["post", "feedback.post", "reply.post"].flatMap((name) =>
      routed(`${name}.example.com`),
    ),
  },
} as const satisfies Readonly<Record<string, AccountCase>>;

export type AccountCaseName = keyof typeof ACCOUNT_CASES;

/** Returns the case of this name, or undefined. */
export function accountCase(name: string): AccountCase | undefined {
  return (ACCOUNT_CASES as Readonly<Record<string, AccountCase>>)[name];
}

export function accountOf({ change = {} }: AccountCase): Account {
  return structuredClone({ ...emptyAccount(ACCOUNT_ZONE), ...change });
}
