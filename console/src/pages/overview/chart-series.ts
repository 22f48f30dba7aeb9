// Converts the entries of GET /v1/stats into the data of the overview's charts. Pure.
import type { EventCounts } from "../../../../packages/postern/src/generated/types.ts";
import {
  bouncedShare,
  complainedShare,
  deliveredShare,
  outcomesOf,
  type CountedSpan,
  type OutcomeShares,
} from "./overview-figures.ts";

/** The smallest distance between two labels, as a share of the axis's length. */
const LABEL_GAP = 0.16;
const MOST_LABELS = 15;

/**
 * The heights for stacked bars. Each number is the upper edge of one part of a bar. Null: the
 * interval has no bar.
 */
export interface StackedBars {
  readonly places: number[];
  readonly delivered: (number | null)[];
  readonly delayed: (number | null)[];
  readonly bounced: (number | null)[];
}

export function stackedBars(entries: readonly CountedSpan[]): StackedBars {
  const outcomes = entries.map(({ counts }) => outcomesOf(counts));
  return {
    places: entries.map((_, index) => index),
    delivered: outcomes.map(({ delivered }) => delivered || null),
    delayed: outcomes.map(({ delivered, delayed }) => delivered + delayed || null),
    bounced: outcomes.map((one) => heightOf(one) || null),
  };
}

export function barTop(entries: readonly CountedSpan[]): number {
  const highest = Math.max(0, ...entries.map(({ counts }) => heightOf(outcomesOf(counts))));
  return Math.max(4, highest * 1.08);
}

function heightOf({ delivered, delayed, bounced }: OutcomeShares): number {
  return delivered + delayed + bounced;
}

export type RateName = "delivered" | "bounced" | "complained";

const SHARES: Readonly<Record<RateName, (counts: EventCounts) => number | null>> = {
  delivered: deliveredShare,
  bounced: bouncedShare,
  complained: complainedShare,
};

/** Returns the rate of each interval in per cent. Null: nothing was sent in the interval. */
export function ratesOf(name: RateName, entries: readonly CountedSpan[]): (number | null)[] {
  return entries.map(({ counts }) => {
    const share = SHARES[name](counts);
    return share === null ? null : share * 100;
  });
}

/** Returns the top of a rate's axis in per cent. The axis always includes the thresholds. */
export function rateTop(rates: readonly (number | null)[], thresholds: readonly number[]): number {
  const highest = Math.max(0, ...rates.map((rate) => rate ?? 0), ...thresholds);
  return Math.min(100, highest * 1.25) || 100;
}

/**
 * Returns the labelled values of a rate's axis: zero, the thresholds and the highest rate. Labels
 * that would overlap are left out.
 */
export function rateMarks(
  rates: readonly (number | null)[],
  thresholds: readonly number[],
  top: number,
): number[] {
  const marks = [0];
  const highest = Math.max(0, ...rates.map((rate) => rate ?? 0));
  for (const mark of [...thresholds.toSorted((one, other) => other - one), highest])
    if (mark > 0 && marks.every((other) => Math.abs(other - mark) >= top * LABEL_GAP))
      marks.push(mark);
  return marks.toSorted((one, other) => one - other);
}

/** Returns the indexes of the labelled intervals, as many as fit into the width in pixels. */
export function labelledIndexes(count: number, width: number): number[] {
  const most = Math.max(2, Math.min(MOST_LABELS, Math.floor(width / 36)));
  const step = Math.ceil(count / most);
  return Array.from({ length: count }, (_, index) => index).filter(
    (index) => (count - 1 - index) % step === 0,
  );
}
