// What several templates and renderings cost together, for a caller that has many at once and a limit on them all (design.md section 4 "Templating").

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
