// Verifies a domain (contract.md §Verification). Checks the records for mail and for tracking
// separately in DNS, and stores the results. Also checks that requests to the tracking host reach
// this service. A verified domain stays verified, so a temporary fault in a customer's DNS never
// interrupts sending. Requests the onboarding of a domain that Cloudflare's Email Service does not
// know.
import type { Scope } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { checkMailFlow, checkTracking, expectedKeys } from "./checks.ts";
import { checkEmailService } from "./email-service-checks.ts";
import { requestOnboarding } from "./onboarding/request-onboarding.ts";
import { returnPathAlias, trackingAlias } from "./record-names.ts";
import { dnsResolver, type Resolver } from "./resolver.ts";
import { proveHost } from "./tracking-hosts/prove-host.ts";
import type { CourierName, Settings } from "../../settings.ts";
import {
  getDomain,
  markFailed,
  markTrackingChecked,
  markVerified,
  type StoredDomain,
} from "./store.ts";

/** Checks a domain and returns its new state. `courier` is the courier of the team's mail. */
export async function verifyDomain(
  env: Env,
  settings: Settings,
  courier: CourierName,
  scope: Scope,
  id: string,
  now: number,
): Promise<StoredDomain> {
  const domain = await getDomain(scope, id);
  const resolver = dnsResolver(settings.dnsResolverUrl);
  await Promise.all([
    verifyMailFlow(env, resolver, settings, courier, scope, domain, now),
    verifyTracking(env, resolver, settings, scope, domain, now),
  ]);
  return getDomain(scope, id);
}

async function verifyMailFlow(
  env: Env,
  resolver: Resolver,
  settings: Settings,
  courier: CourierName,
  scope: Scope,
  domain: StoredDomain,
  now: number,
): Promise<void> {
  const isVerified = domain.status === "verified";
  const isOnboardedHere = courier === "cloudflare" && settings.emailApiToken !== "";
  // After a change of the team's courier, the Email Service might not know a domain that is already
  // verified.
  if (isVerified && !isOnboardedHere) return;
  const { serviceDomain } = settings;
  const keys = expectedKeys(domain, serviceDomain);
  let failure = await checkMailFlow(resolver, returnPathAlias(domain, serviceDomain), keys);
  if (failure === null && courier === "cloudflare") {
    // Only the customer's own records prove that this team owns the name. So the service onboards
    // the domain only after it has found these records.
    failure = await checkEmailService(resolver, domain.name);
    if (failure && failure.code !== "chain_broken") {
      const advice = await requestOnboarding(env, settings, resolver, domain, now);
      failure = { ...failure, message: `${failure.message} ${advice}` };
    }
  }
  if (isVerified) return;
  await (failure ? markFailed(scope, domain.id, failure) : markVerified(scope, domain, now));
}

async function verifyTracking(
  env: Env,
  resolver: Resolver,
  settings: Settings,
  scope: Scope,
  domain: StoredDomain,
  now: number,
): Promise<void> {
  if (domain.trackingSubdomain === null || domain.trackingHost === null) return;
  const alias = trackingAlias(domain, domain.trackingSubdomain, settings.serviceDomain);
  let failure = await checkTracking(resolver, alias);
  if (failure === null && settings.trackingHosts === "custom_hostnames")
    failure = await proveHost(env, settings, domain.trackingHost, domain.id, now);
  await markTrackingChecked(scope, domain.id, domain.trackingHost, failure, now);
}
