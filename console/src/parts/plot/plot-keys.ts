// The links that lie over a chart, and which of them an arrow key moves to. Pure.
import { isKey } from "../key-table.ts";

/** A link on a part of a chart. */
export interface PlotLink {
  /** The interval, counted from the left. */
  readonly place: number;
  /** The name of the part within its interval. */
  readonly part: string;
  /** Lower and upper edge, from 0 to 1 of the chart's height. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly search: Readonly<Record<string, string>>;
}

/**
 * Returns the link that a key moves to: left and right to the same part of the next interval, up
 * and down within an interval, Home and End to the first and the last interval. Undefined: none.
 */
export function linkAfter(
  links: readonly PlotLink[],
  current: PlotLink,
  key: string,
): PlotLink | undefined {
  const step = Number(isKey(key, "nextBar")) - Number(isKey(key, "previousBar"));
  const climb = Number(isKey(key, "partAbove")) - Number(isKey(key, "partBelow"));
  const own = links.filter(({ place }) => place === current.place);
  if (climb !== 0) return own[own.indexOf(current) + climb];
  const others = links.filter(({ place }) => (place - current.place) * step > 0);
  const next = isKey(key, "firstBar")
    ? links[0]
    : isKey(key, "lastBar")
      ? links.at(-1)
      : others.at(step === 1 ? 0 : -1);
  const there = links.filter(({ place }) => place === next?.place);
  return there.find(({ part }) => part === current.part) ?? there[0];
}
