// Computes the overview's figures from GET /v1/stats: sums, rates with the providers' thresholds,
// the parts of a bar, and the largest recipient domains. Each count is a number of recipients, but
// `delayed` is a number of attempts. Pure.
import type { EventCounts, Stats } from "../../../../packages/postern/src/generated/types.ts";

export type CountedSpan = Stats["data"][number];
type Counted = keyof EventCounts;

/**
 * Rates above which providers start to refuse mail. The bounce rate is a share of the sent
 * recipients, and the complaint rate is a share of the delivered ones.
 */
export const BOUNCE_THRESHOLD = 0.02;
export const COMPLAINT_WARNING = 0.001;
export const COMPLAINT_THRESHOLD = 0.003;
/**
 * The smallest number of recipients for which a rate is judged. With fewer recipients, a rate says
 * nothing.
 */
const LEAST_JUDGED = 50;

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

/** The name of the entry that sums up all domains without their own entry. */
const OTHER = "other";

export const NOTHING: EventCounts = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Record<
  Counted,
  number
>;

/** Totals of a period, for all recipients or for one domain. */
export interface OutcomeTotals {
  readonly counts: EventCounts;
  /** Bounces by classification. */
  readonly classes: Readonly<Record<string, number>>;
}

/** The recipients of an interval by outcome. */
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

/** Tells whether the period has no events. */
export function isEmpty({ counts }: OutcomeTotals): boolean {
  return COUNTED.every((name) => counts[name] === 0);
}

/**
 * Returns the number of recipients that counts as 100%. This number can exceed the number of sent
 * recipients, because an outcome can fall into a later interval than the send.
 */
export function messagesOf({ sent, delivered, bounced }: EventCounts): number {
  return Math.max(sent, delivered, bounced);
}

/**
 * Returns the number of recipients with each outcome. `delayed` counts the recipients whose mail
 * was deferred, but neither delivered nor bounced, in the same interval.
 */
export function outcomesOf({ sent, delivered, delayed, bounced }: EventCounts): OutcomeShares {
  return {
    delivered,
    delayed: Math.min(delayed, Math.max(0, sent - delivered - bounced)),
    bounced,
  };
}

/** Returns a share of 0 to 1. Null: the whole is zero. */
function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.min(1, part / whole);
}

export function deliveredShare(counts: EventCounts): number | null {
  return shareOf(counts.delivered, messagesOf(counts));
}

export function bouncedShare(counts: EventCounts): number | null {
  return shareOf(counts.bounced, messagesOf(counts));
}

/**
 * Returns complaints as a share of the delivered recipients. Mailbox providers define the complaint
 * rate in the same way.
 */
export function complainedShare({ delivered, complained }: EventCounts): number | null {
  return shareOf(complained, Math.max(delivered, complained));
}

export interface RateSummary {
  readonly tone: "ok" | "wait" | "bad";
  readonly says: string;
}

const TOO_FEW: RateSummary = {
  tone: "ok",
  says: `fewer than ${LEAST_JUDGED} recipients, too few to judge`,
};

export function judgeBounces(counts: EventCounts): RateSummary | null {
  const share = bouncedShare(counts);
  if (share === null) return null;
  if (messagesOf(counts) < LEAST_JUDGED) return TOO_FEW;
  return share >= BOUNCE_THRESHOLD
    ? { tone: "bad", says: "over 2%" }
    : { tone: "ok", says: "under 2%" };
}

export function judgeComplaints(counts: EventCounts): RateSummary | null {
  const share = complainedShare(counts);
  if (share === null) return null;
  if (Math.max(counts.delivered, counts.complained) < LEAST_JUDGED) return TOO_FEW;
  if (share >= COMPLAINT_THRESHOLD) return { tone: "bad", says: "over Gmail’s and Yahoo’s 0.3%" };
  if (share >= COMPLAINT_WARNING) return { tone: "bad", says: "over Gmail’s 0.1%" };
  return { tone: "ok", says: "under 0.1%" };
}

/**
 * Returns the totals of each recipient domain, the largest domain first. The sum entry `other` is
 * left out.
 */
function domainsOf(entries: readonly CountedSpan[]): readonly DomainFigures[] {
  const byName = Map.groupBy(entries, ({ recipient_domain: name }) => name ?? OTHER);
  byName.delete(OTHER);
  return Array.from(byName, ([domain, own]) => figuresOf(domain, own)).toSorted(
    (one, other) => other.messages - one.messages || (one.domain < other.domain ? -1 : 1),
  );
}

/**
 * Returns the `most` largest domains, and the totals of all other domains. `others` is null if the
 * other domains have no events.
 */
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

/** Returns the bounce classes, the most frequent first. */
export function bounceClasses({ classes }: OutcomeTotals): readonly (readonly [string, number])[] {
  return Object.entries(classes)
    .filter(([, count]) => count > 0)
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
}
