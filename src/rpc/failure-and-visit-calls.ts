// The calls of two Durable Objects. FailureCounter counts the failed authentications from one IP
// address (contract.md §Failed authentication). The other object recognises repeated opens and
// clicks of one recipient (contract.md §Opens and clicks).

export interface FailureCounter {
  /**
   * Counts a failure, unless a failure of the same credential was counted within the last minute.
   * `presented` is a fingerprint of the credential; `now` is in Unix milliseconds. Returns the end
   * of the block that was in force before this failure, in Unix milliseconds. Returns 0 if the
   * address was not blocked.
   */
  fail(presented: string, now: number): Promise<number>;
}

export interface VisitKey {
  /** The link that the visitor followed. Null: the visit is an open, not a click. */
  readonly url: string | null;
  /** The visitor's user agent. */
  readonly agent: string;
}

export interface VisitFilter {
  /** Returns whether the visit counts as an event. The call takes some seconds for a click. */
  shouldCount(key: VisitKey): Promise<boolean>;
}
