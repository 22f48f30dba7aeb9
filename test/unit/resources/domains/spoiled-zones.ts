// Ways to break the DNS records of a completely published domain, each with the failure code that
// verification then reports.
import { dnsReply, type Outside, type TestZoneRecord } from "./outside.ts";
import type { PublishedDomain } from "./published-domain.ts";

type Spoil = (outside: Outside, zone: PublishedDomain) => void;
type RecordType = TestZoneRecord["type"];
type TargetOf = (zone: PublishedDomain) => string;

/** The name of the service's own records, to which each domain's return-path leads. */
const SERVICE = "*.return-path.postern.test";
const KEY_1 = "ps1._domainkey";
const KEY_2 = "ps2._domainkey";

const all =
  (...parts: readonly Spoil[]): Spoil =>
  (outside, zone) => {
    for (const spoil of parts) spoil(outside, zone);
  };
/** `label`: the part of the record's name before the domain. */
const without =
  (label: string): Spoil =>
  (outside, { name }) =>
    outside.remove("CNAME", `${label}.${name}`);
const adds =
  (type: RecordType, label: string, data: string): Spoil =>
  (outside, { name }) =>
    void outside.zone.push({ type, name: `${label}.${name}`, data });
const points =
  (label: string, targetOf: TargetOf): Spoil =>
  (outside, zone) =>
    repoint(outside, `${label}.${zone.name}`, targetOf(zone));
const detour: Spoil = points("bounces", ({ name }) => `detour.${name}`);
const detourTo = (targetOf: TargetOf): Spoil => all(detour, points("detour", targetOf));
const fails =
  (isFailing: (asked: string, type: string, zone: PublishedDomain) => boolean): Spoil =>
  (outside, zone) => {
    outside.onQuestion = (asked, type) =>
      isFailing(asked, type, zone) ? dnsReply(2, [], asked, type) : undefined;
  };
const service =
  (type: RecordType, data: string): Spoil =>
  (outside) =>
    void outside.zone.push({ type, name: SERVICE, data });
const noService =
  (...types: RecordType[]): Spoil =>
  (outside) => {
    for (const type of types) outside.remove(type, SERVICE);
  };
/** Changes the published text of the first key, or removes it if `change` returns null. */
const key =
  (change: (content: string) => string | null): Spoil =>
  (outside, { keyTarget }) => {
    for (const [id, record] of outside.published) {
      if (record.name !== keyTarget) continue;
      const content = change(record.content);
      if (content === null) outside.published.delete(id);
      else outside.published.set(id, { ...record, content });
    }
  };

export const SPOILED_ZONES: readonly [code: string, how: string, spoil: Spoil][] = [
  ["apex_cname_missing", "no CNAME", without("bounces")],
  [
    "apex_cname_missing",
    "an address in its place",
    all(without("bounces"), adds("A", "bounces", "192.0.2.9")),
  ],
  ["apex_cname_mismatch", "another target", points("bounces", () => "bounces.example.net")],
  [
    "apex_cname_mismatch",
    "a target below ours",
    points("bounces", ({ returnPathTarget }) => `x.${returnPathTarget}`),
  ],
  ["apex_cname_mismatch", "an alias of another target", detourTo(() => "x.track.postern.test")],
  ["chain_broken", "an alias of an alias to nowhere", detourTo(({ name }) => `gone.${name}`)],
  ["chain_broken", "aliases of each other", detourTo(({ name }) => `bounces.${name}`)],
  [
    "chain_broken",
    "SERVFAIL for the second alias",
    all(
      detour,
      fails((asked, _, { name }) => asked === `detour.${name}`),
    ),
  ],
  ["chain_broken", "two targets", adds("CNAME", "bounces", "x.track.postern.test")],
  ["dkim_cname_missing", "no first selector", without(KEY_1)],
  ["dkim_cname_missing", "no second selector", without(KEY_2)],
  ["dkim_cname_mismatch", "another target", points(KEY_2, () => "ps2.example.net")],
  ["dkim_cname_mismatch", "the selectors swapped", points(KEY_2, ({ keyTarget }) => keyTarget)],
  [
    "dkim_mismatch",
    "a key of their own in place of the CNAME",
    all(without(KEY_1), adds("TXT", KEY_1, "v=DKIM1; k=rsa; p=MIIB")),
  ],
  ["dkim_mismatch", "another key", key((content) => content.replace("p=MII", "p=MIJ"))],
  ["dkim_mismatch", "a revoked key at the target", key(() => '"v=DKIM1; k=rsa; p="')],
  [
    "dkim_mismatch",
    "two keys at the target",
    (outside, { keyTarget: name }) =>
      void outside.zone.push({ type: "TXT", name, data: "v=DKIM1; p=MIIB" }),
  ],
  ["chain_broken", "our TXT gone", key(() => null)],
  ["chain_broken", "our return-path gone", noService("MX", "TXT")],
  ["mx_missing", "no MX", noService("MX")],
  ["mx_missing", "a null MX", all(noService("MX"), service("MX", "."))],
  ["spf_missing", "no TXT", noService("TXT")],
  ["spf_missing", "no SPF in the TXT", all(noService("TXT"), service("TXT", "v=spf10 all"))],
  ["spf_missing", "two SPF", service("TXT", "v=spf1 -all")],
  ["chain_broken", "SERVFAIL for the CNAME", fails((_, type) => type === "CNAME")],
  ["chain_broken", "SERVFAIL for MX", fails((_, type) => type === "MX")],
  ["chain_broken", "SERVFAIL for TXT", fails((_, type) => type === "TXT")],
  [
    "chain_broken",
    "no resolver",
    (outside) => void (outside.onQuestion = () => Promise.reject(new TypeError("refused"))),
  ],
];

