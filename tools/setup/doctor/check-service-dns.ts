// Checks the service's own records (docs/dns.md). Below the service domain, every label must have
// mail servers, one SPF record and a tracking host. A DKIM key that was not published must not
// exist. The questions use labels without records of their own, so only the wildcard records can
// answer.
import { randomBytes } from "node:crypto";
import { isSpfRecord, SPF_RECORD } from "../../../src/operator/mail-records.ts";
import {
  critical,
  type CheckResult,
  ok,
  notKnown,
  type CheckResults,
  warning,
} from "./check-result.ts";
import { mailboxesOf } from "../account/mailbox-rules.ts";
import { addressesOf, type Dns } from "./dns-lookup.ts";
import { CLOUDFLARE_MX } from "../setting-prompts.ts";
import { hasGateway, type Target } from "./doctor-target.ts";

const PUBLISH = "npm run setup publishes it";

export async function checkServiceDns(target: Target, dns: Dns): Promise<CheckResults> {
  const { serviceDomain } = target;
  if (serviceDomain === undefined)
    return notKnown(
      "dns",
      "the service domain is unknown: give --service-domain, or --admin-token to ask the worker",
    );
  const label = `doctor-${randomBytes(8).toString("hex")}`;
  const returnPath = `${label}.return-path.${serviceDomain}`;
  const track = `${label}.track.${serviceDomain}`;
  const dkim = `ps1.${label}.dkim.${serviceDomain}`;
  const replies = mailboxesOf(serviceDomain, hasGateway(target)).filter(
    ({ name }) => name === "replies",
  );
  return Promise.all([
    checkMx(target, dns, `*.return-path.${serviceDomain}`, returnPath),
    checkSpf(target, dns, `*.return-path.${serviceDomain}`, returnPath),
    checkTracking(dns, `*.track.${serviceDomain}`, track),
    checkKeys(dns, `*.dkim.${serviceDomain}`, dkim),
    checkMailbox(target, dns, "dns.feedback", `fbl@feedback.${serviceDomain}`),
    checkMailbox(target, dns, "dns.postmaster", `postmaster@${serviceDomain}`),
    ...replies.map(({ address }) => checkMailbox(target, dns, "dns.replies", address)),
  ]);
}

/**
 * Checks that mail to a mailbox of the service arrives. Set-up does not replace a mail server that
 * the name had before.
 */
async function checkMailbox(
  { mailHosts }: Target,
  dns: Dns,
  check: string,
  address: string,
): Promise<CheckResult> {
  const name = address.slice(address.indexOf("@") + 1);
  const found = await dns(name, "MX");
  if (found.kind === "failed") return unanswered(check, name, found.reason);
  const { hosts, strangers } = compareHosts(found.values, mailHosts);
  const belongs = recordsOf(mailHosts) || "an MX record";
  const isRouted = mailHosts.join() === CLOUDFLARE_MX;
  if (hosts.length === 0)
    return warning(
      check,
      `${name} has no MX record: no mail reaches ${address}`,
      isRouted ? routingFor(name) : `publish ${belongs}; ${PUBLISH}`,
    );
  if (isRouted && hosts.every((host) => mailHosts.includes(host)))
    return ok(
      check,
      `${name} leads to Cloudflare, which takes mail to ${address} only by a rule of Email Routing`,
    );
  if (strangers.length === 0) return ok(check, `mail to ${address} arrives at ${hosts.join(", ")}`);
  const where = `mail to ${address} arrives at ${strangers.join(", ")}, not at ${mailHosts.join(", ")}`;
  if (check === "dns.postmaster") return ok(check, where);
  return warning(
    check,
    `${where}, so the service gets no ${check === "dns.replies" ? "replies" : "complaints from feedback loops"}`,
    check === "dns.replies"
      ? `make it ${belongs}`
      : `make it ${belongs}, or register another mail address with the loops`,
  );
}

/** Returns the hosts of MX records, and those among them that are not `mailHosts`. */
function compareHosts(values: readonly string[], mailHosts: readonly string[]) {
  const hosts = values.filter((host) => host !== "");
  const isStranger = (host: string) => mailHosts.length > 0 && !mailHosts.includes(host);
  return { hosts, strangers: hosts.filter(isStranger) };
}

function recordsOf(mailHosts: readonly string[]): string {
  return mailHosts.map((host, index) => `MX ${10 * (index + 1)} ${host}`).join(" and ");
}

