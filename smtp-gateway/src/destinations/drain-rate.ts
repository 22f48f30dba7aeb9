// Measures how fast a destination accepts mail while messages wait for it. Time without waiting
// messages does not count, because the destination could then accept more. A message counts less
// the longer ago it ended, so the rate follows a server that becomes slower or faster. Pure: times
// are milliseconds of any clock that never jumps.

/** Minimum weight of the ended messages. With less weight, the rate is unknown. */
const TELLING = 10;

export class DrainRate {
  readonly #fadesMs: number;
  /** The weight of the messages that ended while others waited. */
  #ended = 0;
  /** The weighted time in which messages waited, in milliseconds. */
  #waited = 0;
  /** The time of the last update of the two sums. Null: no message waits. */
  #countedTo: number | null = null;

  /** `fadesMs`: the time after which a message counts 1/e of its first weight. */
  constructor(fadesMs: number) {
    this.#fadesMs = fadesMs;
  }

  /** Records that messages wait from now on. */
  begin(now: number): void {
    this.#countedTo ??= now;
  }

  /** Records that no message waits any more. */
  pause(now: number): void {
    this.#count(now);
    this.#countedTo = null;
  }

  /** Records that a message was sent or refused. */
  noteEnd(now: number): void {
    if (this.#countedTo === null) return;
    this.#count(now);
    this.#ended += 1;
  }

  /** Returns the number of messages per millisecond. Returns null if too few messages ended. */
  at(now: number): number | null {
    this.#count(now);
    return this.#ended < TELLING ? null : this.#ended / this.#waited;
  }

  #count(now: number): void {
    if (this.#countedTo === null) return;
    const passed = now - this.#countedTo;
    const kept = Math.exp(-passed / this.#fadesMs);
    this.#ended *= kept;
    // The added time is the integral of the weight since the last count.
    this.#waited = this.#waited * kept + this.#fadesMs * (1 - kept);
    this.#countedTo = now;
  }
}
