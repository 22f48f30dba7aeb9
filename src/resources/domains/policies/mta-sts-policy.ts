// Judges the MTA-STS record of a domain (RFC 8461 §3.1; contract.md §DNS as seen now). The record
// is optional, because it applies only to mail that the domain receives. Pure.
import { parseTags } from "../text-records.ts";
import {
  dnsValuesOf,
  judged,
  type Judged,
  type PolicyJudgement,
  printable,
  unknownPolicy,
} from "../dns-answer-texts.ts";
import { type DnsLookup, valuesIn } from "../resolver.ts";

const RECORD = /^v=STSv1[ \t]*(?:;|$)/;
const MEANT_AS_RECORD = /^\s*v\s*=\s*sts/i;
const ID = /^[a-z0-9]{1,32}$/i;

export function mtaStsHost(domain: string): string {
  return `_mta-sts.${domain}`;
}

export function judgeMtaSts(domain: string, lookup: DnsLookup): PolicyJudgement {
  const host = mtaStsHost(domain);
  if (lookup.kind === "failed") return unknownPolicy(host, lookup);
  return { ...judgeTexts(domain, host, valuesIn(lookup)), host, found: dnsValuesOf(lookup) };
}

function judgeTexts(domain: string, host: string, texts: readonly string[]): Judged {
  const [record, ...others] = texts.filter((text) => RECORD.test(text));
  if (others.length > 0)
    return judged.wrong(
      `${host} has ${others.length + 1} MTA-STS records where one is allowed, so senders use none ` +
        "of them. Leave one.",
    );
  if (record === undefined) {
    const meant = texts.find((text) => MEANT_AS_RECORD.test(text));
    if (meant !== undefined)
      return judged.wrong(
        `The record "${printable(meant)}" at ${host} does not begin with v=STSv1; exactly, so ` +
          "senders ignore it. Correct its version.",
      );
    return judged.missing(
      `${domain} has no MTA-STS record. It is optional: with one, senders use TLS for mail to ` +
        `${domain}.`,
    );
  }
  const id = parseTags(record).get("id") ?? "";
  if (!ID.test(id))
    return judged.wrong(
      `The MTA-STS record at ${host} has no valid id=, so senders ignore it. Give it an id of 1 to ` +
        "32 letters and digits, and a new id whenever the policy changes.",
    );
  return judged.ok(
    `${host} announces an MTA-STS policy for mail that comes to ${domain}. The policy itself, at ` +
      `https://mta-sts.${domain}/.well-known/mta-sts.txt, was not fetched.`,
  );
}
