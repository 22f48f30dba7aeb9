// Reports the state of each record of a domain in DNS, by the checks of verification (contract.md
// §DNS as seen now). Pure except for the Resolver.
import {
  type AliasChecks,
  type CheckFailure,
  dkimChecks,
  expectedKeys,
  returnPathChecks,
  trackingChecks,
} from "./checks.ts";
import { SPF_INCLUDE } from "../../operator/mail-records.ts";
import { ASK_AGAIN, dnsValuesOf, shownValues } from "./dns-answer-texts.ts";
import { checkBouncePolicy, checkBounceServers, checkSigningKey } from "./email-service-checks.ts";
import {
  askOperator,
  BOUNCE_SERVER_ZONE,
  type CourierRecord,
  emailServiceRecords,
} from "./email-service-records.ts";
import { type Alias, returnPathAlias, trackingAlias } from "./record-names.ts";
import type { Resolver } from "./resolver.ts";
import type { StoredDomain } from "./store.ts";

export interface RecordState {
  readonly type: "CNAME" | "MX" | "TXT";
  /** Name of the record: absolute, without the final dot. */
  readonly host: string;
  /** The expected value. Null: only Cloudflare knows the value. */
  readonly expected: string | null;
  readonly purpose: "verification" | "dkim" | "tracking" | "bounces" | "spf";
  readonly status: "ok" | "missing" | "mismatch" | "unknown";
  readonly found: readonly string[];
  readonly message: string;
}

/** The end of the message about a correct CNAME: a clause about the records at its target. */
const LEADS_TO = {
  verification: "has the MX and SPF records for the mail that comes back",
  dkim: "has the DKIM key of this domain",
  tracking: "has an address for opens and clicks",
} as const;
const TRACKING_IS_OFF = "Tracking is off, so nothing needs this record now.";

/** Checks the records that the customer publishes: return-path, DKIM keys and tracking host. */
export async function ownRecordStates(
  resolver: Resolver,
  domain: StoredDomain,
  serviceDomain: string,
): Promise<RecordState[]> {
  const returnPath = returnPathAlias(domain, serviceDomain);
  return Promise.all([
    aliasState(resolver, returnPath, "verification", returnPathChecks(resolver, returnPath)),
    ...expectedKeys(domain, serviceDomain).map((key) =>
      aliasState(resolver, key, "dkim", dkimChecks(resolver, key)),
    ),
    ...trackingStates(resolver, domain, serviceDomain),
  ]);
}

/**
 * Checks the records that Cloudflare publishes for its Email Service. `isOnboardedByService`: the
 * service onboards domains itself.
 */
export async function courierRecordStates(
  resolver: Resolver,
  domain: string,
  isOnboardedByService: boolean,
): Promise<RecordState[]> {
  const advice = isOnboardedByService
    ? "Verify the domain. Then the service requests this record from Cloudflare."
    : askOperator(domain);
  return Promise.all(
    emailServiceRecords(domain).map((record) => courierState(resolver, domain, record, advice)),
  );
}

function trackingStates(
  resolver: Resolver,
  domain: StoredDomain,
  serviceDomain: string,
): Promise<RecordState>[] {
  if (domain.trackingSubdomain === null) return [];
  const alias = trackingAlias(domain, domain.trackingSubdomain, serviceDomain);
  const state = aliasState(resolver, alias, "tracking", trackingChecks(resolver, alias));
  return [domain.trackingHost === null ? state.then(toUnneeded) : state];
}

async function aliasState(
  resolver: Resolver,
  alias: Alias,
  purpose: keyof typeof LEADS_TO,
  checks: AliasChecks,
): Promise<RecordState> {
  const [wrong, broken, { names }] = await Promise.all([
    checks.alias(),
    checks.end(),
    resolver.aliases(alias.host, alias.target),
  ]);
  const failure = wrong ?? broken;
  const advice = wrong ? aliasAdvice(wrong, alias) : broken && endAdvice(broken);
  return {
    type: "CNAME",
    host: alias.host,
    expected: alias.target,
    purpose,
    status: failure?.state ?? "ok",
    // If the customer published a DKIM key in place of the CNAME, `found` shows this key.
    found:
      wrong?.code === "dkim_mismatch"
        ? dnsValuesOf(await resolver.texts(alias.host))
        : shownValues(names),
    message: failure
      ? joinSentences(failure.message, advice)
      : `${alias.host} leads to ${alias.target}, which ${LEADS_TO[purpose]}.`,
  };
}

/** Returns advice for the customer, or null if the failure's own message already gives it. */
function aliasAdvice({ code, state }: CheckFailure, { host, target }: Alias): string | null {
  if (state === "unknown") return ASK_AGAIN;
  if (state === "missing" || code === "dkim_mismatch") return null;
  return `Give ${host} one CNAME record, with the value ${target}.`;
}

function endAdvice({ state }: CheckFailure): string {
  return state === "unknown"
    ? ASK_AGAIN
    : "Your record is right. The operator of the service must correct the records at its target.";
}

async function courierState(
  resolver: Resolver,
  domain: string,
  { type, host, value, purpose }: CourierRecord,
  advice: string,
): Promise<RecordState> {
  const check = { bounces: checkBounceServers, spf: checkBouncePolicy, dkim: checkSigningKey };
  const [failure, lookup] = await Promise.all([
    check[purpose](resolver, domain),
    type === "MX" ? resolver.mailServers(host) : resolver.texts(host),
  ]);
  const found = dnsValuesOf(lookup);
  return {
    type,
    host,
    expected: value,
    purpose,
    status: failure?.state ?? "ok",
    found,
    message: failure
      ? joinSentences(failure.message, courierAdvice(failure, advice))
      : praise(host, value, purpose, found),
  };
}

/**
 * Returns advice. Returns null if the zone's records contradict each other, because the message
 * already says this.
 */
function courierAdvice({ code, state }: CheckFailure, advice: string): string | null {
  if (state === "unknown") return ASK_AGAIN;
  return code === "chain_broken" ? null : advice;
}

/** Returns the message about a correct record of the Email Service. */
function praise(
  host: string,
  value: string | null,
  purpose: CourierRecord["purpose"],
  found: readonly string[],
): string {
  if (purpose === "dkim")
    return `${host} has a DKIM key. Only Cloudflare knows whether it is the one that signs.`;
  if (purpose === "spf") return `${host} has one SPF record, which includes ${SPF_INCLUDE}.`;
  return value !== null && found.includes(value)
    ? `${host} has the MX record ${value}.`
    : `${host} has another MX record below ${BOUNCE_SERVER_ZONE}, which is enough.`;
}

function toUnneeded(state: RecordState): RecordState {
  return { ...state, message: joinSentences(state.message, TRACKING_IS_OFF) };
}

function joinSentences(...sentences: readonly (string | null)[]): string {
  return sentences.filter((sentence) => sentence !== null).join(" ");
}
