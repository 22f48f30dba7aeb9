// Checks whether Cloudflare's Email Service can send for a domain. Looks for the records that the
// Email Service publishes when the domain is onboarded (contract.md §Verification). Pure except for
// the Resolver.
import { type CheckFailure, failureOf, type MAIL_FLOW_CODES } from "./checks.ts";
import { BOUNCE_SERVER_ZONE, bounceHost, signingKeyHost } from "./email-service-records.ts";
import { type DnsLookup, type Resolver, valuesIn } from "./resolver.ts";
import { isSpfRecord, SPF_INCLUDE } from "../../operator/mail-records.ts";
import { parseTags } from "./text-records.ts";

type Failure = CheckFailure<(typeof MAIL_FLOW_CODES)[number]>;

/** Returns the first problem with the domain's Email Service records, or null. */
export async function checkEmailService(
  resolver: Resolver,
  domain: string,
): Promise<Failure | null> {
  const failures = await Promise.all([
    checkBounceServers(resolver, domain),
    checkBouncePolicy(resolver, domain),
    checkSigningKey(resolver, domain),
  ]);
  return failures.find((failure) => failure !== null) ?? null;
}

export async function checkBounceServers(
  resolver: Resolver,
  domain: string,
): Promise<Failure | null> {
  const host = bounceHost(domain);
  const found = await resolver.mailServers(host);
  if (found.kind === "failed") return toUnknown(host, found);
  const servers = valuesIn(found);
  if (servers.some((server) => server.endsWith(`.${BOUNCE_SERVER_ZONE}`))) return null;
  const held = servers.length === 0 ? "no MX record" : `no MX record below ${BOUNCE_SERVER_ZONE}`;
  const state = servers.length === 0 ? "missing" : "mismatch";
  return failureOf("mx_missing", state, `${host} has ${held}.`);
}

export async function checkBouncePolicy(
  resolver: Resolver,
  domain: string,
): Promise<Failure | null> {
  const host = bounceHost(domain);
  const found = await resolver.texts(host);
  if (found.kind === "failed") return toUnknown(host, found);
  const policies = valuesIn(found).filter(isSpfRecord);
  const [policy = ""] = policies;
  if (policies.length === 1 && includesService(policy)) return null;
  const held =
    policies.length === 0
      ? "no SPF record"
      : policies.length === 1
        ? `an SPF record without include:${SPF_INCLUDE}`
        : `${policies.length} SPF records where one is allowed`;
  const state = policies.length === 0 ? "missing" : "mismatch";
  return failureOf("spf_missing", state, `${host} has ${held}.`);
}

/**
 * Checks that DNS has a signing key. Accepts any key, because only Cloudflare knows the right key.
 * An empty `p=` revokes a key (RFC 6376 §3.6.1).
 */
export async function checkSigningKey(resolver: Resolver, domain: string): Promise<Failure | null> {
  const host = signingKeyHost(domain);
  const found = await resolver.texts(host);
  if (found.kind === "failed") return toUnknown(host, found);
  const keys = valuesIn(found).map(parseTags);
  if (keys.some((tags) => (tags.get("p") ?? "") !== "")) return null;
  const state = keys.some((tags) => tags.has("p")) ? "mismatch" : "missing";
  return failureOf("dkim_mismatch", state, `${host} has no DKIM key.`);
}

/**
 * Returns whether the policy includes the Email Service. SPF terms may have any case, and may begin
 * with `+` (RFC 7208 §4.6.1).
 */
function includesService(policy: string): boolean {
  const term = `include:${SPF_INCLUDE}`;
  return policy
    .toLowerCase()
    .split(" ")
    .some((given) => given === term || given === `+${term}`);
}

function toUnknown(host: string, found: Extract<DnsLookup, { kind: "failed" }>): Failure {
  const state = found.isZoneFault ? "mismatch" : "unknown";
  return failureOf("chain_broken", state, `DNS could not be queried for ${host}: ${found.reason}.`);
}
