// Verifies a domain (contract.md §Verification): checks the records for mail and for tracking
// separately in DNS, and stores the results. A verified domain stays verified, so a temporary fault
// in a customer's DNS never interrupts sending.
import type { Scope } from "../../db/client.ts";
import { checkMailFlow, checkTracking, expectedKeys } from "./checks.ts";
import { checkEmailService } from "./email-service-checks.ts";
import { returnPathAlias, trackingAlias } from "./record-names.ts";
import { dnsResolver, type Resolver } from "./resolver.ts";
import type { CourierName, Settings } from "../../settings.ts";
import {
  getDomain,
  markFailed,
  markTrackingChecked,
  markVerified,
  type StoredDomain,
} from "./store.ts";

/** Checks a domain and returns its new state. `courier` carries the team's mail. Throws 404. */
export async function verifyDomain(
  settings: Settings,
  courier: CourierName,
  scope: Scope,
  id: string,
  now: number,
): Promise<StoredDomain> {
  const domain = await getDomain(scope, id);
  const resolver = dnsResolver(settings.dnsResolverUrl);
  await Promise.all([
    verifyMailFlow(resolver, settings, courier, scope, domain, now),
    verifyTracking(resolver, settings, scope, domain, now),
  ]);
  return getDomain(scope, id);
}

async function verifyMailFlow(
  resolver: Resolver,
  settings: Settings,
  courier: CourierName,
  scope: Scope,
  domain: StoredDomain,
  now: number,
): Promise<void> {
  if (domain.status === "verified") return;
  const { serviceDomain } = settings;
  const keys = expectedKeys(domain, serviceDomain);
  // The operator onboards domains to the Email Service, so only the customer's own records prove
  // that this team owns the name.
  const failure =
    (await checkMailFlow(resolver, returnPathAlias(domain, serviceDomain), keys)) ??
    (courier === "cloudflare" ? await checkEmailService(resolver, domain.name) : null);
  await (failure ? markFailed(scope, domain.id, failure) : markVerified(scope, domain, now));
}

async function verifyTracking(
  resolver: Resolver,
  settings: Settings,
  scope: Scope,
  domain: StoredDomain,
  now: number,
): Promise<void> {
  if (domain.trackingSubdomain === null || domain.trackingHost === null) return;
  const failure = await checkTracking(
    resolver,
    trackingAlias(domain, domain.trackingSubdomain, settings.serviceDomain),
  );
  await markTrackingChecked(scope, domain.id, domain.trackingHost, failure, now);
}
