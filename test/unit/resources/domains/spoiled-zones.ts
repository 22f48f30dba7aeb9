// Ways to break the DNS records of a completely published domain, each with the failure code that
// verification then reports.
import { dnsReply, type Outside } from "./outside.ts";
import type { PublishedDomain } from "./published-domain.ts";

type Spoil = (outside: Outside, zone: PublishedDomain) => void;

export const SPOILED_ZONES: readonly [code: string, how: string, spoil: Spoil][] = [
  [
    "apex_cname_missing",
    "no CNAME",
    (outside, { name }) => outside.remove("CNAME", `bounces.${name}`),
  ],
  [
    "apex_cname_missing",
    "an address in its place",
    (outside, { name }) => {
      outside.remove("CNAME", `bounces.${name}`);
      outside.zone.push({ type: "A", name: `bounces.${name}`, data: "192.0.2.9" });
    },
  ],
  [
    "apex_cname_mismatch",
    "another target",
    (outside, { name }) => repoint(outside, `bounces.${name}`, "bounces.example.net"),
  ],
  [
    "apex_cname_mismatch",
    "a target below ours",
    (outside, { name, returnPathTarget }) =>
      repoint(outside, `bounces.${name}`, `x.${returnPathTarget}`),
  ],
  [
    "apex_cname_mismatch",
    "an alias of another target",
    (outside, { name }) => {
      repoint(outside, `bounces.${name}`, `detour.${name}`);
      outside.zone.push({ type: "CNAME", name: `detour.${name}`, data: "x.track.postern.test" });
    },
  ],
  [
    "chain_broken",
    "an alias of an alias that leads nowhere",
    (outside, { name }) => {
      repoint(outside, `bounces.${name}`, `detour.${name}`);
      outside.zone.push({ type: "CNAME", name: `detour.${name}`, data: `gone.${name}` });
    },
  ],
  [
    "chain_broken",
    "aliases of each other",
    (outside, { name }) => {
      repoint(outside, `bounces.${name}`, `detour.${name}`);
      outside.zone.push({ type: "CNAME", name: `detour.${name}`, data: `bounces.${name}` });
    },
  ],
  [
    "chain_broken",
    "SERVFAIL for the second alias",
    (outside, { name }) => {
      repoint(outside, `bounces.${name}`, `detour.${name}`);
      outside.onQuestion = (asked, type) =>
        asked === `detour.${name}` ? dnsReply(2, [], asked, type) : undefined;
    },
  ],
  [
    "chain_broken",
    "the right target beside another",
    (outside, { name }) =>
      void outside.zone.push({
        type: "CNAME",
        name: `bounces.${name}`,
        data: "x.track.postern.test",
      }),
  ],
  [
    "dkim_cname_missing",
    "no first selector",
    (outside, { name }) => outside.remove("CNAME", `ps1._domainkey.${name}`),
  ],
  [
    "dkim_cname_missing",
    "no second selector",
    (outside, { name }) => outside.remove("CNAME", `ps2._domainkey.${name}`),
  ],
  [
    "dkim_cname_mismatch",
    "another target",
    (outside, { name }) => repoint(outside, `ps2._domainkey.${name}`, "ps2.example.net"),
  ],
  [
    "dkim_cname_mismatch",
    "the selectors swapped",
    (outside, { name, keyTarget }) => repoint(outside, `ps2._domainkey.${name}`, keyTarget),
  ],
  [
    "dkim_mismatch",
    "a key of their own in place of the CNAME",
    (outside, { name }) => {
      outside.remove("CNAME", `ps1._domainkey.${name}`);
      outside.zone.push({
        type: "TXT",
        name: `ps1._domainkey.${name}`,
        data: "v=DKIM1; k=rsa; p=MIIB",
      });
    },
  ],
  [
    "dkim_mismatch",
    "another key at the target",
    (outside, { keyTarget }) =>
      changeKey(outside, keyTarget, (content) => content.replace("p=MII", "p=MIJ")),
  ],
  [
    "dkim_mismatch",
    "a revoked key at the target",
    (outside, { keyTarget }) => changeKey(outside, keyTarget, () => '"v=DKIM1; k=rsa; p="'),
  ],
  [
    "dkim_mismatch",
    "two keys at the target",
    (outside, { keyTarget }) =>
      void outside.zone.push({ type: "TXT", name: keyTarget, data: "v=DKIM1; p=MIIB" }),
  ],
  ["chain_broken", "our TXT gone", (outside, { keyTarget }) => dropKey(outside, keyTarget)],
  ["chain_broken", "our return-path gone", (outside) => dropService(outside, "MX", "TXT")],
  ["mx_missing", "no MX", (outside) => dropService(outside, "MX")],
  [
    "mx_missing",
    "a null MX",
    (outside) => {
      dropService(outside, "MX");
      outside.zone.push({ type: "MX", name: "*.return-path.postern.test", data: "." });
    },
  ],
  ["spf_missing", "no TXT", (outside) => dropService(outside, "TXT")],
  [
    "spf_missing",
    "no SPF among the TXT",
    (outside) => {
      dropService(outside, "TXT");
      outside.zone.push({ type: "TXT", name: "*.return-path.postern.test", data: "v=spf10 all" });
    },
  ],
  [
    "spf_missing",
    "two SPF",
    (outside) =>
      void outside.zone.push({
        type: "TXT",
        name: "*.return-path.postern.test",
        data: "v=spf1 -all",
      }),
  ],
  [
    "chain_broken",
    "SERVFAIL for the CNAME",
    (outside) =>
      void (outside.onQuestion = (name, type) =>
        type === "CNAME" ? dnsReply(2, [], name, type) : undefined),
  ],
  [
    "chain_broken",
    "SERVFAIL for MX",
    (outside) =>
      void (outside.onQuestion = (name, type) =>
        type === "MX" ? dnsReply(2, [], name, type) : undefined),
  ],
  [
    "chain_broken",
    "SERVFAIL for TXT",
    (outside) =>
      void (outside.onQuestion = (name, type) =>
        type === "TXT" ? dnsReply(2, [], name, type) : undefined),
  ],
  [
    "chain_broken",
    "no resolver",
    (outside) => void (outside.onQuestion = () => Promise.reject(new TypeError("refused"))),
  ],
];

