// The example of GET /v1/domains/{id}/dns, as the service's own checks report it for the DNS below:
// a domain whose second DKIM record is missing.
import { toDomainDns } from "../../src/resources/domains/dns-view-json.ts";
import { judgeBimi } from "../../src/resources/domains/policies/bimi-policy.ts";
import { lookUpDmarc } from "../../src/resources/domains/policies/dmarc-lookups.ts";
import { judgeDmarc } from "../../src/resources/domains/policies/dmarc-policy.ts";
import { judgeMtaSts } from "../../src/resources/domains/policies/mta-sts-policy.ts";
import { judgeSpf } from "../../src/resources/domains/policies/spf-policy.ts";
import { ownRecordStates } from "../../src/resources/domains/record-states.ts";
import type { DnsLookup, Resolver } from "../../src/resources/domains/resolver.ts";
import type { StoredDomain } from "../../src/resources/domains/store.ts";
import { AT } from "./example-values.ts";

const SERVICE_DOMAIN = "postern.example";
const NAME = "example.com";
const RETURN_PATH = `bounces.${NAME}`;
const NOTHING: DnsLookup = { kind: "nodata" };
const ALIASES: Readonly<Record<string, string>> = {
  [RETURN_PATH]: "k3v9x2.return-path.postern.example",
  "ps1._domainkey.example.com": "ps1.k3v9x2.dkim.postern.example",
};
const TEXTS: Readonly<Record<string, string>> = {
  "k3v9x2.return-path.postern.example": "v=spf1 a:mx.postern.example -all",
  "ps1.k3v9x2.dkim.postern.example": "p=key",
  "_dmarc.example.com": "v=DMARC1; p=none; rua=mailto:postmaster@example.com",
};
const DOMAIN = {
  name: NAME,
  targetLabel: "k3v9x2",
  trackingSubdomain: null,
  keys: ["ps1", "ps2"].map((selector) => ({ selector, publicKey: "key" })),
} as unknown as StoredDomain;

const resolver: Resolver = {
  aliases: async (name) => ({ names: [ALIASES[name] ?? []].flat(), end: NOTHING }),
  texts: async (name) => answerOf(TEXTS[ALIASES[name] ?? name]),
  mailServers: async () => answerOf("mx.postern.example"),
  addresses: async () => NOTHING,
  everyAddress: async () => NOTHING,
};

function answerOf(value: string | undefined): DnsLookup {
  return value === undefined ? NOTHING : { kind: "answer", values: [value] };
}

const dmarc = { ...(await lookUpDmarc(resolver, NAME, NAME)), returnPath: RETURN_PATH };
const policies = {
  spf: await judgeSpf(resolver, DOMAIN, SERVICE_DOMAIN, "gateway"),
  dmarc: judgeDmarc(dmarc).judgement,
  mtaSts: judgeMtaSts(NAME, NOTHING),
  bimi: judgeBimi({ domain: NAME, organization: NAME }, NOTHING, NOTHING, false),
};
const records = await ownRecordStates(resolver, DOMAIN, SERVICE_DOMAIN);

export const DOMAIN_DNS_EXAMPLE = toDomainDns({ records, policies }, NAME, Date.parse(AT));
