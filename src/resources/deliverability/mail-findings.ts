// Finds problems with the mail to one provider (contract.md §Deliverability). Pure.
import type { RealProvider } from "../providers/provider-of.ts";
import { NO_CLASSIFICATION } from "../../rpc/event-types.ts";
import { pathOfEvents } from "./finding-events.ts";
import { actionOn, type FindingCause, nameOf } from "./finding-texts.ts";
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

/** Bounce classes that blame the recipient's address or mailbox, not the sender or the message. */
const ADDRESS_CLASSES: ReadonlySet<string | null> = new Set([
  "InvalidRecipient",
  "InactiveMailbox",
  "BadDomain",
  "QuotaIssues",
]);
/** The ADDRESS_CLASSES that a sender avoids by removing addresses from its list. */
const UNKNOWN_CLASSES: readonly string[] = ["InvalidRecipient", "InactiveMailbox", "BadDomain"];

interface Evidence {
  readonly count: number;
  readonly of: number;
  readonly threshold: Threshold | null;
  readonly refusals: readonly HourRefusal[];
  /** Bounce classes that the finding counts. Absent: the events are not bounces. */
  readonly classes?: readonly string[];
}

/** Returns the findings about one provider. `before` is its mail in the preceding window. */
export function findingsAbout(
  provider: RealProvider | null,
  mail: ProviderWindow,
  before: ProviderWindow | undefined,
  window: FindingWindow,
): MailFinding[] {
  const about = { provider, before, ...window };
  const found = [
    refusals(mail, about),
    deferrals(mail, about),
    unknownRecipients(mail, about),
    complaints(mail, about),
  ];
  return found.filter((one) => one !== null);
}

/** Times in Unix milliseconds. */
interface FindingWindow {
  readonly start: number;
  readonly end: number;
  readonly now: number;
}

interface About extends FindingWindow {
  readonly provider: RealProvider | null;
  readonly before: ProviderWindow | undefined;
}

function refusals(mail: ProviderWindow, about: About): MailFinding | null {
  const isBlaming = ({ kind, classification }: HourRefusal): boolean =>
    kind === "bounced" && !ADDRESS_CLASSES.has(classification);
  const total = refusesAll("refuses_all", isBlaming, mail, about);
  if (total) return total;
  const blaming = mail.refusals.filter(isBlaming);
  const classes = [...mail.counts.classes.keys()].filter((name) => !ADDRESS_CLASSES.has(name));
  const count = bouncesOf(classes, mail);
  const of = mail.counts.of("delivered") + mail.counts.of("bounced");
  return count < FEWEST_REFUSALS || blaming.length === 0
    ? null
    : rateFinding("refuses_many", about, {
        count,
        of,
        threshold: REFUSED,
        refusals: blaming,
        classes,
      });
}

function deferrals(mail: ProviderWindow, about: About): MailFinding | null {
  const isDeferral = ({ kind }: HourRefusal): boolean => kind === "deferred";
  const total = refusesAll("defers_all", isDeferral, mail, about);
  if (total) return total;
  const deferred = mail.refusals.filter(isDeferral);
  const count = mail.counts.of("delayed");
  const of = count + mail.counts.of("delivered") + mail.counts.of("bounced");
  const evidence = { count, of, threshold: DEFERRED_ATTEMPTS, refusals: deferred };
  return count < FEWEST_REFUSALS || deferred.length === 0
    ? null
    : rateFinding("defers_many", about, evidence);
}

/**
 * Makes a finding if the provider refused enough mail for which `isMeant` is true, and has accepted
 * no mail since the first of these refusals. The first refusal may be in the preceding window.
 */
function refusesAll(
  kind: FindingCause["kind"],
  isMeant: (refusal: HourRefusal) => boolean,
  mail: ProviderWindow,
  about: About,
): MailFinding | null {
  const since = (some: ProviderWindow, acceptedAt: number): HourRefusal[] =>
    some.refusals
      .filter(isMeant)
      .flatMap((refusal) =>
        refusal.late && refusal.late.firstAt > acceptedAt ? [{ ...refusal, ...refusal.late }] : [],
      );
  const now = since(mail, mail.lastAcceptedAt);
  if (totalOf(now) < FEWEST_REFUSALS) return null;
  const earlier =
    about.before && !Number.isFinite(mail.lastAcceptedAt)
      ? since(about.before, about.before.lastAcceptedAt)
      : [];
  const all = [...earlier, ...now];
  const count = totalOf(all);
  const classes = all.map(({ classification }) => classification ?? NO_CLASSIFICATION);
  return finding(kind, about, {
    count,
    of: count,
    threshold: null,
    refusals: all,
    ...(kind === "refuses_all" && { classes: [...new Set(classes)] }),
  });
}

function unknownRecipients(mail: ProviderWindow, about: About): MailFinding | null {
  const classes = UNKNOWN_CLASSES.filter((name) => mail.counts.classes.has(name));
  const count = bouncesOf(classes, mail);
  const of = mail.counts.of("delivered") + mail.counts.of("bounced");
  const unknown = mail.refusals.filter(({ classification }) =>
    UNKNOWN_CLASSES.includes(classification ?? ""),
  );
  const evidence = { count, of, threshold: UNKNOWN_RECIPIENTS, refusals: unknown, classes };
  return count < FEWEST_UNKNOWN || unknown.length === 0
    ? null
    : rateFinding("unknown_recipients", about, evidence);
}

/**
 * Makes the finding about complaints. The complaints of a window may exceed its deliveries, because
 * a complaint can come days after its delivery.
 */
function complaints(mail: ProviderWindow, about: About): MailFinding | null {
  const count = mail.counts.of("complained");
  const of = Math.max(mail.counts.of("delivered"), count);
  const evidence = { count, of, threshold: complaintsOf(about.provider), refusals: [] };
  return count < FEWEST_COMPLAINTS
    ? null
    : rateFinding("complaints", about, evidence, mail.firstComplaintAt);
}

function rateFinding(
  kind: FindingCause["kind"],
  about: About,
  evidence: Evidence & { readonly threshold: Threshold },
  since?: number,
): MailFinding | null {
  return evidence.count / evidence.of < evidence.threshold.warning
    ? null
    : finding(kind, about, evidence, since);
}

function finding(
  kind: FindingCause["kind"],
  { provider, start, end, now }: About,
  { count, of, threshold, refusals: all, classes = [] }: Evidence,
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
      events: pathOfEvents({
        kind,
        provider,
        start: threshold === null ? since : start,
        end: end < now ? end : null,
        classes,
        refusal: most?.count === count ? most.text : null,
      }),
    },
    action: actionOn(cause, threshold?.source ?? null),
  };
}

function bouncesOf(classes: readonly string[], { counts }: ProviderWindow): number {
  return classes.reduce((sum, name) => sum + (counts.classes.get(name) ?? 0), 0);
}

function totalOf(some: readonly HourRefusal[]): number {
  return some.reduce((sum, { count }) => sum + count, 0);
}
