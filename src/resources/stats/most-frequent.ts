// Finds the most frequent of many names in limited memory, by a Misra-Gries summary. In a summary
// of n names, the count of a name is too low by at most 1/(n + 1) of the total of all counts. Pure.

export interface CreditedName {
  /**
   * The name's counter in the summary. It decides whether the name stays in the summary. Only this
   * counter is ever lowered. All other counts of the name are exact since the name entered the
   * summary.
   */
  credit: number;
  /** The number of times that the name was counted since it entered the summary. */
  readonly total: number;
}

/**
 * Returns the names with the highest credits, which stay in the summary. Subtracts the highest
 * credit of the removed names from the credit of each remaining name. A name whose credit becomes
 * zero stays until another name replaces it.
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