/** `at`: the label before the domain, at which the records are wrong. */
export const SPOILED_AT_CLOUDFLARE: readonly [
  code: string,
  how: string,
  at: string,
  spoil: (outside: Outside, name: string) => void,
][] = [
  [
    "mx_missing",
    "no MX at the return-path",
    "cf-bounce",
    (outside, name) => setServers(outside, name),
  ],
  ["mx_missing", "a null MX", "cf-bounce", (outside, name) => setServers(outside, name, ".")],
  [
    "mx_missing",
    "an MX whose name only ends like Cloudflare's",
    "cf-bounce",
    (outside, name) =>
      setServers(outside, name, "route1.notmx.cloudflare.net", "xmx.cloudflare.net"),
  ],
  [
    "spf_missing",
    "no TXT at the return-path",
    "cf-bounce",
    (outside, name) => setPolicy(outside, name),
  ],
  [
    "spf_missing",
    "a TXT without SPF",
    "cf-bounce",
    (outside, name) => setPolicy(outside, name, "v=spf10 all"),
  ],
  [
    "spf_missing",
    "an SPF record of other addresses",
    "cf-bounce",
    (outside, name) =>
      setPolicy(outside, name, "v=spf1 include:x_spf.mx.cloudflare.net.example.net ~all"),
  ],
  [
    "spf_missing",
    "an SPF record that excludes Cloudflare's addresses",
    "cf-bounce",
    (outside, name) => setPolicy(outside, name, "v=spf1 -include:_spf.mx.cloudflare.net ~all"),
  ],
  [
    "spf_missing",
    "two SPF records",
    "cf-bounce",
    (outside, name) =>
      setPolicy(outside, name, "v=spf1 include:_spf.mx.cloudflare.net ~all", "v=spf1 -all"),
  ],
  ["dkim_mismatch", "no key", "cf-bounce._domainkey", (outside, name) => setKey(outside, name)],
  [
    "dkim_mismatch",
    "an empty key",
    "cf-bounce._domainkey",
    (outside, name) => setKey(outside, name, "v=DKIM1; h=sha256; k=rsa; p= "),
  ],
  [
    "dkim_mismatch",
    "a TXT that is not a key",
    "cf-bounce._domainkey",
    (outside, name) => setKey(outside, name, "hello"),
  ],
];

const host = (name: string) => `cf-bounce.${name}`;
const keyHost = (name: string) => `cf-bounce._domainkey.${name}`;

export function setPolicy(outside: Outside, name: string, ...policies: string[]): void {
  outside.remove("TXT", host(name));
  for (const data of policies) outside.zone.push({ type: "TXT", name: host(name), data });
}

export function setServers(outside: Outside, name: string, ...servers: string[]): void {
  outside.remove("MX", host(name));
  for (const data of servers) outside.zone.push({ type: "MX", name: host(name), data });
}

export function setKey(outside: Outside, name: string, ...keys: string[]): void {
  outside.remove("TXT", keyHost(name));
  for (const data of keys) outside.zone.push({ type: "TXT", name: keyHost(name), data });
}

export function repoint(outside: Outside, name: string, target: string): void {
  outside.remove("CNAME", name);
  outside.zone.push({ type: "CNAME", name, data: target });
}

function dropService(outside: Outside, ...types: string[]): void {
  outside.zone = outside.zone.filter(
    (record) => record.name !== "*.return-path.postern.test" || !types.includes(record.type),
  );
}

function changeKey(outside: Outside, name: string, change: (content: string) => string): void {
  for (const [id, record] of outside.published)
    if (record.name === name)
      outside.published.set(id, { ...record, content: change(record.content) });
}

function dropKey(outside: Outside, name: string): void {
  for (const [id, record] of outside.published)
    if (record.name === name) outside.published.delete(id);
}