function routingFor(name: string): string {
  return (
    "in the dashboard (Email, Email Routing, Settings), switch Email Routing on for " +
    `${name}; then npm run setup makes the rule to the worker`
  );
}

async function checkMx(
  { mailHosts }: Target,
  dns: Dns,
  name: string,
  probe: string,
): Promise<CheckResult> {
  const found = await dns(probe, "MX");
  if (found.kind === "failed") return unanswered("dns.mx", name, found.reason);
  const { hosts, strangers } = compareHosts(found.values, mailHosts);
  const belongs = recordsOf(mailHosts) || "MX 10 <the gateway's host>";
  if (hosts.length === 0)
    return critical(
      "dns.mx",
      `${name} has no MX record: bounces can't come back, and no domain can be verified`,
      `publish ${belongs}; ${PUBLISH}`,
    );
  if (strangers.length > 0)
    return critical(
      "dns.mx",
      `${name} leads bounces to ${strangers.join(", ")}, not to ${mailHosts.join(", ")}`,
      `make it ${belongs} (npm run setup -- --dns-conflict=replace), or give --mail-host`,
    );
  const addresses = await Promise.all(
    hosts.map(async (host) => [host, await addressesOf(dns, host)] as const),
  );
  const nowhere = addresses.filter(([, all]) => all.length === 0).map(([host]) => host);
  if (nowhere.length > 0)
    return critical(
      "dns.mx",
      `${name} leads to ${nowhere.join(", ")}, which has no address`,
      "publish its A and AAAA records",
    );
  const absent = mailHosts.filter((host) => !hosts.includes(host));
  if (absent.length > 0)
    return warning(
      "dns.mx",
      `${name} leads to ${hosts.join(", ")}, but not to ${absent.join(", ")}: bounces wait while ` +
        `${hosts.join(", ")} cannot take them`,
      `publish an MX record for each host; ${PUBLISH}`,
    );
  return ok("dns.mx", `${name} leads to ${hosts.join(", ")}`);
}

async function checkSpf(
  target: Target,
  dns: Dns,
  name: string,
  probe: string,
): Promise<CheckResult> {
  const found = await dns(probe, "TXT");
  if (found.kind === "failed") return unanswered("dns.spf", name, found.reason);
  const policies = found.values.filter(isSpfRecord);
  if (policies.length === 0)
    return critical(
      "dns.spf",
      `${name} has no SPF record: receivers can't verify the service's mail`,
      `publish TXT "${policyFor(target)}"; ${PUBLISH}`,
    );
  if (policies.length > 1)
    return critical(
      "dns.spf",
      `${name} has ${policies.length} SPF records: receivers treat that as an error`,
      `keep only one of them: ${policies.join(" | ")}`,
    );
  return ok("dns.spf", `${name} has ${policies[0]}`);
}

function policyFor({ mailHosts, outbound }: Target): string {
  if (outbound === "cloudflare") return SPF_RECORD;
  const hosts = mailHosts.length > 0 ? mailHosts : ["<the gateway's host>"];
  return `v=spf1 ${hosts.map((host) => `a:${host}`).join(" ")} -all`;
}

async function checkTracking(dns: Dns, name: string, probe: string): Promise<CheckResult> {
  const found = await dns(probe, "A");
  if (found.kind === "failed") return unanswered("dns.track", name, found.reason);
  const addresses = await addressesOf(dns, probe);
  if (addresses.length > 0) return ok("dns.track", `${name} leads to ${addresses.join(", ")}`);
  return critical(
    "dns.track",
    `${name} leads nowhere: tracked links would be dead, and tracking can't be verified`,
    `publish a CNAME to the worker's host; ${PUBLISH}`,
  );
}

async function checkKeys(dns: Dns, name: string, probe: string): Promise<CheckResult> {
  const found = await dns(probe, "TXT");
  if (found.kind === "failed") return unanswered("dns.dkim", name, found.reason);
  if (found.values.length === 0)
    return ok("dns.dkim", `no wildcard hides the keys below ${name.slice(2)}`);
  return warning(
    "dns.dkim",
    `${name} answers for keys that were never published: ${found.values[0]?.slice(0, 60)}`,
    "remove that wildcard: the worker publishes each domain's keys",
  );
}

function unanswered(check: string, name: string, reason: string): CheckResult {
  return critical(
    check,
    `${name}: DNS could not be asked (${reason})`,
    "check that --resolver is reachable from here, and that the zone's name servers answer",
  );
}
