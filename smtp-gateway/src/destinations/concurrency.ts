// Decides how many connections one server gets, known by its addresses. Each answer raises the
// number and each failure lowers it, by one for as many as there are connections, as Postfix does
// (https://www.postfix.org/SCHEDULER_README.html). Pure: times are milliseconds of any clock that
// never leaps.

/** The ways in which servers have answered of late, the best first. */
export const STANDINGS = ["answers", "untried", "fails"] as const;
export type Standing = (typeof STANDINGS)[number];

/** The part of all connections that those of this standing and of worse ones hold together. */
const PARTS: Readonly<Record<Standing, number>> = { answers: 1, untried: 0.75, fails: 0.5 };

/** Postfix's initial_destination_concurrency. */
const INITIAL = 5;
/** An answer tells so long that the server answers. */
export const ANSWER_HOLDS_MS = 60_000;

export class Concurrency {
  readonly #most: number;
  #window: number;
  #failuresInRow = 0;
  #fails = false;
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** `most`: connections that the server gets at most. */
  constructor(most: number) {
    this.#most = most;
    this.#window = Math.min(INITIAL, most);
  }

  /** The number of connections that the server gets now. */
  get connections(): number {
    return Math.floor(this.#window);
  }

  /** The server gets one connection until it answers. */
  get fails(): boolean {
    return this.#fails;
  }

  /** The server gave its verdict on a message. Returns whether it gets more connections now. */
  answered(now: number): boolean {
    const { connections } = this;
    this.#window = Math.min(this.#most, this.#window + 1 / this.#window);
    this.#failuresInRow = 0;
    this.#fails = false;
    this.#answeredAt = now;
    return this.connections > connections;
  }

  /**
   * The server could not be reached, turned the connection away or broke it. After as many failures
   * in a row as it may have connections, it gets one until it answers.
   */
  failed(): void {
    this.#failuresInRow += 1;
    const isCohort = this.#failuresInRow >= this.connections;
    this.#window = isCohort ? 1 : Math.max(1, this.#window - 1 / this.#window);
    if (isCohort) this.#fails = true;
  }

  standingAt(now: number): Standing {
    if (this.#fails) return "fails";
    return now - this.#answeredAt < ANSWER_HOLDS_MS ? "answers" : "untried";
  }
}

/** Returns how many of `most` connections those of this standing and of worse ones hold together. */
export function partOf(standing: Standing, most: number): number {
  return Math.max(1, Math.floor(most * PARTS[standing]));
}

/** Tells whether a standing is the other or a worse one. */
export function isNoBetter(one: Standing, other: Standing): boolean {
  return STANDINGS.indexOf(one) >= STANDINGS.indexOf(other);
}
