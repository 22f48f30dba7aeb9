// Runs all checks of one deployment, in the order of the output. If the operator did not give a
// value, the worker's value is used.
import type { WaitingClock } from "../wait-until.ts";
import type { LogIn } from "./account-login.ts";
import { checkAccess } from "./check-access.ts";
import { checkDataLocation } from "./check-data-location.ts";
import { checkAccount } from "./check-account.ts";
import { checkDomains } from "./check-domain.ts";
import { checkEmailService } from "./check-onboarding.ts";
import { checkGateways } from "./check-gateway.ts";
import { checkMailHosts, checkOutbound } from "./check-mail-host.ts";
import { checkMailboxDelivery, checkMailboxes } from "./check-mailboxes.ts";
import { checkReplies } from "./check-replies.ts";
import { checkDelivery, checkSending } from "./check-sending.ts";
import { checkServiceDns } from "./check-service-dns.ts";
import { checkTrackingHosts, checkTrackingZone } from "./check-tracking.ts";
import { checkWorker, type Deployment } from "./check-worker.ts";
import { checkPrograms, checkRecords } from "./check-zone.ts";
import { critical, type CheckResult, type CheckResults, ok } from "./check-result.ts";
import { type Dns, dnsOver, valuesOf } from "./dns-lookup.ts";
import { CLOUDFLARE_MX } from "../setting-prompts.ts";
import { splitList } from "../rules.ts";
import { type KnownTeam, lookUpTeam } from "./known-team.ts";
import type { Target } from "./doctor-target.ts";

/**
 * Runs the checks. `skipped` has the skipped groups of checks: `message`, `smtp`, `data`,
 * `gateway`, `dns`, `domain`, `tracking`, `account`, `zone`, `access`, `email-service`,
 * `mailboxes`, `send`, `replies`. `login` is called only if a check needs the Cloudflare account.
 */
export async function examine(
  given: Target,
  skipped: ReadonlySet<string>,
  clock: WaitingClock,
  login: LogIn,
): Promise<CheckResult[]> {
  const unless = async (group: string, look: () => Promise<CheckResults>): Promise<CheckResults> =>
    skipped.has(group) ? [] : look();
  const dns = dnsOver(given.resolverUrl);
  const { results, deployment } = await checkWorker(given);
  const known: Target = {
    ...given,
    serviceDomain: given.serviceDomain ?? deployment?.service_domain,
    outbound: deployment?.outbound ?? given.outbound,
    consoleUrl: deployment?.access?.console_url,
    egressUrls: deployment ? deployment.gateways.map(({ url }) => url) : given.egressUrls,
  };
  const target: Target = { ...known, mailHosts: await mailHostsOf(known, dns) };
  const team = await lookUpTeam(target);
  const isInAccount = target.isSetUpHere || target.outbound === "cloudflare";
  const inAccount = async (look: () => Promise<CheckResults>): Promise<CheckResults> =>
    target.isLocal || !isInAccount ? [] : look();
  const groups = await Promise.all([
    unless("data", () => checkDataLocation(deployment, login)),
    checkPrograms(target),
    unless("account", () => inAccount(() => checkAccount(login))),
    unless("zone", () => inAccount(() => checkRecords(target))),
    unless("access", () =>
      checkAccess(deployment, target.url, isInAccount && !target.isLocal, login),
    ),
    unless("gateway", () => checkGateways(target)),
    unless("email-service", () => checkOnboarding(target, team, login)),
    unless("dns", () => checkServiceDns(target, dns)),
    unless("mailboxes", () => checkMailboxes(target, dns, login)),
    unless("smtp", () => checkMailHosts(target, dns)),
    unless("domain", () => checkDomains(target, team.domains)),
    unless("tracking", () => checkTrackingHosts(target, team.domains)),
    unless("tracking", () => inAccount(() => checkTrackingZone(target, login))),
    unless("smtp", () => checkOutbound(target)),
  ]);
  const messages = await Promise.all([
    unless("message", () => checkDelivery(target, clock, team)),
    unless("send", async () =>
      target.sendTo === undefined ? [] : checkSending(target, clock, team, login),
    ),
    unless("mailboxes", () => checkMailboxDelivery(target, dns, clock, team, login)),
    unless("replies", () => checkReplies(target, clock, team)),
  ]);
  const agreement = checkAgreement(given, deployment);
  return [results, agreement, ...groups, team.results, ...messages].flat();
}

/** Checks the domains of the Email Service. A local stack has no Cloudflare account to check. */
async function checkOnboarding(
  { outbound, domains, isLocal }: Target,
  team: KnownTeam,
  login: LogIn,
): Promise<CheckResults> {
  const ofTeam = (team.courier ?? outbound) === "cloudflare" ? team.domains : [];
  const isUsed = outbound === "cloudflare" || team.courier === "cloudflare";
  if (!isUsed || isLocal) return [];
  const names = new Set([...domains, ...ofTeam.map(({ name }) => name)]);
  return checkEmailService([...names], login);
}

/** Compares the worker's settings with those that the operator gave. */
function checkAgreement(
  { serviceDomain, egressUrls, outbound: courier }: Target,
  deployment: Deployment | null,
): CheckResults {
  if (deployment === null) return [];
  const { service_domain: served, outbound, gateways } = deployment;
  const used = gateways.map(({ url }) => url);
  const differing = [
    ...(serviceDomain === undefined || serviceDomain === served
      ? []
      : [`serves ${served}, not ${serviceDomain}`]),
    ...(courier === undefined || courier === outbound
      ? []
      : [`carries mail by ${outbound}, not by ${courier}`]),
    ...(egressUrls.length === 0 || isSameSet(egressUrls, used)
      ? []
      : [`hands mail to ${used.join(", ") || "no gateway"}, not to ${egressUrls.join(", ")}`]),
  ];
  if (differing.length > 0)
    return critical(
      "worker.settings",
      `the worker ${differing.join(", and ")}`,
      "deploy with npm run deploy or npm run setup: wrangler deploy alone uses the " +
        "example's variables of wrangler.toml",
    );
  return serviceDomain === undefined
    ? []
    : ok("worker.settings", `it serves ${serviceDomain} and carries mail by ${outbound}`);
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return new Set([...left, ...right]).size === left.length && left.length === right.length;
}

/**
 * Returns the hosts that accept bounces: those that the operator named, or else those in DNS. If
 * DNS has none and the Email Service is the courier, returns the Email Service's hosts.
 */
async function mailHostsOf(
  { mailHosts, serviceDomain, outbound }: Target,
  dns: Dns,
): Promise<readonly string[]> {
  if (mailHosts.length > 0 || serviceDomain === undefined) return mailHosts;
  const named = await valuesOf(dns, `doctor.return-path.${serviceDomain}`, "MX");
  const hosts = named.filter((host) => host !== "");
  return hosts.length === 0 && outbound === "cloudflare" ? splitList(CLOUDFLARE_MX) : hosts;
}
