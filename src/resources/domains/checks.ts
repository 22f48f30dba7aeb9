// Checks whether DNS has the records that a domain needs (contract.md §Verification). Reports the
// first failure, in the order in which a customer should fix failures. A CNAME must lead to the
// exact target, directly or through further aliases. Pure except for the Resolver.
import { printable } from "./dns-answer-texts.ts";
import { type Alias, dkimAlias } from "./record-names.ts";
import { type DnsLookup, normalizeName, type Resolver, valuesIn } from "./resolver.ts";
import { isSpfRecord } from "../../operator/mail-records.ts";
import { hasOnlyKey, isKeyRecord } from "./text-records.ts";

export const MAIL_FLOW_CODES = [
  "apex_cname_missing",
  "apex_cname_mismatch",
  "dkim_cname_missing",
  "dkim_cname_mismatch",
  "dkim_mismatch",
  "chain_broken",
  "mx_missing",
  "spf_missing",
] as const;
export const TRACKING_CODES = [
  "tracking_cname_missing",
  "tracking_cname_mismatch",
  "chain_broken",
  "tracking_host_taken",
  "tracking_certificate_pending",
  "tracking_not_served",
] as const;

type Code = (typeof MAIL_FLOW_CODES)[number] | (typeof TRACKING_CODES)[number];

export interface CheckFailure<Of extends Code = Code> {
  readonly code: Of;
  /**
   * `missing`: DNS does not have the record. `mismatch`: the record has a wrong value, or its
   * target lacks the needed records. `unknown`: DNS did not answer.
   */
  readonly state: "missing" | "mismatch" | "unknown";
  /** One or two sentences with the record's name, its expected value and its found value. */
  readonly message: string;
}

export interface ExpectedKey extends Alias {
  readonly publicKey: string;
}

/**
 * The two checks of a record: of the customer's CNAME, and of the records at the CNAME's target.
 * The checks do not depend on each other.
 */
export interface AliasChecks<Of extends Code = Code> {
  /** Checks the customer's CNAME. */
  readonly alias: () => Promise<CheckFailure<Of> | null>;
  /** Checks the service's own records at the CNAME's target. */
  readonly end: () => Promise<CheckFailure<Of> | null>;
}

interface AliasCodes<Of extends Code> {
  readonly missing: Of;
  readonly mismatch: Of;
}

type MailFlowCode = (typeof MAIL_FLOW_CODES)[number];
type TrackingCode = (typeof TRACKING_CODES)[number];

const APEX = { missing: "apex_cname_missing", mismatch: "apex_cname_mismatch" } as const;
const DKIM = { missing: "dkim_cname_missing", mismatch: "dkim_cname_mismatch" } as const;
const TRACKING = {
  missing: "tracking_cname_missing",
  mismatch: "tracking_cname_mismatch",
} as const;

/** Returns the first problem with the records that a domain's mail needs, or null. */
export async function checkMailFlow(
  resolver: Resolver,
  returnPath: Alias,
  keys: readonly ExpectedKey[],
): Promise<CheckFailure<MailFlowCode> | null> {
  const records = [
    returnPathChecks(resolver, returnPath),
    ...keys.map((key) => dkimChecks(resolver, key)),
  ];
  const wrong = await firstFailure(records.map(({ alias }) => alias()));
  return wrong ?? firstFailure(records.map(({ end }) => end()));
}

/** Returns the first problem with a tracking host, or null. */
export async function checkTracking(
  resolver: Resolver,
  alias: Alias,
): Promise<CheckFailure<TrackingCode> | null> {
  const checks = trackingChecks(resolver, alias);
  return (await checks.alias()) ?? checks.end();
}

export function returnPathChecks(resolver: Resolver, alias: Alias): AliasChecks<MailFlowCode> {
  return {
    alias: () => checkAlias(resolver, alias, APEX),
    end: () => checkReturnPath(resolver, alias),
  };
}

export function dkimChecks(resolver: Resolver, key: ExpectedKey): AliasChecks<MailFlowCode> {
  return { alias: () => checkDkimAlias(resolver, key), end: () => checkKey(resolver, key) };
}

export function trackingChecks(resolver: Resolver, alias: Alias): AliasChecks<TrackingCode> {
  return {
    alias: () => checkAlias(resolver, alias, TRACKING),
    async end() {
      const addresses = await resolver.addresses(alias.target);
      return addresses.kind === "answer" ? null : toBrokenChain(alias, addresses, "address");
    },
  };
}

export function failureOf<Of extends Code>(
  code: Of,
  state: CheckFailure["state"],
  message: string,
): CheckFailure<Of> {
  return { code, state, message };
}

/** Returns the CNAME records for a domain's DKIM keys, each with the key of its target. */
export function expectedKeys(
  domain: {
    readonly name: string;
    readonly targetLabel: string;
    readonly keys: readonly { readonly selector: string; readonly publicKey: string }[];
  },
  serviceDomain: string,
): ExpectedKey[] {
  return domain.keys.map(({ selector, publicKey }) => ({
    ...dkimAlias(domain, selector, serviceDomain),
    publicKey,
  }));
}

