// Makes the overview's figures of GET /v1/stats: sums, shares beside the providers' thresholds, the
// parts of a bar, and the largest recipient domains. Counts are recipients, except for `delayed`,
// which counts attempts that were put off. Pure.
import type { EventCounts, Stats } from "../../../../packages/postern/src/generated/types.ts";

export type CountedSpan = Stats["data"][number];
type Counted = keyof EventCounts;

/** Shares of what was sent, or delivered, at which providers begin to refuse mail. */
export const BOUNCE_THRESHOLD = 0.02;
export const COMPLAINT_WARNING = 0.001;
export const COMPLAINT_THRESHOLD = 0.003;

export const COUNTED: readonly Counted[] = [
  "sent",
  "delivered",
  "delayed",
  "bounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
  "suppressed",
];

/** The name of the entry for all domains that have none of their own. */
const OTHER = "other";

export const NOTHING: EventCounts = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Record<
  Counted,
  number
>;

/** Numbers over a time, of all recipients or those of one domain. */
export interface OutcomeTotals {
  readonly counts: EventCounts;
  /** Bounces by classification. */
  readonly classes: Readonly<Record<string, number>>;
}

/** The recipients of an interval, by what became of them in it. */
export interface OutcomeShares {
  readonly delivered: number;
  readonly delayed: number;
  readonly bounced: number;
}

export interface DomainFigures extends OutcomeTotals {
  readonly domain: string;
  readonly messages: number;
}

export function totalsOf(entries: readonly CountedSpan[]): OutcomeTotals {
  const counts: EventCounts = { ...NOTHING };
  const classes: Record<string, number> = {};
  for (const entry of entries) {
    for (const name of COUNTED) counts[name] += entry.counts[name];
    for (const [name, count] of Object.entries(entry.bounced))
      classes[name] = (classes[name] ?? 0) + count;
  }
  return { counts, classes };
}

/** True if not even a suppressed recipient was counted. */
export function isEmpty({ counts }: OutcomeTotals): boolean {
  return COUNTED.every((name) => counts[name] === 0);
}

/**
 * Returns the number of recipients whose shares are taken. An outcome can be in another window than
 * its sending, so that there may be more of them than were sent.
 */
export function messagesOf({ sent, delivered, bounced }: EventCounts): number {
  return Math.max(sent, delivered, bounced);
}

/**
 * Returns what became of the recipients. The delayed ones were sent, put off, and not settled in
 * the same interval.
 */
export function outcomesOf({ sent, delivered, delayed, bounced }: EventCounts): OutcomeShares {
  return {
    delivered,
    delayed: Math.min(delayed, Math.max(0, sent - delivered - bounced)),
    bounced,
  };
}

/** Returns a share of 0 to 1; null if the whole is zero. */
function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.min(1, part / whole);
}

export function deliveredShare(counts: EventCounts): number | null {
  return shareOf(counts.delivered, messagesOf(counts));
}

export function bouncedShare(counts: EventCounts): number | null {
  return shareOf(counts.bounced, messagesOf(counts));
}

/** Returns the share of the delivered that complained, as the providers count it. */
export function complainedShare({ delivered, complained }: EventCounts): number | null {
  return shareOf(complained, Math.max(delivered, complained));
}

export interface RateVerdict {
  readonly tone: "ok" | "wait" | "bad";
  readonly says: string;
}

export function judgeBounces(counts: EventCounts): RateVerdict | null {
  const share = bouncedShare(counts);
  if (share === null) return null;
  return share >= BOUNCE_THRESHOLD
    ? { tone: "bad", says: "over 2%" }
    : { tone: "ok", says: "under 2%" };
}

export function judgeComplaints(counts: EventCounts): RateVerdict | null {
  const share = complainedShare(counts);
  if (share === null) return null;
  if (share >= COMPLAINT_THRESHOLD) return { tone: "bad", says: "over Gmail’s and Yahoo’s 0.3%" };
  if (share >= COMPLAINT_WARNING) return { tone: "bad", says: "over Gmail’s 0.1%" };
  return { tone: "ok", says: "under 0.1%" };
}

/** Returns the change from the time before, such as 0.08; null if that time had no mail. */
export function changeOf(now: number, before: number | undefined): number | null {
  return before === undefined || before === 0 ? null : now / before - 1;
}

/** Returns each domain's numbers, the largest first; `other` is left out. */
function domainsOf(entries: readonly CountedSpan[]): readonly DomainFigures[] {
  const byName = Map.groupBy(entries, ({ recipient_domain: name }) => name ?? OTHER);
  byName.delete(OTHER);
  return Array.from(byName, ([domain, own]) => figuresOf(domain, own)).toSorted(
    (one, other) => other.messages - one.messages || (one.domain < other.domain ? -1 : 1),
  );
}

/** Returns the largest domains, and the sum of the others; null if none remain. */
export function topDomains(
  entries: readonly CountedSpan[],
  most: number,
): { readonly top: readonly DomainFigures[]; readonly others: DomainFigures | null } {
  const top = domainsOf(entries).slice(0, most);
  const named = new Set(top.map(({ domain }) => domain));
  const rest = entries.filter(({ recipient_domain: name }) => !named.has(name ?? OTHER));
  const others = figuresOf("All others", rest);
  return { top, others: isEmpty(others) ? null : others };
}

function figuresOf(domain: string, entries: readonly CountedSpan[]): DomainFigures {
  const totals = totalsOf(entries);
  return { domain, messages: messagesOf(totals.counts), ...totals };
}

/** Returns the classes of bounces, the largest first. */
export function bounceClasses({ classes }: OutcomeTotals): readonly (readonly [string, number])[] {
  return Object.entries(classes)
    .filter(([, count]) => count > 0)
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
}
