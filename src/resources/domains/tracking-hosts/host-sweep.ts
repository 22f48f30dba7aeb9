// Checks tracking hosts every hour (docs/tracking.md §Hosts). A host is served if requests to it
// reach this service. While a domain's host is not served, the domain's mail goes out without
// tracking. The sweep also checks hosts that new mail does not use, because links in sent mail lead
// to them.
import { coreFor } from "../../../db/client.ts";
import { coreWith, sharedCore } from "../../../db/core-shards.ts";
import type { Env } from "../../../env.ts";
import { logInfo, logWarning } from "../../../lib/log.ts";
import { workOnAll } from "../../../lib/gathered-faults.ts";
import { HOUR_MS } from "../../../limits.ts";
import { type Settings, settingsOf } from "../../../settings.ts";
import { tellLedger } from "../../team-settings/reach-ledger.ts";
import { findTeam } from "../../team-settings/store.ts";
import { type CheckFailure, checkTracking } from "../checks.ts";
import { trackingAlias } from "../record-names.ts";
import { dnsResolver } from "../resolver.ts";
import { markTrackingChecked } from "../store.ts";
import { findDomainOf, listDueHosts, setHostProblem, type TrackingHost } from "./store.ts";
import { checkHost } from "./prove-host.ts";

/**
 * A host is due after this time. It is shorter than an hour, because the hourly sweep does not
 * begin at exact intervals.
 */
const FRESH_MS = HOUR_MS * 0.8;
/**
 * Maximum number of hosts that a sweep checks. The next sweep begins with the hosts that this sweep
 * did not reach.
 */
const HOSTS_PER_SWEEP = 200;
const HOSTS_AT_ONCE = 4;

export async function sweepTrackingHosts(env: Env, now: number): Promise<void> {
  const settings = settingsOf(env);
  if (settings.trackingHosts !== "custom_hostnames") return;
  const hosts = await listDueHosts(sharedCore(env), now - FRESH_MS, HOSTS_PER_SWEEP);
  await workOnAll(hosts, HOSTS_AT_ONCE, (host) => sweepHost(env, settings, host, now));
}

async function sweepHost(
  env: Env,
  settings: Settings,
  host: TrackingHost,
  now: number,
): Promise<void> {
  const shared = sharedCore(env);
  const domain = await findDomainOf(env, host.domainId);
  if (domain === null) {
    // The domain was deleted, but the job that releases its host was lost.
    await env.DNS_CLEANUP.send({ releaseHost: host.host });
    return setHostProblem(shared, host.host, host.problem, now);
  }
  const { trackingSubdomain: subdomain } = domain;
  const isInUse = domain.trackingHost === host.host && subdomain !== null;
  const alias = isInUse ? trackingAlias(domain, subdomain, settings.serviceDomain) : null;
  let failure: CheckFailure | null = await checkHost(env, settings, host);
  // If the CNAME has a wrong target, that failure helps the customer more.
  if (failure && alias)
    failure = (await checkTracking(dnsResolver(settings.dnsResolverUrl), alias)) ?? failure;
  await setHostProblem(shared, host.host, failure?.message ?? null, now);
  const fields = { host: host.host, domain_id: domain.id, team_id: domain.teamId };
  if (failure && host.problem === null && host.servedAt !== null)
    logWarning("tracking_host_broken", { ...fields, reason: failure.message });
  if (!failure && host.problem !== null) logInfo("tracking_host_served", fields);
  const wasVerified = domain.trackingStatus === "verified";
  if (!isInUse || (failure === null && wasVerified)) return;
  const { id, teamId } = domain;
  await markTrackingChecked(coreFor(env, teamId), id, host.host, failure, now);
  if ((failure === null) !== wasVerified) await tellTeam(env, teamId);
}

/** Tells the team's ledger. Otherwise deliveries would use the old state for up to a minute. */
async function tellTeam(env: Env, teamId: string): Promise<void> {
  const team = await findTeam(coreWith(env, teamId), teamId);
  if (team) await tellLedger(env, team);
}
