// Keeps the most frequent of many names in bounded room, by a Misra-Gries summary: a name may be
// undercounted by at most the number of all that was counted divided by the places plus one. Pure.

/** A name's numbers. */
export interface Credited {
  /**
   * The name's counter in the summary, which decides whether it stays. The counts beside it are
   * exact since it came.
   */
  credit: number;
  /** The number of times that the name was counted since it came. */
  readonly total: number;
}

/**
 * Chooses the names that stay: each pays as much credit as the richest name that goes. A name
 * without credit stays until its place is needed. Returns their credit beside them.
 */
export function mostFrequent<Item extends Credited>(
  items: ReadonlyMap<string, Item>,
  places: number,
): (readonly [name: string, item: Item, credit: number])[] {
  const ranked = [...items].toSorted(
    ([, one], [, other]) => other.credit - one.credit || other.total - one.total,
  );
  const price = ranked[places]?.[1].credit ?? 0;
  return ranked.slice(0, places).map(([name, item]) => [name, item, item.credit - price]);
}
