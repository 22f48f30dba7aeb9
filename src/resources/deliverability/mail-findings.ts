// Finds what is wrong with the mail to one provider, and says it in sentences (contract.md
// §Deliverability). Pure.
import type { RealProvider } from "../providers/provider-of.ts";
import { actionOn, type Cause, nameOf } from "./finding-words.ts";
import { type HourRefusal, type ProviderWindow, sumByText } from "./provider-window.ts";
import {
  complaintsOf,
  DEFERRED_ATTEMPTS,
  FEWEST_COMPLAINTS,
  FEWEST_REFUSALS,
  FEWEST_UNKNOWN,
  REFUSED,
  type Threshold,
  UNKNOWN_RECIPIENTS,
} from "./thresholds.ts";
import type { MailFinding } from "./wire.ts";

/** Classes that blame the recipient's address or mailbox, not the sender or the message. */
const ADDRESS_CLASSES: ReadonlySet<string | null> = new Set([
  "InvalidRecipient",
  "InactiveMailbox",
  "BadDomain",
  "QuotaIssues",
]);
/** The classes among them that a better list of addresses would avoid. */
const UNKNOWN_CLASSES: readonly string[] = ["InvalidRecipient", "InactiveMailbox", "BadDomain"];

interface Evidence {
  readonly count: number;
  readonly of: number;
  readonly threshold: Threshold | null;
  readonly refusals: readonly HourRefusal[];
}

/** Returns the findings about one provider. */
export function findingsAbout(
  provider: RealProvider | null,
  mail: ProviderWindow,
  now: number,
): MailFinding[] {
  const about = { provider, now };
  const found = [
    refusals(mail, about),
    deferrals(mail, about),
    unknownRecipients(mail, about),
    complaints(mail, about),
  ];
  return found.filter((one) => one !== null);
}

interface About {
  readonly provider: RealProvider | null;
  readonly now: number;
}

function refusals(mail: ProviderWindow, about: About): MailFinding | null {
  const blaming = mail.refusals.filter(
    ({ kind, classification }) => kind === "bounced" && !ADDRESS_CLASSES.has(classification),
  );
  const since = blaming.filter(({ firstAt }) => firstAt > mail.lastAcceptedAt);
  const all = totalOf(since);
  if (all >= FEWEST_REFUSALS)
    return finding("refuses_all", about, { count: all, of: all, threshold: null, refusals: since });
  const { classes } = mail.counts;
  const count = [...classes].reduce(
    (sum, [name, bounces]) => sum + (ADDRESS_CLASSES.has(name) ? 0 : bounces),
    0,
  );
  const of = mail.counts.of("delivered") + mail.counts.of("bounced");
  return count < FEWEST_REFUSALS || blaming.length === 0
    ? null
    : rateFinding("refuses_many", about, { count, of, threshold: REFUSED, refusals: blaming });
}

function deferrals(mail: ProviderWindow, about: About): MailFinding | null {
  const deferred = mail.refusals.filter(({ kind }) => kind === "deferred");
  const since = deferred.filter(({ firstAt }) => firstAt > mail.lastAcceptedAt);
  const all = totalOf(since);
  if (all >= FEWEST_REFUSALS)
    return finding("defers_all", about, { count: all, of: all, threshold: null, refusals: since });
  const count = mail.counts.of("delayed");
  const of = count + mail.counts.of("delivered") + mail.counts.of("bounced");
  const evidence = { count, of, threshold: DEFERRED_ATTEMPTS, refusals: deferred };
  return count < FEWEST_REFUSALS || deferred.length === 0
    ? null
    : rateFinding("defers_many", about, evidence);
}

function unknownRecipients(mail: ProviderWindow, about: About): MailFinding | null {
  const { classes } = mail.counts;
  const count = UNKNOWN_CLASSES.reduce((sum, name) => sum + (classes.get(name) ?? 0), 0);
  const of = mail.counts.of("delivered") + mail.counts.of("bounced");
  const unknown = mail.refusals.filter(({ classification }) =>
    UNKNOWN_CLASSES.includes(classification ?? ""),
  );
  const evidence = { count, of, threshold: UNKNOWN_RECIPIENTS, refusals: unknown };
  return count < FEWEST_UNKNOWN || unknown.length === 0
    ? null
    : rateFinding("unknown_recipients", about, evidence);
}

/** A complaint may come days after its delivery, so there may be more of them. */
function complaints(mail: ProviderWindow, about: About): MailFinding | null {
  const count = mail.counts.of("complained");
  const of = Math.max(mail.counts.of("delivered"), count);
  const evidence = { count, of, threshold: complaintsOf(about.provider), refusals: [] };
  return count < FEWEST_COMPLAINTS
    ? null
    : rateFinding("complaints", about, evidence, mail.firstComplaintAt);
}

function rateFinding(
  kind: Cause["kind"],
  about: About,
  evidence: Evidence & { readonly threshold: Threshold },
  since?: number,
): MailFinding | null {
  return evidence.count / evidence.of < evidence.threshold.warning
    ? null
    : finding(kind, about, evidence, since);
}

function finding(
  kind: Cause["kind"],
  { provider, now }: About,
  { count, of, threshold, refusals: all }: Evidence,
  since = Math.min(...all.map(({ firstAt }) => firstAt)),
): MailFinding {
  const [most] = sumByText(all);
  const rate = count / of;
  const cause = { kind, provider, since, now, count, of, most };
  const isCritical = threshold === null ? kind === "refuses_all" : rate >= threshold.critical;
  return {
    kind,
    severity: isCritical ? "critical" : "warning",
    provider,
    since: new Date(since).toISOString(),
    summary: nameOf(cause),
    evidence: {
      reply: most?.text ?? null,
      count,
      of,
      rate,
      threshold: threshold?.warning ?? null,
      source: threshold?.source ?? null,
    },
    action: actionOn(cause, threshold?.source ?? null),
  };
}

function totalOf(some: readonly HourRefusal[]): number {
  return some.reduce((sum, { count }) => sum + count, 0);
}