async function firstFailure<Of extends Code>(
  checks: readonly Promise<CheckFailure<Of> | null>[],
): Promise<CheckFailure<Of> | null> {
  return (await Promise.all(checks)).find((failure) => failure !== null) ?? null;
}

async function checkAlias<Of extends Code>(
  resolver: Resolver,
  alias: Alias,
  codes: AliasCodes<Of>,
): Promise<CheckFailure<Of | "chain_broken"> | null> {
  const { names, end } = await resolver.aliases(alias.host, alias.target);
  if (end.kind !== "failed" && names.at(-1) === alias.target) return null;
  if (names.length === 0 && end.kind !== "failed")
    return failureOf(
      codes.missing,
      "missing",
      `${alias.host} has no CNAME record. Publish one that points to ${alias.target}.`,
    );
  const path = formatNames(names);
  if (end.kind === "failed") {
    const asked = names.length === 0 ? alias.host : `${alias.host}, which points to ${path}`;
    const state = end.isZoneFault ? "mismatch" : "unknown";
    const reason = printable(end.reason);
    return failureOf("chain_broken", state, `DNS could not be queried for ${asked}: ${reason}.`);
  }
  // If the name has a single alias whose target does not exist, the alias has a wrong target. If
  // the end of a longer chain of aliases does not exist, a further alias in the chain is broken.
  return end.kind === "nxdomain" && names.length > 1
    ? failureOf(
        "chain_broken",
        "mismatch",
        `${alias.host} points to ${path}, and the last of these names does not exist.`,
      )
    : failureOf(
        codes.mismatch,
        "mismatch",
        `${alias.host} must be a CNAME for ${alias.target}, but points to ${path}.`,
      );
}

/**
 * Checks an alias as checkAlias() does. But if the customer published a DKIM key in place of the
 * CNAME, returns a mismatch and not a missing record.
 */
async function checkDkimAlias(resolver: Resolver, key: ExpectedKey) {
  const failure = await checkAlias(resolver, key, DKIM);
  if (failure?.code !== DKIM.missing) return failure;
  const values = valuesIn(await resolver.texts(key.host));
  if (!values.some(isKeyRecord) || hasOnlyKey(values, key.publicKey)) return failure;
  const message =
    `${key.host} has a TXT record with another DKIM key. Replace it by a CNAME record that ` +
    `points to ${key.target}.`;
  return failureOf("dkim_mismatch", "mismatch", message);
}

async function checkReturnPath(resolver: Resolver, alias: Alias) {
  const [servers, texts] = await Promise.all([
    resolver.mailServers(alias.target),
    resolver.texts(alias.target),
  ]);
  if (servers.kind === "failed") return toBrokenChain(alias, servers, "MX");
  if (texts.kind === "failed") return toBrokenChain(alias, texts, "TXT");
  // If both look-ups answer NXDOMAIN, the name does not exist. If one look-up finds a record, the
  // name exists, and only the other record is missing.
  if (servers.kind === "nxdomain" && texts.kind === "nxdomain")
    return toBrokenChain(alias, servers, "MX");
  const leads = `${alias.host} leads to ${alias.target}, which has`;
  if (!valuesIn(servers).some((exchange) => exchange !== "" && exchange !== "."))
    return failureOf("mx_missing", "mismatch", `${leads} no MX record.`);
  const policies = valuesIn(texts).filter(isSpfRecord);
  if (policies.length === 1) return null;
  const held =
    policies.length === 0 ? "no SPF record" : `${policies.length} SPF records where one is allowed`;
  return failureOf("spf_missing", "mismatch", `${leads} ${held}.`);
}

async function checkKey(resolver: Resolver, key: ExpectedKey) {
  const texts = await resolver.texts(key.target);
  if (texts.kind !== "answer") return toBrokenChain(key, texts, "TXT");
  if (hasOnlyKey(texts.values, key.publicKey)) return null;
  return failureOf(
    "dkim_mismatch",
    "mismatch",
    `${key.host} leads to ${key.target}, which does not have the DKIM key that signs this ` +
      "domain's mail.",
  );
}

function toBrokenChain(
  alias: Alias,
  found: Exclude<DnsLookup, { kind: "answer" }>,
  records: string,
) {
  const why =
    found.kind === "failed"
      ? `DNS could not be queried for this target: ${found.reason}`
      : found.kind === "nxdomain"
        ? "the target does not exist"
        : `the target has no ${records} record`;
  const state = found.kind === "failed" && !found.isZoneFault ? "unknown" : "mismatch";
  const message = `${alias.host} points correctly to ${alias.target}, but ${why}.`;
  return failureOf("chain_broken", state, message);
}

/** Formats names from foreign DNS records for the text of a failure. */
function formatNames(names: readonly string[]): string {
  return printable(names.map(normalizeName).join(", ")) || "the root";
}
