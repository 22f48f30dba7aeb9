// Keeps the last lines of a part of the stack, for a timeline.

export interface TimedLine {
  /** Unix milliseconds. */
  readonly at: number;
  readonly text: string;
}

const LINES_KEPT = 10_000;

export class RecentLines {
  #lines: TimedLine[] = [];

  get all(): readonly TimedLine[] {
    return this.#lines;
  }

  add(text: string): void {
    this.#lines.push({ at: Date.now(), text });
    if (this.#lines.length > 2 * LINES_KEPT) this.#lines = this.#lines.slice(-LINES_KEPT);
  }
}
