// Counts the cost of several templates and renderings together, for a caller that has many at once
// and one limit on them all (decision 0014).

export interface Meter {
  /** Of parsing, in tokens; a tag has some three of them, and each costs about a microsecond. */
  work: number;
  /** Of rendering. */
  steps: number;
  /** Of output, in UTF-16 code units. */
  characters: number;
}

export function newMeter(): Meter {
  return { work: 0, steps: 0, characters: 0 };
}
