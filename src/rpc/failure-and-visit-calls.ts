// The calls of two Durable Objects. The first counts the failed authentications from one address
// (contract.md §Failed authentication). The second recognises repeated visits to one recipient's
// copy of a message (contract.md §Opens and clicks).

export interface FailureCounter {
  /**
   * Counts a failure, unless the same credential failed less than a minute ago. `presented` is a
   * fingerprint of the credential; `now` is in Unix milliseconds. Returns the end of the block that
   * was in force before this failure, in Unix milliseconds; 0: the address was not blocked.
   */
  fail(presented: string, now: number): Promise<number>;
}

export interface VisitKey {
  /** The link that was followed. Null: the message was opened. */
  readonly url: string | null;
  /** The visitor's user agent. */
  readonly agent: string;
}

export interface VisitFilter {
  /**
   * Tells whether the visit counts as an event. Answers at once for an open, and after some seconds
   * for a click.
   */
  shouldCount(key: VisitKey): Promise<boolean>;
}
