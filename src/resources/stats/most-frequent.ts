// Keeps the most frequent of many names in limited space, by a Misra-Gries summary. A name is
// undercounted by at most the total of all counts divided by the number of places plus one. Pure.

/** A name's numbers. */
export interface CreditedName {
  /**
   * The name's counter in the summary, which decides whether the name stays. All other counts of
   * the name are exact since it entered the summary.
   */
  credit: number;
  /** The number of times that the name was counted since it entered the summary. */
  readonly total: number;
}

/**
 * Chooses the names that stay. The highest credit among the removed names is subtracted from each
 * name that stays. A name without credit stays until its place is needed. Returns each name with
 * its new credit.
 */
export function mostFrequent<Item extends CreditedName>(
  items: ReadonlyMap<string, Item>,
  places: number,
): (readonly [name: string, item: Item, credit: number])[] {
  const ranked = [...items].toSorted(
    ([, one], [, other]) => other.credit - one.credit || other.total - one.total,
  );
  const price = ranked[places]?.[1].credit ?? 0;
  return ranked.slice(0, places).map(([name, item]) => [name, item, item.credit - price]);
}
