// Judges the DMARC policy that receivers apply to a domain's mail, by RFC 9989 and by RFC 7489
// (contract.md §DNS as seen now). Pure.
import { foundIn, type PolicyJudgement, printable, unknownPolicy } from "../dns-findings.ts";
import {
  actionOf,
  dmarcHost,
  hasReportMailbox,
  isTest,
  malformedAt,
  percentageOf,
  publishedAt,
  type Tags,
} from "./dmarc-record.ts";
import {
  type DmarcDomain,
  type DmarcVerdict,
  verdictBy7489,
  verdictBy9989,
} from "./dmarc-verdict.ts";
import { type BothVerdicts, doAgree, sayOrganizations, sayVerdicts } from "./dmarc-texts.ts";
import { walkTree } from "./tree-walk.ts";

export interface JudgedDmarc {
  readonly judgement: PolicyJudgement;
  /**
   * True when both RFCs ask that all mail that fails DMARC is quarantined or refused, and not as a
   * test, for this domain and for the organizational one. Null: DNS gave no answer.
   */
  readonly isEnforced: boolean | null;
}

interface DmarcQuestion extends DmarcDomain {
  /** Host of the return-path, below the domain. */
  readonly returnPath: string;
}

type Known = Exclude<DmarcVerdict, { kind: "unknown" }>;
type Policy = Extract<DmarcVerdict, { kind: "policy" }>;
type Found = Pick<PolicyJudgement, "status" | "message">;

export function judgeDmarc(question: DmarcQuestion): JudgedDmarc {
  const newer = verdictBy9989(question);
  const older = verdictBy7489(question);
  if (newer.kind === "unknown") return toUnknown(newer);
  if (older.kind === "unknown") return toUnknown(older);
  const wrong = [older, newer].find(({ kind }) => kind === "several" || kind === "void");
  if (wrong && wrong.kind !== "absent")
    return toJudged(question, wrong.domain, judgeFault(question, wrong, { newer, older }), false);
  const policy = [newer, older].find((verdict) => verdict.kind === "policy");
  if (policy === undefined) {
    const [place, found] = judgeAbsence(question);
    return toJudged(question, place, found, false);
  }
  return toJudged(
    question,
    policy.domain,
    judgePolicy(question, policy, { newer, older }),
    [newer, older].every((verdict) => isStrong(question, verdict))
      ? areStrongAbove(question)
      : false,
  );
}

function judgeFault({ domain }: DmarcQuestion, fault: Known, both: BothVerdicts<Known>): Found {
  const advice = fault.kind === "several" ? "Leave one record." : "Use none, quarantine or reject.";
  return { status: "wrong", message: [...sayVerdicts(domain, both), advice].join(" ") };
}

function judgePolicy(question: DmarcQuestion, policy: Policy, both: BothVerdicts<Known>): Found {
  const { domain, organization, answers } = question;
  const newer = walkTree(answers, domain).organization;
  const organizations = { newer, older: organization };
  const remarks = [
    ...policyRemarks(policy, isOrganizational(question, policy.domain)),
    ...placeRemarks(domain, both),
    ...reportRemarks(policy.tags, organization),
    ...alignmentRemarks(policy.tags, question, newer),
  ];
  return {
    status: remarks.length > 0 ? "warn" : "ok",
    message: [...sayVerdicts(domain, both), ...sayOrganizations(organizations), ...remarks].join(
      " ",
    ),
  };
}

function policyRemarks({ tags, published }: Policy, doNamesBelowInherit: boolean): string[] {
  if (published === "none")
    return [
      "Forged mail is delivered like real mail. Once the reports show no problems, change it to " +
        "p=quarantine.",
    ];
  const [below, nowhere] = [actionOf(tags, "sp"), actionOf(tags, "np")];
  const isOpen = doNamesBelowInherit && actionOf(tags, "p") !== "none";
  return [
    ...rolloutRemarks(tags),
    ...(isOpen && below === "none"
      ? ["Names below the domain are left out by sp=none. Remove sp= unless they need it."]
      : []),
    ...(isOpen && nowhere === "none" && below !== "none"
      ? ["Names that do not exist are left out by np=none. Remove np= unless they need it."]
      : []),
  ];
}

/** Advises on the tags that let a policy begin with less than it asks for. */
function rolloutRemarks(tags: Policy["tags"]): string[] {
  const isPartial = percentageOf(tags) < 100;
  if (isTest(tags))
    return [`Remove t=y${isPartial ? " and pct=" : ""} once the reports show no problems.`];
  return isPartial
    ? ["Remove pct=, which RFC 9989 does not know; its t=y asks for one step less."]
    : [];
}

