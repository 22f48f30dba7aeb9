// Writes the first commands for a new team. Pure.
import type { Domain } from "../../../../packages/postern/src/generated/types.ts";

/**
 * Matches the value of a domain's verification record: a host name that ends with the service's
 * domain.
 */
const RETURN_PATH = /^[^.]+\.return-path\.(.+?)\.?$/;

/** Returns the simulator's domain. Null: no record contains the service's domain. */
export function simulatorOf(domains: readonly Pick<Domain, "dns_records">[]): string | null {
  for (const { value } of domains.flatMap(({ dns_records: records }) => records)) {
    const service = RETURN_PATH.exec(value)?.[1];
    if (service !== undefined) return `simulator.${service}`;
  }
  return null;
}

export function domainCommand(origin: string): string {
  return post(origin, "/v1/domains", { name: "example.com" });
}

export function sendCommand(origin: string, domain: string, to: string): string {
  return post(origin, "/v1/email", {
    from: `hello@${domain}`,
    to: [to],
    subject: "Hello",
    text: "It works.",
  });
}

function post(origin: string, path: string, body: unknown): string {
  return [
    `curl -sS '${origin}${path}' -H "Authorization: Bearer $POSTERN_API_KEY"`,
    `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
  ].join(" ");
}
