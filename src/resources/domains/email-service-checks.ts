// Decides whether Cloudflare's Email Service can send for a domain, by the records that it
// publishes when the domain is onboarded (contract.md §Verification). Pure over a Resolver.
import { type CheckFailure, isSpfRecord, type MAIL_FLOW_CODES, parseTags } from "./checks.ts";
import {
  BOUNCE_SERVER_ZONE,
  bounceHost,
  onboardingCommand,
  signingKeyHost,
  SPF_INCLUDE,
} from "./email-service-records.ts";
import type { DnsLookup, Resolver } from "./resolver.ts";

type Failure = CheckFailure<(typeof MAIL_FLOW_CODES)[number]>;

/** Returns the first problem with a domain's records at the Email Service, or null. */
export async function checkEmailService(
  resolver: Resolver,
  domain: string,
): Promise<Failure | null> {
  const [servers, policies, keys] = await Promise.all([
    resolver.mailServers(bounceHost(domain)),
    resolver.texts(bounceHost(domain)),
    resolver.texts(signingKeyHost(domain)),
  ]);
  return checkServers(servers, domain) ?? checkPolicy(policies, domain) ?? checkKey(keys, domain);
}

function checkServers(found: DnsLookup, domain: string): Failure | null {
  const host = bounceHost(domain);
  if (found.kind === "failed") return toUnknown(host, found.reason);
  const servers = found.kind === "answer" ? found.values : [];
  if (servers.some((server) => server.endsWith(`.${BOUNCE_SERVER_ZONE}`))) return null;
  const held = servers.length === 0 ? "no MX record" : `no MX record below ${BOUNCE_SERVER_ZONE}`;
  return { code: "mx_missing", message: `${host} has ${held}. ${adviceFor(domain)}` };
}

function checkPolicy(found: DnsLookup, domain: string): Failure | null {
  const host = bounceHost(domain);
  if (found.kind === "failed") return toUnknown(host, found.reason);
  const policies = found.kind === "answer" ? found.values.filter(isSpfRecord) : [];
  const [policy = ""] = policies;
  if (policies.length === 1 && includesService(policy)) return null;
  const held =
    policies.length === 0
      ? "no SPF record"
      : policies.length === 1
        ? `an SPF record without include:${SPF_INCLUDE}`
        : `${policies.length} SPF records where one is allowed`;
  return { code: "spf_missing", message: `${host} has ${held}. ${adviceFor(domain)}` };
}

/** The key itself is Cloudflare's, so that any key passes. An empty `p=` is none (RFC 6376 §3.6.1). */
function checkKey(found: DnsLookup, domain: string): Failure | null {
  const host = signingKeyHost(domain);
  if (found.kind === "failed") return toUnknown(host, found.reason);
  const texts = found.kind === "answer" ? found.values : [];
  if (texts.some((text) => (parseTags(text).get("p") ?? "") !== "")) return null;
  return { code: "dkim_mismatch", message: `${host} has no DKIM key. ${adviceFor(domain)}` };
}

/** Terms of an SPF record are compared without their case, and may bear a `+` (RFC 7208 §4.6.1). */
function includesService(policy: string): boolean {
  const term = `include:${SPF_INCLUDE}`;
  return policy
    .toLowerCase()
    .split(" ")
    .some((given) => given === term || given === `+${term}`);
}

function toUnknown(host: string, reason: string): Failure {
  return { code: "chain_broken", message: `DNS could not be queried for ${host}: ${reason}.` };
}

function adviceFor(domain: string): string {
  return (
    `Onboard ${domain} to Cloudflare's Email Sending, which publishes this record: ` +
    onboardingCommand(domain)
  );
}
