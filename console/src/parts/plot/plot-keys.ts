// The links over a chart, and the arrow keys that move between them. Pure.
import { isKey } from "../key-table.ts";

export interface PlotLink {
  /** The index of the interval, from the left. */
  readonly place: number;
  /** The name of the part of the interval that the link covers. */
  readonly part: string;
  /** The lower and the upper edge of the link, as shares of the chart's height. */
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly search: Readonly<Record<string, string>>;
}

/**
 * Returns the link to which a key moves. Left and right move to the same part of the neighbouring
 * interval. Up and down move to another part of the interval. Home and End move to the first and
 * the last interval. Undefined: the key moves nowhere.
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
