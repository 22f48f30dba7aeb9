// Lets work on many items go on although the work on some of them fails. A fault of one team's
// object or of one database must not affect the other teams and databases.

/** The faults of several pieces of work. */
export class GatheredFaults {
  readonly #faults: unknown[] = [];

  /** Waits until the work ends. If the work fails, keeps the fault. */
  async of(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => this.#faults.push(error));
  }

  /** Throws an AggregateError of the faults if any work failed. */
  throwAny(): void {
    if (this.#faults.length === 0) return;
    throw new AggregateError(this.#faults, `${this.#faults.length} pieces of work failed`);
  }
}

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
  const faults = new GatheredFaults();
  const workOnNext = async (): Promise<void> => {
    for (const item of due) await faults.of(work(item));
  };
  await Promise.all(Array.from({ length: atOnce }, workOnNext));
  faults.throwAny();
}
