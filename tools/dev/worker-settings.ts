// Builds the settings of a local worker, for both `npm start` and `npx wrangler dev`: local
// secrets, a service domain that never exists in the real DNS, and the addresses of the gateway and
// of DNS. It also writes settings in the format that wrangler reads.
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
 * Returns the settings. vitest.config.ts must set each of them too. Otherwise the workers of tests
 * would get its value from .dev.vars.
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
    TRACKING_HOSTS: "direct",
    WEBHOOK_ALLOW_PRIVATE: "true",
    CONTENT_DAYS: "3",
  };
}

/**
 * Writes settings in the format of .dev.vars. Each value is put into quotes of a kind that the
 * value does not contain. A dollar sign is escaped, because it would start a reference to another
 * variable.
 */
export function dotenv(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => {
    const quote = ["'", '"', "`"].find((candidate) => !value.includes(candidate)) ?? "";
    return `${name}=${quote}${value.replaceAll("$", "\\$")}${quote}\n`;
  });
  return lines.join("");
}
