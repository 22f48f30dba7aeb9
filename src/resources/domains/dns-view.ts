// Looks up a domain's records in DNS, and judges its policies (contract.md §DNS as seen now).
// Stores nothing. verify.ts stores results.
import type { CourierName, Settings } from "../../settings.ts";
import { bimiHost, judgeBimi } from "./policies/bimi-policy.ts";
import { lookUpDmarc } from "./policies/dmarc-lookups.ts";
import { judgeDmarc } from "./policies/dmarc-policy.ts";
import type { PolicyJudgement } from "./dns-answer-texts.ts";
import { bounceHost } from "./email-service-records.ts";
import { judgeMtaSts, mtaStsHost } from "./policies/mta-sts-policy.ts";
import { registrableDomain, returnPathAlias } from "./record-names.ts";
import { courierRecordStates, ownRecordStates, type RecordState } from "./record-states.ts";
import { rememberAnswers } from "./remembered-answers.ts";
import { dnsResolver, type Resolver } from "./resolver.ts";
import { judgeSpf } from "./policies/spf-policy.ts";
import type { StoredDomain } from "./store.ts";

export interface DnsView {
  readonly records: readonly RecordState[];
  readonly policies: {
    readonly spf: PolicyJudgement;
    readonly dmarc: PolicyJudgement;
    readonly mtaSts: PolicyJudgement;
    readonly bimi: PolicyJudgement;
  };
}

/**
 * Makes the view. `courier` is the courier of the team's mail. A record is `unknown` if DNS does
 * not answer.
 */
export async function viewDns(
  { dnsResolverUrl, serviceDomain, emailApiToken }: Settings,
  courier: CourierName,
  domain: StoredDomain,
): Promise<DnsView> {
  const resolver = rememberAnswers(dnsResolver(dnsResolverUrl));
  const [own, couriers, spf, policies] = await Promise.all([
    ownRecordStates(resolver, domain, serviceDomain),
    courier === "cloudflare"
      ? courierRecordStates(resolver, domain.name, emailApiToken !== "")
      : [],
    judgeSpf(resolver, domain, serviceDomain, courier),
    judgeDomain(
      resolver,
      domain.name,
      courier === "cloudflare"
        ? bounceHost(domain.name)
        : returnPathAlias(domain, serviceDomain).host,
    ),
  ]);
  return { records: [...own, ...couriers], policies: { spf, ...policies } };
}

async function judgeDomain(
  resolver: Resolver,
  domain: string,
  returnPath: string,
): Promise<Omit<DnsView["policies"], "spf">> {
  const organization = registrableDomain(domain);
  const [dmarc, mtaSts, ownLogo, organizationalLogo] = await Promise.all([
    lookUpDmarc(resolver, domain, organization),
    resolver.texts(mtaStsHost(domain)),
    resolver.texts(bimiHost(domain)),
    resolver.texts(bimiHost(organization)),
  ]);
  const { judgement, isEnforced } = judgeDmarc({ ...dmarc, returnPath });
  return {
    dmarc: judgement,
    mtaSts: judgeMtaSts(domain, mtaSts),
    bimi: judgeBimi({ domain, organization }, ownLogo, organizationalLogo, isEnforced),
  };
}
