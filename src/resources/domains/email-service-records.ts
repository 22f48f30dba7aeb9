// Names the DNS records of a sending domain at Cloudflare's Email Service (docs/dns.md §The records
// of Cloudflare's Email Service). Cloudflare publishes them when the domain is onboarded. Pure.

export interface CourierRecord {
  readonly type: "MX" | "TXT";
  /** Name of the record: absolute, without the final dot. */
  readonly host: string;
  /** Value to compare with, or null when only Cloudflare knows it. */
  readonly value: string | null;
  readonly purpose: "bounces" | "spf" | "dkim";
}

/** Hosts that take the bounces of the mail that the Email Service sends. */
const BOUNCE_SERVERS = [
  "route1.mx.cloudflare.net",
  "route2.mx.cloudflare.net",
  "route3.mx.cloudflare.net",
] as const;

/** Name below which every host stands that takes bounces for the Email Service. */
export const BOUNCE_SERVER_ZONE = "mx.cloudflare.net";

/** Name that the SPF record includes: it holds the addresses that the Email Service sends from. */
export const SPF_INCLUDE = "_spf.mx.cloudflare.net";

/** The Email Service uses one label for its return-path and for its DKIM selector. */
const LABEL = "cf-bounce";

/** Returns the return-path host of a domain's mail. */
export function bounceHost(domain: string): string {
  return `${LABEL}.${domain}`;
}

/** Returns the host of the key that signs a domain's mail. */
export function signingKeyHost(domain: string): string {
  return `${LABEL}._domainkey.${domain}`;
}

/** Returns the records of a domain: those of its return-path, then the key that signs its mail. */
export function emailServiceRecords(domain: string): CourierRecord[] {
  const host = bounceHost(domain);
  return [
    ...BOUNCE_SERVERS.map((value) => ({
      type: "MX" as const,
      host,
      value,
      purpose: "bounces" as const,
    })),
    { type: "TXT", host, value: `v=spf1 include:${SPF_INCLUDE} ~all`, purpose: "spf" },
    { type: "TXT", host: signingKeyHost(domain), value: null, purpose: "dkim" },
  ];
}

/** Returns the command that onboards a domain, and thereby publishes its records. */
export function onboardingCommand(domain: string): string {
  return `npx wrangler email sending enable ${domain}`;
}
