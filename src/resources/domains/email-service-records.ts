// Names the DNS records of a sending domain at Cloudflare's Email Service (docs/dns.md §The records
// of Cloudflare's Email Service). Cloudflare publishes them when the domain is onboarded. Pure.
import { BOUNCE_SERVERS, SPF_RECORD } from "../../operator/mail-records.ts";

export interface CourierRecord {
  readonly type: "MX" | "TXT";
  /** Name of the record: absolute, without the final dot. */
  readonly host: string;
  /** The value that the record must have. Null: only Cloudflare knows the value. */
  readonly value: string | null;
  readonly purpose: "bounces" | "spf" | "dkim";
}

/** The parent name of all MX hosts that receive bounces for the Email Service. */
export const BOUNCE_SERVER_ZONE = "mx.cloudflare.net";

/** The Email Service uses one label for both its return-path and its DKIM selector. */
const LABEL = "cf-bounce";

/** Returns the return-path host of a domain's mail. */
export function bounceHost(domain: string): string {
  return `${LABEL}.${domain}`;
}

/** Returns the host of the DKIM key that signs a domain's mail. */
export function signingKeyHost(domain: string): string {
  return `${LABEL}._domainkey.${domain}`;
}

/** Returns a domain's records: first the records of the return-path, then the DKIM key. */
export function emailServiceRecords(domain: string): CourierRecord[] {
  const host = bounceHost(domain);
  return [
    ...BOUNCE_SERVERS.map((value) => ({
      type: "MX" as const,
      host,
      value,
      purpose: "bounces" as const,
    })),
    { type: "TXT", host, value: SPF_RECORD, purpose: "spf" },
    { type: "TXT", host: signingKeyHost(domain), value: null, purpose: "dkim" },
  ];
}

/**
 * Returns the sentence that tells a team to ask the operator for onboarding. It asks for the exact
 * name, because the onboarding of a parent name or a subdomain does not include the name.
 */
export function askOperator(domain: string): string {
  return (
    `Ask the operator to onboard exactly ${domain} to Cloudflare's Email Sending, which ` +
    `publishes this record: npx wrangler email sending enable ${domain}`
  );
}
