// Checks the zone of the service's host. Programs with any user agent must reach the worker, and
// the zone must have free capacity for the DNS records of new domains.
import { ZONE_FULL } from "../account/cloudflare-codes.ts";
import { NEEDS_CONFIG } from "../account/config-rules.ts";
import { DnsApi } from "../dns-api.ts";
import { call, type JsonResponse, NoHttpResponse } from "../json-call.ts";
import { CallProblem } from "../setup-problem.ts";
import type { Target } from "./doctor-target.ts";
import {
  critical,
  type CheckResult,
  ok,
  notKnown,
  type CheckResults,
  warning,
} from "./check-result.ts";

const PROGRAMS = "worker.programs";
const RECORDS = "zone.records";
/** The user agent of Python's standard library, which Browser Integrity Check refuses. */
const PYTHON = "Python-urllib/3.14";
const INTEGRITY = "1010";
/** Each domain of a team needs two records, so few free records allow only a few new domains. */
const FEW_RECORDS = 20;

/** Calls the worker with the user agent of Python's urllib. */
export async function checkPrograms({ url }: Target): Promise<CheckResults> {
  const answer = await call("GET", `${url}/healthz`, { headers: { "user-agent": PYTHON } });
  // Another check reports that the worker does not answer.
  if (answer instanceof NoHttpResponse) return [];
  const code = refusalOf(answer);
  if (code === null) return ok(PROGRAMS, `${url} answers ${PYTHON} too`);
  const by = code === INTEGRITY ? "Browser Integrity Check" : "a security rule of the zone";
  const where = code === INTEGRITY ? "Rules, Configuration Rules" : "Security";
  return critical(
    PROGRAMS,
    `${by} refuses ${PYTHON} (HTTP ${answer.status}, error code: ${code})`,
    `npm run setup makes a Configuration Rule if DNS_API_TOKEN has ${NEEDS_CONFIG}; or make ` +
      `an exception for the service's host in the dashboard, ${where}`,
  );
}

/** Returns the code with which Cloudflare refused the request before any worker ran. */
function refusalOf({ status, headers, text }: JsonResponse): string | null {
  const [, code] = /error code: ?(\d{4})/i.exec(text) ?? [];
  if (status >= 400 && code !== undefined) return code;
  return headers.get("cf-mitigated");
}

/** Checks the zone's quota. A full zone refuses the records of the next domain that a team adds. */
export async function checkRecords(target: Target): Promise<CheckResult> {
  const { zoneId, serviceDomain, dnsApi } = target;
  if (dnsApi === undefined || (zoneId ?? serviceDomain) === undefined)
    return notKnown(RECORDS, "not counted: DNS_API_TOKEN or the service domain is not known here");
  try {
    const api = new DnsApi(dnsApi.url, dnsApi.token);
    const zone = await api.findZone(zoneId, serviceDomain ?? "");
    const room = await api.room(zone);
    const name = zone.name ?? zone.id;
    if (room === null) return notKnown(RECORDS, `Cloudflare does not report the quota of ${name}`);
    return judgeRoom(name, room.used, room.quota);
  } catch (error) {
    if (!(error instanceof CallProblem)) throw error;
    return notKnown(RECORDS, `${error.message}; ${error.mend}`);
  }
}

function judgeRoom(name: string, used: number, quota: number): CheckResult {
  const words = `${name} has ${used} of ${quota} DNS records`;
  const mend = "remove records that nothing needs, or upgrade the zone's plan";
  if (used >= quota)
    return critical(RECORDS, `${words}: no further domain can be added (${ZONE_FULL})`, mend);
  if (quota - used < FEW_RECORDS)
    return warning(
      RECORDS,
      `${words}; each domain needs two, and a full zone refuses records with ${ZONE_FULL}`,
      mend,
    );
  return ok(RECORDS, words);
}
