// Runs all checks of one deployment in the order of the report. The worker supplies what the
// operator did not specify.
import { checkDelivery, teamDomains } from "./check-delivery.ts";
import { checkDomain } from "./check-domain.ts";
import { checkGateways } from "./check-gateway.ts";
import { checkMailHosts, checkOutbound } from "./check-mail-host.ts";
import { checkServiceDns } from "./check-service-dns.ts";
import { checkWorker, type Deployment } from "./check-worker.ts";
import { fail, type Finding, ok } from "./finding.ts";
import { type Dns, dnsOver, valuesOf } from "./dns-lookup.ts";
import type { Target } from "./doctor-target.ts";

/**
 * `skipped` names groups that are not even tried: `message`, `smtp`, `gateway`, `dns`, `domain`.
 */
export async function examine(given: Target, skipped: ReadonlySet<string>): Promise<Finding[]> {
  const unless = <Found>(group: string, look: () => Promise<Found[]>): Promise<Found[]> =>
    skipped.has(group) ? Promise.resolve([]) : look();
  const dns = dnsOver(given.resolverUrl);
  const { findings, deployment } = await checkWorker(given);
  const known: Target = {
    ...given,
    serviceDomain: given.serviceDomain ?? deployment?.service_domain,
    egressUrls: deployment ? deployment.gateways.map(({ url }) => url) : given.egressUrls,
  };
  // If the operator named no hosts for bounces, those that DNS names are checked.
  const target: Target = {
    ...known,
    mailHosts: known.mailHosts.length > 0 ? known.mailHosts : await hostsByDns(known, dns),
  };
  const team = await teamDomains(target);
  const statuses = new Map<string, string | null>([
    ...target.domains.map((name) => [name, null] as const),
    ...team.domains.map(({ name, status }) => [name, status] as const),
  ]);
  const groups = await Promise.all([
    unless("gateway", () => checkGateways(target, deployment)),
    unless("dns", () => checkServiceDns(target, dns)),
    unless("smtp", () => checkMailHosts(target, dns)),
    ...[...statuses].map(([name, status]) =>
      unless("domain", () => checkDomain(target, dns, name, status)),
    ),
    unless("smtp", async () => [await checkOutbound(target)]),
  ]);
  const last = await unless("message", async () => [await checkDelivery(target, team.domains)]);
  return [
    ...findings,
    ...checkAgreement(given, deployment),
    ...groups.flat(),
    ...team.findings,
    ...last,
  ];
}

/** Compares the worker's settings with those known here. An unknown setting can't differ. */
function checkAgreement(
  { serviceDomain, egressUrls }: Target,
  deployment: Deployment | null,
): Finding[] {
  if (deployment === null) return [];
  const { service_domain: served, outbound, gateways } = deployment;
  const used = gateways.map(({ url }) => url);
  const differing = [
    ...(serviceDomain === undefined || serviceDomain === served
      ? []
      : [`serves ${served}, not ${serviceDomain}`]),
    ...(egressUrls.length === 0 || isSameSet(egressUrls, used)
      ? []
      : [`hands mail to ${used.join(", ") || "no gateway"}, not to ${egressUrls.join(", ")}`]),
  ];
  if (differing.length > 0)
    return [
      fail(
        "worker.settings",
        `the worker ${differing.join(", and ")}`,
        "deploy with npm run deploy or npm run setup: wrangler deploy alone uses the " +
          "example's variables of wrangler.toml",
      ),
    ];
  return serviceDomain === undefined
    ? []
    : [ok("worker.settings", `it serves ${serviceDomain}, mail by ${outbound}`)];
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return new Set([...left, ...right]).size === left.length && left.length === right.length;
}

async function hostsByDns({ serviceDomain }: Target, dns: Dns): Promise<readonly string[]> {
  if (serviceDomain === undefined) return [];
  return (await valuesOf(dns, `doctor.return-path.${serviceDomain}`, "MX")).filter(
    (host) => host !== "",
  );
}
