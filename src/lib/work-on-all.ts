// Works on many items although the work on some of them fails. A fault of one team's object or of
// one database must not keep the others from being served.

/**
 * Calls `work` for each item, for at most `atOnce` items at the same time. If the work on an item
 * fails, the work on the other items still runs. Throws an AggregateError of all faults at the end.
 */
export async function workOnAll<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const due = items.values();
  const faults: unknown[] = [];
  const workOnNext = async (): Promise<void> => {
    for (const item of due) await work(item).catch((error: unknown) => faults.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, workOnNext));
  if (faults.length > 0)
    throw new AggregateError(faults, `the work on ${faults.length} items failed`);
}
