// Judges the DMARC policy that receivers apply to a domain's mail (RFC 7489; contract.md §DNS as
// seen now). Pure.
import { parseTags } from "../text-records.ts";
import {
  foundIn,
  type PolicyJudgement,
  printable,
  type TextsAt,
  unknownPolicy,
} from "../dns-findings.ts";
import type { DnsLookup } from "../resolver.ts";

export interface JudgedDmarc {
  readonly judgement: PolicyJudgement;
  /**
   * True when all mail that fails DMARC is quarantined or refused, for this domain and for the
   * organizational one. Null: DNS gave no answer.
   */
  readonly isEnforced: boolean | null;
}

interface DmarcQuestion {
  readonly domain: string;
  readonly organization: string;
  /** Host of the return-path, below the domain. */
  readonly returnPath: string;
  /** Answers for `_dmarc` below the domain and below the organizational domain. */
  readonly own: DnsLookup;
  readonly organizational: DnsLookup;
}

type Tags = ReadonlyMap<string, string>;
type Found = Pick<PolicyJudgement, "status" | "message">;

/** Policies that a receiver knows, with the words for what each asks. */
const RECEIVERS: Readonly<Record<string, string>> = {
  none: "to treat mail that fails DMARC like any other",
  quarantine: "to quarantine mail that fails DMARC",
  reject: "to refuse mail that fails DMARC",
};
/** The version must be written precisely, and first (RFC 7489 §6.3). */
const RECORD = /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;
const MEANT_AS_RECORD = /^\s*v\s*=\s*dmarc/i;

export function dmarcHost(domain: string): string {
  return `_dmarc.${domain}`;
}

export function judgeDmarc(question: DmarcQuestion): JudgedDmarc {
  const { domain, organization, own, organizational } = question;
  const ownPlace = { host: dmarcHost(domain), lookup: own };
  if (own.kind === "failed") return toUnknown(ownPlace.host, own);
  const place =
    domain === organization || recordsIn(own).length > 0
      ? ownPlace
      : { host: dmarcHost(organization), lookup: organizational };
  if (place.lookup.kind === "failed") return toUnknown(place.host, place.lookup);
  const records = recordsIn(place.lookup);
  const [record] = records;
  if (record === undefined) return toJudged(place, judgeAbsence(question, place), false);
  if (records.length > 1)
    return toJudged(
      place,
      wrong(
        `${place.host} has ${records.length} DMARC records where one is allowed, so receivers use ` +
          "none of them. Leave one.",
      ),
      false,
    );
  return judgeRecord(question, place, tagsOf(record));
}

function judgeRecord(question: DmarcQuestion, place: TextsAt, tags: Tags): JudgedDmarc {
  const isInherited = place.host !== dmarcHost(question.domain);
  const general = actionOf(tags, "p");
  const below = tags.has("sp") ? actionOf(tags, "sp") : general;
  if (general === null || below === null)
    return toJudged(
      place,
      wrong(
        `The DMARC record at ${place.host} has no valid ${general === null ? "p=" : "sp="}, so ` +
          "receivers take it for p=none or ignore it. Use none, quarantine or reject.",
      ),
      false,
    );
  const action = isInherited ? below : general;
  const remarks = [
    ...policyRemarks(tags, { action, general, below }),
    ...reportRemarks(tags, question.organization),
    ...alignmentRemarks(tags, question),
  ];
  const asks =
    `The DMARC record at ${place.host} asks receivers ${RECEIVERS[action] ?? ""} ` +
    `(${isInherited && tags.has("sp") ? "sp" : "p"}=${action}).`;
  return toJudged(
    place,
    { status: remarks.length > 0 ? "warn" : "ok", message: [asks, ...remarks].join(" ") },
    isStrong(tags, action) && below !== "none" && isStrongOrganization(question),
  );
}