/**
 * Advises a domain to publish its own record where the RFCs find different ones, since that settles
 * it (RFC 9989 §C.3).
 */
function placeRemarks(domain: string, both: BothVerdicts<Known>): string[] {
  const { newer, older } = both;
  if (doAgree(both)) return [];
  if (newer.kind !== "policy" || older.kind !== "policy" || newer.domain !== older.domain)
    return [`Publish a record at ${dmarcHost(domain)}, which both RFCs look up first.`];
  return newer.tag === "np" ? [`np= counts only until ${domain} exists in DNS.`] : [];
}

function reportRemarks(tags: Tags, organization: string): string[] {
  return hasReportMailbox(tags)
    ? []
    : [
        "The record names no address for reports, so you do not see what fails. " +
          `Add rua=mailto:postmaster@${organization}, or another mailbox that you read.`,
      ];
}

/**
 * Mail is signed for the domain itself, so DKIM aligns in either mode. The return-path lies below
 * the domain. A relaxed SPF needs one organizational domain for both (RFC 9989 §3.2.10.1).
 */
function alignmentRemarks(
  tags: Tags,
  { domain, returnPath, answers }: DmarcQuestion,
  organization: string | null,
): string[] {
  if (tags.get("aspf")?.toLowerCase() === "s")
    return [
      `With aspf=s, SPF never counts, because mail of ${domain} returns to ${returnPath}. ` +
        "DMARC then rests on DKIM alone. Remove aspf=s.",
    ];
  const other = walkTree(answers, returnPath).organization;
  return organization === null || other === null || other === organization
    ? []
    : [
        `By RFC 9989, SPF never counts, because the organizational domain of ${returnPath} is ` +
          `${other}. DMARC then rests on DKIM alone.`,
      ];
}

function judgeAbsence({ domain, organization, answers }: DmarcQuestion): readonly [string, Found] {
  const example = `v=DMARC1; p=none; rua=mailto:postmaster@${organization}`;
  for (const place of [domain, organization]) {
    const meant = malformedAt(answers, place);
    if (meant !== undefined)
      return [
        place,
        {
          status: "wrong",
          message:
            `The record "${printable(meant)}" at ${dmarcHost(place)} does not begin with ` +
            `v=DMARC1; exactly, so receivers ignore it. Write it like "${example}".`,
        },
      ];
  }
  return [
    organization,
    {
      status: "missing",
      message:
        `${domain} has no DMARC record, which Gmail and Yahoo require of bulk senders. Publish ` +
        `the TXT record "${example}" at ${dmarcHost(organization)}. Once its reports show no ` +
        "problems, change it to p=quarantine.",
    },
  ];
}

/** A p=reject stays strong with `pct`, which quarantines the rest. A test is not strong. */
function isStrong(question: DmarcQuestion, verdict: Known): boolean {
  if (verdict.kind !== "policy" || verdict.loweredBy === "t=y") return false;
  const { asked, share, tags, domain } = verdict;
  const isWhole = asked === "reject" || (asked === "quarantine" && share === 100);
  return isWhole && (actionOf(tags, "sp") !== "none" || !isOrganizational(question, domain));
}

/** `sp` and `np` count only in the record of an organizational domain (RFC 9989 §4.7). */
function isOrganizational({ domain, organization, answers }: DmarcQuestion, name: string): boolean {
  return name === organization || name === walkTree(answers, domain).organization;
}

/** Tells whether the policies of the organizational domains, if they have one, are enforced too. */
function areStrongAbove({ domain, organization, answers }: DmarcQuestion): boolean | null {
  const { organization: newer } = walkTree(answers, domain);
  const above = [organization, newer ?? organization].map((name) => publishedAt(answers, name));
  const isWeak = above.some(
    (one) => one.kind === "one" && (actionOf(one.tags, "p") === "none" || isTest(one.tags)),
  );
  if (isWeak) return false;
  return newer === null || above.some(({ kind }) => kind === "unknown") ? null : true;
}

function toJudged(
  { answers }: DmarcQuestion,
  place: string,
  judged: Found,
  isEnforced: boolean | null,
): JudgedDmarc {
  const found = foundIn(answers.get(place) ?? { kind: "nodata" });
  return { judgement: { ...judged, host: dmarcHost(place), found }, isEnforced };
}

function toUnknown({ domain, lookup }: Extract<DmarcVerdict, { kind: "unknown" }>): JudgedDmarc {
  return { judgement: unknownPolicy(dmarcHost(domain), lookup), isEnforced: null };
}
