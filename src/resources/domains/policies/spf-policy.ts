// Judges the SPF record (RFC 7208) at the return-path of the domain's mail (contract.md §DNS as
// seen now). Checks that receivers can evaluate the record, and that it is the record that the
// courier needs. Does not evaluate the record for an IP address. Pure except for the Resolver.
import { isSpfRecord } from "../../../operator/mail-records.ts";
import {
  ASK_AGAIN,
  dnsValuesOf,
  judged,
  type Judged,
  type PolicyJudgement,
  printable,
  unknownPolicy,
} from "../dns-answer-texts.ts";
import { checkBouncePolicy } from "../email-service-checks.ts";
import { askOperator, bounceHost } from "../email-service-records.ts";
import { type Alias, returnPathAlias } from "../record-names.ts";
import { type DnsLookup, type Resolver, valuesIn } from "../resolver.ts";
import { LOOKUPS_ALLOWED, lookupsOf, type SpfTerm, termsOf } from "./spf-terms.ts";
import type { CourierName } from "../../../settings.ts";

/** The return-path of one courier, and the SPF record that it needs. */
interface ReturnPath {
  readonly host: string;
  /** A sentence that says how to publish the right record. */
  readonly remedy: string;
  /** A clause that names the owner of the right record. It begins with `which`. */
  readonly praise: string;
  /** Returns why the record does not fit the courier, or null if it does. */
  readonly objection: (policy: string) => Promise<Judged | null>;
}

export async function judgeSpf(
  resolver: Resolver,
  domain: { readonly name: string; readonly targetLabel: string },
  serviceDomain: string,
  courier: CourierName,
): Promise<PolicyJudgement> {
  const path =
    courier === "cloudflare"
      ? emailServicePath(resolver, domain.name)
      : ownPath(resolver, returnPathAlias(domain, serviceDomain), courier);
  const { host } = path;
  const lookup = await resolver.texts(host);
  if (lookup.kind === "failed" && !lookup.isZoneFault) return unknownPolicy(host, lookup);
  return { ...(await judgeRecords(resolver, path, lookup)), host, found: dnsValuesOf(lookup) };
}

async function judgeRecords(
  resolver: Resolver,
  { host, remedy, praise, objection }: ReturnPath,
  lookup: DnsLookup,
): Promise<Judged> {
  if (lookup.kind === "failed")
    return judged.wrong(`${host} leads to no record: ${printable(lookup.reason)}. ${remedy}`);
  const [policy, ...others] = valuesIn(lookup).filter(isSpfRecord);
  if (policy === undefined)
    return judged.missing(
      `${host} has no SPF record, so SPF does not pass for this domain's mail. ${remedy}`,
    );
  if (others.length > 0)
    return judged.wrong(
      `${host} has ${others.length + 1} SPF records where one is allowed, so receivers use none ` +
        `of them. Leave one. ${remedy}`,
    );
  const terms = termsOf(policy);
  if (typeof terms === "string")
    return judged.wrong(
      `The SPF record of ${host} has the term "${printable(terms)}", which SPF does not have, so ` +
        `receivers use no part of it. ${remedy}`,
    );
  const objected = await objection(policy);
  return objected ?? judgeTerms(resolver, host, terms, praise);
}

async function judgeTerms(
  resolver: Resolver,
  host: string,
  terms: readonly SpfTerm[],
  praise: string,
): Promise<Judged> {
  const { count, problem, unknown } = await lookupsOf(resolver, terms);
  if (problem !== null)
    return judged.wrong(
      `The SPF record of ${host} ends in an error: ${printable(problem)}. Remove that term.`,
    );
  if (count > LOOKUPS_ALLOWED)
    return judged.wrong(
      `The SPF record of ${host} needs more DNS look-ups than the ${LOOKUPS_ALLOWED} that receivers ` +
        "make, so SPF may end in an error. Remove terms that are not needed.",
    );
  if (unknown !== null)
    return judged.unknown(`DNS could not be queried for ${printable(unknown)}. ${ASK_AGAIN}`);
  if (terms.some(({ kind, qualifier }) => kind === "all" && qualifier === "+"))
    return judged.warn(
      `The SPF record of ${host} ends in +all, which lets every host on the internet send as ` +
        "this domain. Use ~all or -all.",
    );
  return judged.ok(
    `${host} has one SPF record, ${praise} It uses ${count} of the ${LOOKUPS_ALLOWED} DNS ` +
      "lookups that receivers allow.",
  );
}

function emailServicePath(resolver: Resolver, domain: string): ReturnPath {
  const remedy = askOperator(domain);
  return {
    host: bounceHost(domain),
    remedy,
    praise: "which admits Cloudflare's Email Service.",
    async objection() {
      const failure = await checkBouncePolicy(resolver, domain);
      return failure && judged.wrong(`${failure.message} ${remedy}`);
    },
  };
}

/** Describes the service's own return-path, which mail through a gateway or a relay has. */
function ownPath(resolver: Resolver, { host, target }: Alias, courier: CourierName): ReturnPath {
  const remedy = `Publish one CNAME record at ${host}, with the value ${target}.`;
  return {
    host,
    remedy,
    praise:
      courier === "smtp"
        ? "this service's own. DNS does not show whether it admits your relay's addresses."
        : "this service's own.",
    async objection(policy) {
      const ours = await resolver.texts(target);
      if (ours.kind === "failed") return unknownPolicy(target, ours);
      return valuesIn(ours).includes(policy)
        ? null
        : judged.wrong(
            `${host} has an SPF record of its own, which may not allow the hosts that ` +
              `send this domain's mail. ${remedy}`,
          );
    },
  };
}
