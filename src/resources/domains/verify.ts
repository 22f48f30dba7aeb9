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

/** `courier` is the courier of the team's mail. */
interface Verification {
  readonly env: Env;
  readonly settings: Settings;
  readonly courier: CourierName;
  readonly scope: Scope;
  readonly now: number;
}

/** Checks a domain and returns its new state. */
export async function verifyDomain(request: Verification, id: string): Promise<StoredDomain> {
  const domain = await getDomain(request.scope, id);
  const resolver = dnsResolver(request.settings.dnsResolverUrl);
  await Promise.all([
    verifyMailFlow(request, resolver, domain),
    verifyTracking(request, resolver, domain),
  ]);
  return getDomain(request.scope, id);
}

async function verifyMailFlow(
  { env, settings, courier, scope, now }: Verification,
  resolver: Resolver,
  domain: StoredDomain,
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
  { env, settings, scope, now }: Verification,
  resolver: Resolver,
  domain: StoredDomain,
): Promise<void> {
  if (domain.trackingSubdomain === null || domain.trackingHost === null) return;
  const alias = trackingAlias(domain, domain.trackingSubdomain, settings.serviceDomain);
  let failure = await checkTracking(resolver, alias);
  if (failure === null && settings.trackingHosts === "custom_hostnames")
    failure = await proveHost(env, settings, domain.trackingHost, domain.id, now);
  await markTrackingChecked(scope, domain.id, domain.trackingHost, failure, now);
}
