// Judges the BIMI record of a domain, which names the logo that some mailbox providers show beside
// its mail (contract.md §DNS as seen now, draft-brand-indicators-for-message-identification). Pure.
import { parseTags } from "../text-records.ts";
import {
  ASK_AGAIN,
  dnsValuesOf,
  judged,
  type Judged,
  type PolicyJudgement,
  printable,
  type TextsAt,
  unknownPolicy,
} from "../dns-answer-texts.ts";
import { type DnsLookup, valuesIn } from "../resolver.ts";

const RECORD = /^v[ \t]*=[ \t]*BIMI1[ \t]*(?:;|$)/;

export function bimiHost(domain: string): string {
  return `default._bimi.${domain}`;
}

/**
 * Judges the domain's own BIMI record or, without one, the record of the organizational domain.
 * `isEnforced`: the domain's DMARC policy is enforced.
 */
export function judgeBimi(
  { domain, organization }: { readonly domain: string; readonly organization: string },
  own: DnsLookup,
  organizational: DnsLookup,
  isEnforced: boolean | null,
): PolicyJudgement {
  const ownPlace: TextsAt = { host: bimiHost(domain), lookup: own };
  if (own.kind === "failed") return unknownPolicy(ownPlace.host, own);
  const inherited: TextsAt = { host: bimiHost(organization), lookup: organizational };
  if (recordsIn(own).length === 0 && organizational.kind === "failed")
    return unknownPolicy(inherited.host, organizational);
  const place =
    recordsIn(own).length === 0 && recordsIn(organizational).length > 0 ? inherited : ownPlace;
  return {
    ...judgeRecords(domain, place, isEnforced),
    host: place.host,
    found: dnsValuesOf(place.lookup),
  };
}

function judgeRecords(
  domain: string,
  { host, lookup }: TextsAt,
  isEnforced: boolean | null,
): Judged {
  const [record, ...others] = recordsIn(lookup);
  if (record === undefined)
    return judged.missing(
      `${domain} has no BIMI record. It is optional: with one, some mailboxes show the domain's ` +
        "logo beside its mail.",
    );
  if (others.length > 0)
    return judged.wrong(
      `${host} has ${others.length + 1} BIMI records where one is allowed, so mailboxes use none of ` +
        "them. Leave one.",
    );
  const tags = parseTags(record);
  const logo = tags.get("l");
  const certificate = tags.get("a") ?? "";
  if (logo === "" && certificate === "")
    return judged.ok(`The BIMI record at ${host} says that there is no logo to show.`);
  if (logo === undefined || !isHttps(logo))
    return judged.wrong(
      `The BIMI record at ${host} names ${logo ? `"${printable(logo)}"` : "no logo"} in l=. Give l= ` +
        "the https:// address of an SVG file.",
    );
  if (certificate !== "" && !isHttps(certificate))
    return judged.wrong(
      `The BIMI record at ${host} names "${printable(certificate)}" in a=. Give a= the https:// ` +
        "address of the logo's certificate, or remove it.",
    );
  return judgeLogo(host, certificate !== "", isEnforced);
}

function judgeLogo(host: string, hasCertificate: boolean, isEnforced: boolean | null): Judged {
  if (isEnforced === null)
    return judged.unknown(
      `${host} has a BIMI record. Mailboxes use it only if DMARC is enforced, but DNS could not ` +
        `be queried for DMARC. ${ASK_AGAIN}`,
    );
  if (!isEnforced)
    return judged.warn(
      `${host} has a BIMI record, but mailboxes ignore it until DMARC is enforced: p=quarantine ` +
        "or p=reject for all mail, without sp=none and t=y, for the domain and its " +
        "organizational domain.",
    );
  return judged.ok(
    hasCertificate
      ? `${host} names a logo and its certificate, and DMARC is enforced.`
      : `${host} names a logo, and DMARC is enforced. Gmail and Apple Mail show it only with ` +
          "a certificate in a=.",
  );
}

function recordsIn(lookup: DnsLookup): string[] {
  return valuesIn(lookup).filter((text) => RECORD.test(text));
}

function isHttps(address: string): boolean {
  return URL.parse(address)?.protocol === "https:";
}
