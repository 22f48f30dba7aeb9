// A database of one value, with a primary and a replica that lags until the test lets it catch up.
// It keeps D1's promise: a session that begins at a bookmark sees at least what the bookmark saw. A
// replica that lags behind it leaves the answer to the primary.

export class Replicated {
  /** The place that answered each statement, or that failed. */
  readonly answered: ("primary" | "replica" | "failed")[] = [];
  readonly database = {
    withSession: (begin: string) => this.#session(begin),
  } as unknown as D1Database;
  replicaFails = false;
  primaryFails = false;
  readonly #versions: (string | null)[] = [null];
  #copied = 0;

  write(value: string | null): void {
    this.#versions.push(value);
  }

  /** Copies everything to the replica. */
  catchUp(): void {
    this.#copied = this.#latest;
  }

  get #latest(): number {
    return this.#versions.length - 1;
  }

  #session(begin: string): object {
    let seen = begin === "first-primary" ? null : Number.parseInt(begin, 16);
    const first = async (): Promise<string | null | undefined> => {
      const isOnPrimary = seen === null || seen > this.#copied;
      if (isOnPrimary ? this.primaryFails : this.replicaFails) {
        this.answered.push("failed");
        throw new Error("the database is down");
      }
      this.answered.push(isOnPrimary ? "primary" : "replica");
      seen = isOnPrimary ? this.#latest : this.#copied;
      return this.#versions[seen];
    };
    const statement = { bind: () => statement, first };
    return {
      prepare: () => statement,
      getBookmark: () => (seen === null ? null : seen.toString(16).padStart(8, "0")),
    };
  }
}
