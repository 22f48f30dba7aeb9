// Onboards a sending domain to the double of the Email Service. The local DNS gets the records that
// Cloudflare would publish in the domain's zone (docs/local.md §The Email Service).
import { generateKeyPairSync } from "node:crypto";
import { Problem } from "../http-server.ts";

const BOUNCE_SERVERS = [1, 2, 3].map((number) => `route${number}.mx.cloudflare.net`);
/** Cloudflare's SPF record of the servers that send its mail. Here it names this machine. */
const SENDERS = {
  name: "_spf.mx.cloudflare.net",
  type: "TXT",
  data: "v=spf1 ip4:127.0.0.0/8 ~all",
};
const KEY_BITS = 2_048;
/** One key is enough for all domains, because the double signs no message. */
let key: string | undefined;
const HOST_NAME = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;

interface DnsRecordData {
  readonly name: string;
  readonly type: string;
  readonly data: unknown;
}

/** Replaces the domain's records. Keeps an existing DMARC record. */
export async function onboardDomain(dnsUrl: string, domain: string): Promise<void> {
  const records = await recordsFor(dnsUrl, domain);
  for (const record of records) {
    const response = await fetch(`${dnsUrl}/records`, {
      method: "PUT",
      body: JSON.stringify(record),
    });
    if (!response.ok) throw new Problem(502, `the local DNS: ${await response.text()}`);
  }
}

/** Returns the domain in `{name}`. Throws a 400 Problem if `name` is not a domain. */
export function domainOf({ name }: Record<string, unknown>): string {
  const domain = typeof name === "string" ? name.toLowerCase() : "";
  if (!HOST_NAME.test(domain)) throw new Problem(400, "name: is not a domain");
  return domain;
}

async function recordsFor(dnsUrl: string, domain: string): Promise<DnsRecordData[]> {
  const response = await fetch(`${dnsUrl}/records`);
  const { records } = (await response.json()) as { records: { name: string; type: string }[] };
  const dmarc = { name: `_dmarc.${domain}`, type: "TXT", data: "v=DMARC1; p=reject;" };
  const hasDmarc = records.some(({ name, type }) => name === dmarc.name && type === "TXT");
  key ??= generateKeyPairSync("rsa", { modulusLength: KEY_BITS })
    .publicKey.export({ format: "der", type: "spki" })
    .toString("base64");
  const exchanges = BOUNCE_SERVERS.map((exchange, index) => ({ preference: index + 1, exchange }));
  const host = `cf-bounce.${domain}`;
  return [
    { name: host, type: "MX", data: exchanges },
    { name: host, type: "TXT", data: "v=spf1 include:_spf.mx.cloudflare.net ~all" },
    { name: `cf-bounce._domainkey.${domain}`, type: "TXT", data: `v=DKIM1; k=rsa; p=${key}` },
    SENDERS,
    ...(hasDmarc ? [] : [dmarc]),
  ];
}
