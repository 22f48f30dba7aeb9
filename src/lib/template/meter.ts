// Adds up the cost of several templates and renderings, for a caller with one limit on all of them
// (decision 0014). Pure.

export interface Meter {
  /**
   * Cost of parsing, in tokens. A tag has about three tokens, and each takes about a microsecond.
   */
  work: number;
  /** Cost of rendering. */
  steps: number;
  /** Size of the output in UTF-16 code units. */
  characters: number;
}

export function newMeter(): Meter {
  return { work: 0, steps: 0, characters: 0 };
}
