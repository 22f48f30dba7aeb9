// Keeps the most frequent of many names in limited space, by a Misra-Gries summary. If the summary
// has n places, a name is undercounted by at most 1/(n + 1) of the total of all counts. Pure.

/** A name's numbers. */
export interface CreditedName {
  /**
   * The name's counter in the summary, which decides whether the name stays. Only this counter is
   * ever lowered. All other counts of the name are exact from the moment at which it entered the
   * summary.
   */
  credit: number;
  /** The number of times that the name was counted since it entered the summary. */
  readonly total: number;
}

/**
 * Chooses the names that stay in the summary: those with the highest credits. Subtracts the highest
 * credit among the removed names from the credit of each name that stays. A name whose credit is
 * zero stays until another name needs its place. Returns the names that stay, with their new
 * credits.
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
