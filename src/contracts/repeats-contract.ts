// The calls of the two objects that recognise repetition: of failed authentications by one address
// (contract.md §Failed authentication), and of visits to one recipient's copy (contract.md §Opens and
// clicks).

export interface FailureCounter {
  /**
   * Counts a failure unless the same credential failed less than a minute ago. `presented` is a
   * fingerprint of the credential, `now` is in Unix milliseconds. Returns the end of the block that
   * was in force before, in Unix milliseconds; 0: the address was not blocked.
   */
  fail(presented: string, now: number): Promise<number>;
}

export interface VisitFacts {
  /** The link that was followed; null: the message was opened. */
  readonly url: string | null;
  /** Who visits, as far as it says so: its user agent. */
  readonly agent: string;
}

export interface VisitFilter {
  /**
   * Whether the visit counts as an event. Answers for an open at once, for a followed link after
   * some seconds.
   */
  counts(facts: VisitFacts): Promise<boolean>;
}
