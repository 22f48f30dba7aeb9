// Builds the settings of a local worker, for both `npm start` and `npx wrangler dev`: local
// secrets, a service domain that never exists in the real DNS, and the addresses of the gateway and
// of DNS. Also formats settings as a file that wrangler reads.
import type { Secrets } from "./dev-secrets.ts";

/** The local service domain. `.test` never exists in the real DNS (RFC 6761). */
export const SERVICE_DOMAIN = "postern.test";
export const DNS_ZONE_ID = "00000000000000000000000000000001";

export interface Addresses {
  /** The worker's own URL. */
  readonly api: string;
  readonly egress: string;
  readonly dns: string;
}

/**
 * vitest.config.ts sets each of these names, because wrangler also gives the values of .dev.vars to
 * the tests' workers.
 */
export function workerSettings(
  secrets: Secrets,
  { api, egress, dns }: Addresses,
): Record<string, string> {
  return {
    ...secrets,
    SERVICE_DOMAIN,
    PUBLIC_URL: api,
    OUTBOUND: "gateway",
    EGRESS_URL: egress,
    DNS_RESOLVER_URL: `${dns}/dns-query`,
    DNS_API_URL: `${dns}/client/v4`,
    DNS_ZONE_ID,
    WEBHOOK_ALLOW_PRIVATE: "true",
  };
}

/**
 * Quotes each value with a quote character that the value does not contain. A dollar sign would
 * start a reference.
 */
export function dotenv(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => {
    const quote = ["'", '"', "`"].find((candidate) => !value.includes(candidate)) ?? "";
    return `${name}=${quote}${value.replaceAll("$", "\\$")}${quote}\n`;
  });
  return lines.join("");
}