/** Tells whether the policy of the organizational domain, if there is one, is enforced too. */
function isStrongOrganization({ organizational }: DmarcQuestion): boolean | null {
  if (organizational.kind === "failed") return null;
  return recordsIn(organizational).every((record) => actionOf(tagsOf(record), "p") !== "none");
}

/** Tells whether no mail is exempt: what `pct` leaves out of p=reject is quarantined. */
function isStrong(tags: Tags, action: string): boolean {
  return action === "reject" || (action === "quarantine" && percentageOf(tags) === 100);
}

function policyRemarks(
  tags: Tags,
  { action, general, below }: { action: string; general: string; below: string },
): string[] {
  const percentage = percentageOf(tags);
  if (action === "none")
    return ["Forged mail passes like real mail. Go on to quarantine when the reports are clean."];
  return [
    ...(percentage < 100
      ? [`It covers only ${percentage} % of such mail. Remove pct= when the reports are clean.`]
      : []),
    ...(below === "none" && general !== "none"
      ? ["Names below the domain are left out by sp=none. Remove sp= unless they need it."]
      : []),
  ];
}

function reportRemarks(tags: Tags, organization: string): string[] {
  return /(?:^|,)mailto:[^,@]+@/i.test(tags.get("rua") ?? "")
    ? []
    : [
        "It names no address for reports, so you do not see what fails. " +
          `Add rua=mailto:postmaster@${organization}, or another mailbox that you read.`,
      ];
}

/** Mail is signed for the domain itself, so adkim=s passes. The return-path lies below the domain. */
function alignmentRemarks(tags: Tags, { domain, returnPath }: DmarcQuestion): string[] {
  return tags.get("aspf")?.toLowerCase() === "s"
    ? [
        `With aspf=s, SPF never counts, because mail of ${domain} returns to ${returnPath}. ` +
          "DMARC then rests on DKIM alone. Remove aspf=s.",
      ]
    : [];
}

function judgeAbsence({ domain, organization }: DmarcQuestion, place: TextsAt): Found {
  const example = `v=DMARC1; p=none; rua=mailto:postmaster@${organization}`;
  const meant = textsIn(place.lookup).find((text) => MEANT_AS_RECORD.test(text));
  if (meant !== undefined)
    return wrong(
      `The record "${printable(meant)}" at ${place.host} does not begin with v=DMARC1; exactly, so ` +
        `receivers ignore it. Write it like "${example}".`,
    );
  return {
    status: "missing",
    message:
      `${domain} has no DMARC record, which Gmail and Yahoo require of bulk senders. Publish the ` +
      `TXT record "${example}" at ${place.host}, and go on to p=quarantine when the reports are ` +
      "clean.",
  };
}

function actionOf(tags: Tags, name: string): string | null {
  const action = tags.get(name)?.toLowerCase() ?? "";
  return Object.hasOwn(RECEIVERS, action) ? action : null;
}

/** Receivers ignore a `pct` other than a number from 0 to 100. */
function percentageOf(tags: Tags): number {
  const text = tags.get("pct") ?? "";
  return /^\d{1,3}$/.test(text) ? Math.min(Number(text), 100) : 100;
}

function tagsOf(record: string): Tags {
  return new Map([...parseTags(record)].map(([name, value]) => [name.toLowerCase(), value]));
}

function recordsIn(lookup: DnsLookup): string[] {
  return textsIn(lookup).filter((text) => RECORD.test(text));
}

function textsIn(lookup: DnsLookup): readonly string[] {
  return lookup.kind === "answer" ? lookup.values : [];
}

function wrong(message: string): Found {
  return { status: "wrong", message };
}

function toJudged(
  { host, lookup }: TextsAt,
  judged: Found,
  isEnforced: boolean | null,
): JudgedDmarc {
  return { judgement: { ...judged, host, found: foundIn(lookup) }, isEnforced };
}

function toUnknown(host: string, found: Extract<DnsLookup, { kind: "failed" }>): JudgedDmarc {
  return { judgement: unknownPolicy(host, found), isEnforced: null };
}
