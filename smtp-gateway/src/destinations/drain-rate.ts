// Measures how fast a destination takes mail while messages wait for it. The time in which no
// message waits does not count, because the destination could then take more. A message counts less
// the longer ago it ended, so the rate follows a server that becomes slower or faster. Pure: times
// are milliseconds of any clock that never leaps.

/** Fewer messages than this, by weight, say nothing about the rate. */
const TELLING = 10;

export class DrainRate {
  readonly #fadesMs: number;
  /** Messages that ended while others waited, by weight. */
  #ended = 0;
  /** Milliseconds in which messages waited, by weight. */
  #waited = 0;
  /** Time up to which the sums are counted. Null: no message waits. */
  #countedTo: number | null = null;

  /** `fadesMs`: the time after which a message counts 1/e of its first weight. */
  constructor(fadesMs: number) {
    this.#fadesMs = fadesMs;
  }

  /** Notes that messages wait from now on. */
  begin(now: number): void {
    this.#countedTo ??= now;
  }

  /** Notes that no message waits any more. */
  pause(now: number): void {
    this.#count(now);
    this.#countedTo = null;
  }

  /** Notes that a message was sent or refused. */
  noteEnd(now: number): void {
    if (this.#countedTo === null) return;
    this.#count(now);
    this.#ended += 1;
  }

  /** Returns the number of messages in a millisecond. Returns null if too few messages ended. */
  at(now: number): number | null {
    this.#count(now);
    return this.#ended < TELLING ? null : this.#ended / this.#waited;
  }

  #count(now: number): void {
    if (this.#countedTo === null) return;
    const passed = now - this.#countedTo;
    const kept = Math.exp(-passed / this.#fadesMs);
    this.#ended *= kept;
    // The integral of the weight over the time that has passed.
    this.#waited = this.#waited * kept + this.#fadesMs * (1 - kept);
    this.#countedTo = now;
  }
}
