// Judges the DMARC policy that receivers apply to a domain's mail, by RFC 9989 and by RFC 7489
// (contract.md §DNS as seen now). Pure.
import {
  dnsValuesOf,
  judged,
  type Judged,
  type PolicyJudgement,
  printable,
  unknownPolicy,
} from "../dns-answer-texts.ts";
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
import { type DmarcDomain, type DmarcResult, resultBy7489, resultBy9989 } from "./dmarc-result.ts";
import {
  type BothDmarcResults,
  doAgree,
  sayOrganizations,
  describeDmarcResults,
} from "./dmarc-texts.ts";
import { walkTree } from "./tree-walk.ts";

export interface JudgedDmarc {
  readonly judgement: PolicyJudgement;
  /**
   * True: under both RFCs, the policies of this domain and of the organizational domain are
   * enforced. An enforced policy asks to quarantine or reject all mail that fails DMARC, and is not
   * a test. Null: DNS did not answer.
   */
  readonly isEnforced: boolean | null;
}

interface DmarcQuestion extends DmarcDomain {
  /** Host of the return-path, below the domain. */
  readonly returnPath: string;
}

type Known = Exclude<DmarcResult, { kind: "unknown" }>;
type Policy = Extract<DmarcResult, { kind: "policy" }>;

export function judgeDmarc(question: DmarcQuestion): JudgedDmarc {
  const newer = resultBy9989(question);
  const older = resultBy7489(question);
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

function judgeFault(
  { domain }: DmarcQuestion,
  fault: Known,
  both: BothDmarcResults<Known>,
): Judged {
  const advice = fault.kind === "several" ? "Leave one record." : "Use none, quarantine or reject.";
  return judged.wrong([...describeDmarcResults(domain, both), advice].join(" "));
}

function judgePolicy(
  question: DmarcQuestion,
  policy: Policy,
  both: BothDmarcResults<Known>,
): Judged {
  const { domain, organization, answers } = question;
  const newer = walkTree(answers, domain).organization;
  const organizations = { newer, older: organization };
  const remarks = [
    ...policyRemarks(policy, isOrganizational(question, policy.domain)),
    ...placeRemarks(domain, both),
    ...reportRemarks(policy.tags, organization),
    ...alignmentRemarks(policy.tags, question, newer),
  ];
  const results = [...describeDmarcResults(domain, both), ...sayOrganizations(organizations)];
  return judged[remarks.length > 0 ? "warn" : "ok"]([...results, ...remarks].join(" "));
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
      ? ["sp=none excludes the names below the domain. Remove sp= unless these names need it."]
      : []),
    ...(isOpen && nowhere === "none" && below !== "none"
      ? ["np=none excludes names that do not exist. Remove np= unless these names need it."]
      : []),
  ];
}

/**
 * Gives advice on the tags `t` and `pct`. With these tags, a new policy asks receivers for a weaker
 * action than the policy says.
 */
function rolloutRemarks(tags: Policy["tags"]): string[] {
  const isPartial = percentageOf(tags) < 100;
  if (isTest(tags))
    return [`Remove t=y${isPartial ? " and pct=" : ""} once the reports show no problems.`];
  return isPartial
    ? [
        "Remove pct=, which RFC 9989 does not have. In RFC 9989, t=y asks for the next weaker " +
          "action.",
      ]
    : [];
}

/**
 * Advises a domain to publish its own record if the two RFCs find different records. Both RFCs use
 * a domain's own record first (RFC 9989 §C.3).
 */
function placeRemarks(domain: string, both: BothDmarcResults<Known>): string[] {
  const { newer, older } = both;
  if (doAgree(both)) return [];
  if (newer.kind !== "policy" || older.kind !== "policy" || newer.domain !== older.domain)
    return [`Publish a record at ${dmarcHost(domain)}, which both RFCs look up first.`];
  return newer.tag === "np" ? [`np= applies only until ${domain} exists in DNS.`] : [];
}

function reportRemarks(tags: Tags, organization: string): string[] {
  return hasReportMailbox(tags)
    ? []
    : [
        "The record names no address for reports, so you do not see which mail fails. " +
          `Add rua=mailto:postmaster@${organization}, or another mailbox that you read.`,
      ];
}

/**
 * Gives advice on alignment. DKIM aligns in both modes, because the domain itself signs its mail.
 * SPF aligns only in relaxed mode, because the return-path is a subdomain, and only if both names
 * have the same organizational domain (RFC 9989 §3.2.10.1).
 */
function alignmentRemarks(
  tags: Tags,
  { domain, returnPath, answers }: DmarcQuestion,
  organization: string | null,
): string[] {
  if (tags.get("aspf")?.toLowerCase() === "s")
    return [
      `With aspf=s, SPF never aligns, because the return-path of ${domain} is ${returnPath}. ` +
        "Then mail passes DMARC only by DKIM. Remove aspf=s.",
    ];
  const other = walkTree(answers, returnPath).organization;
  return organization === null || other === null || other === organization
    ? []
    : [
        `By RFC 9989, SPF never aligns, because the organizational domain of ${returnPath} is ` +
          `${other}. Then mail passes DMARC only by DKIM.`,
      ];
}

function judgeAbsence({ domain, organization, answers }: DmarcQuestion): readonly [string, Judged] {
  const example = `v=DMARC1; p=none; rua=mailto:postmaster@${organization}`;
  for (const place of [domain, organization]) {
    const meant = malformedAt(answers, place);
    if (meant !== undefined)
      return [
        place,
        judged.wrong(
          `The record "${printable(meant)}" at ${dmarcHost(place)} does not begin with ` +
            `v=DMARC1; exactly, so receivers ignore it. Write it like "${example}".`,
        ),
      ];
  }
  return [
    organization,
    judged.missing(
      `${domain} has no DMARC record, which Gmail and Yahoo require of bulk senders. Publish ` +
        `the TXT record "${example}" at ${dmarcHost(organization)}. Once its reports show no ` +
        "problems, change it to p=quarantine.",
    ),
  ];
}

/**
 * Returns whether a policy is enforced. p=reject with `pct` is enforced, because receivers
 * quarantine the rest of the mail. A test (`t=y`) is not enforced.
 */
function isStrong(question: DmarcQuestion, verdict: Known): boolean {
  if (verdict.kind !== "policy" || verdict.loweredBy === "t=y") return false;
  const { asked, share, tags, domain } = verdict;
  const isWhole = asked === "reject" || (asked === "quarantine" && share === 100);
  return isWhole && (actionOf(tags, "sp") !== "none" || !isOrganizational(question, domain));
}

/**
 * Returns whether the name is an organizational domain. Only then do `sp` and `np` of its record
 * apply (RFC 9989 §4.7).
 */
function isOrganizational({ domain, organization, answers }: DmarcQuestion, name: string): boolean {
  return name === organization || name === walkTree(answers, domain).organization;
}

/**
 * Returns whether the policies of both RFCs' organizational domains are enforced. An organizational
 * domain without a record counts as enforced. Returns null if DNS did not answer.
 */
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
  finding: Judged,
  isEnforced: boolean | null,
): JudgedDmarc {
  const found = dnsValuesOf(answers.get(place) ?? { kind: "nodata" });
  return { judgement: { ...finding, host: dmarcHost(place), found }, isEnforced };
}

function toUnknown({ domain, lookup }: Extract<DmarcResult, { kind: "unknown" }>): JudgedDmarc {
  return { judgement: unknownPolicy(dmarcHost(domain), lookup), isEnforced: null };
}