type SpoilCloudflare = (outside: Outside, name: string) => void;
const [BOUNCE, BOUNCE_KEY] = ["cf-bounce", "cf-bounce._domainkey"];
const SPF = "include:_spf.mx.cloudflare.net ~all";
const servers =
  (...names: string[]): SpoilCloudflare =>
  (outside, name) =>
    setServers(outside, name, ...names);
const policy =
  (...policies: string[]): SpoilCloudflare =>
  (outside, name) =>
    setPolicy(outside, name, ...policies);
const keyOf =
  (...keys: string[]): SpoilCloudflare =>
  (outside, name) =>
    setKey(outside, name, ...keys);

/** `at`: the label of the wrong records, without the domain's name. */
export const SPOILED_AT_CLOUDFLARE: readonly [
  code: string,
  how: string,
  at: string,
  spoil: SpoilCloudflare,
][] = [
  ["mx_missing", "no MX at the return-path", BOUNCE, servers()],
  ["mx_missing", "a null MX", BOUNCE, servers(".")],
  [
    "mx_missing",
    "an MX whose name only ends like Cloudflare's",
    BOUNCE,
    servers("route1.notmx.cloudflare.net", "xmx.cloudflare.net"),
  ],
  ["spf_missing", "no TXT at the return-path", BOUNCE, policy()],
  ["spf_missing", "a TXT without SPF", BOUNCE, policy("v=spf10 all")],
  [
    "spf_missing",
    "an SPF record of other addresses",
    BOUNCE,
    policy("v=spf1 include:x_spf.mx.cloudflare.net.example.net ~all"),
  ],
  ["spf_missing", "an SPF record that excludes Cloudflare", BOUNCE, policy(`v=spf1 -${SPF}`)],
  ["spf_missing", "two SPF records", BOUNCE, policy(`v=spf1 ${SPF}`, "v=spf1 -all")],
  ["dkim_mismatch", "no key", BOUNCE_KEY, keyOf()],
  ["dkim_mismatch", "an empty key", BOUNCE_KEY, keyOf("v=DKIM1; h=sha256; k=rsa; p= ")],
  ["dkim_mismatch", "a TXT that is not a key", BOUNCE_KEY, keyOf("hello")],
];

export function setPolicy(outside: Outside, name: string, ...policies: string[]): void {
  replace(outside, "TXT", `${BOUNCE}.${name}`, policies);
}

export function setServers(outside: Outside, name: string, ...names: string[]): void {
  replace(outside, "MX", `${BOUNCE}.${name}`, names);
}

export function setKey(outside: Outside, name: string, ...keys: string[]): void {
  replace(outside, "TXT", `${BOUNCE_KEY}.${name}`, keys);
}

export function repoint(outside: Outside, name: string, target: string): void {
  replace(outside, "CNAME", name, [target]);
}

function replace(
  outside: Outside,
  type: RecordType,
  name: string,
  values: readonly string[],
): void {
  outside.remove(type, name);
  for (const data of values) outside.zone.push({ type, name, data });
}
