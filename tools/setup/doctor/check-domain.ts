// Prints the worker's results for the sending domains of the API key's team. For each record and
// policy, they have the current value in DNS (contract.md §DNS as seen now). Another team's domains
// need a key of that team.
import { type Domain, type SeenDomain, OperatorClient } from "../operator-client.ts";
import { SetupProblem } from "../setup-problem.ts";
import {
  critical,
  type CheckResult,
  ok,
  notKnown,
  type CheckResults,
  warning,
} from "./check-result.ts";
import type { Target } from "./doctor-target.ts";

type RecordSeen = SeenDomain["records"][number];
type PolicySeen = SeenDomain["policies"][string];

/** Policies that a sending domain may lack. */
const OPTIONAL_POLICIES = new Set(["mta_sts", "bimi"]);
const SETUP = "npm run setup fixes it";
const OWN_RECORD =
  "the service's own record is wrong: npm run setup publishes it. For a DKIM key, delete the " +
  "domain and add it again";

export async function checkDomains(
  { url, key, domains: named }: Target,
  domains: readonly Domain[],
): Promise<CheckResults> {
  if (key === undefined)
    return notKnown(
      "domain",
      "sending domains were not checked: give a key of their team with --key",
    );
  const strangers = named.filter((name) => !domains.some((domain) => domain.name === name));
  const api = new OperatorClient(url);
  const each = await Promise.all(domains.map((domain) => checkDomain(api, key, domain)));
  return [
    ...each.flat(),
    ...strangers.map((name) =>
      notKnown("domain", `${name} was not checked: give a key of its team with --key`),
    ),
  ];
}

async function checkDomain(
  api: OperatorClient,
  key: string,
  domain: Domain,
): Promise<CheckResults> {
  try {
    const { records, policies } = await api.domainDns(key, domain.id);
    const isTracked = domain.tracking.status !== "disabled";
    return [
      ...judgeStatus(domain),
      ...records
        .filter(({ purpose }) => purpose !== "tracking" || isTracked)
        .map((record) => judgeRecord(record, domain.name)),
      ...Object.entries(policies).map(([name, policy]) => judgePolicy(name, policy)),
    ];
  } catch (error) {
    if (!(error instanceof SetupProblem)) throw error;
    return critical("domain", error.message, error.mend);
  }
}

function judgeStatus({ name, status }: Domain): CheckResult[] {
  if (status === "verified") return [];
  return [
    warning(
      "domain.status",
      `${name} is not verified: no mail is sent from it`,
      "publish its records (GET /v1/domains), then POST /v1/domains/{id}/verify",
    ),
  ];
}

function judgeRecord(record: RecordSeen, domain: string): CheckResult {
  const { purpose, host, status, message } = record;
  const check = `domain.${purpose}`;
  if (status === "ok") return ok(check, message);
  if (status === "unknown") return warning(check, message, `check the name servers of ${host}`);
  return (purpose === "tracking" ? warning : critical)(check, message, remedyFor(record, domain));
}

function remedyFor({ type, host, expected, found }: RecordSeen, domain: string): string {
  if (type !== "CNAME" || expected === null)
    return `npx wrangler email sending dns get ${domain} lists the records that belong there; ${SETUP}`;
  return found.includes(expected) ? OWN_RECORD : `publish ${type} ${expected} at ${host}`;
}

function judgePolicy(name: string, { status, host, message }: PolicySeen): CheckResult {
  const check = `domain.${name}`;
  if (status === "ok" || (status === "missing" && OPTIONAL_POLICIES.has(name)))
    return ok(check, message);
  if (status === "unknown") return warning(check, message, `check the name servers of ${host}`);
  const isFault = status === "wrong" || (status === "missing" && name === "spf");
  const verb = status === "missing" ? "publish" : "change";
  // If a gateway carries the mail, the return-path's CNAME provides the SPF record. The message of
  // the result says this, so the advice does not name a record type.
  const record = name === "spf" ? "the record" : "the TXT record";
  return (isFault ? critical : warning)(check, message, `${verb} ${record} at ${host}`);
}
