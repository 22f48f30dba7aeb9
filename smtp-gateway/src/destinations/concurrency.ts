// Decides how many connections one server gets. Lanes to the same addresses lead to one server.
// With n connections, each answer adds 1/n to their number and each failure subtracts 1/n, as in
// Postfix (https://www.postfix.org/SCHEDULER_README.html). Pure: times are milliseconds of any
// clock that never leaps.

/** The states in which a server can be, by its last answers. The best comes first. */
export const SERVER_STATES = ["answers", "untried", "fails"] as const;
export type ServerState = (typeof SERVER_STATES)[number];

/**
 * The part of all connections that servers of this state and of worse ones may hold together.
 */
const PARTS: Readonly<Record<ServerState, number>> = { answers: 1, untried: 0.75, fails: 0.5 };

/** Postfix's initial_destination_concurrency. */
const INITIAL = 5;
/** A server counts as one that answers for this long after each answer. */
export const REPLY_COUNTS_MS = 60_000;

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

  /** True: the server gets only one connection until it answers. */
  get fails(): boolean {
    return this.#fails;
  }

  /** Notes a reply to a message. Returns whether the server gets more connections now. */
  answered(now: number): boolean {
    const { connections } = this;
    this.#window = Math.min(this.#most, this.#window + 1 / this.#window);
    this.#failuresInRow = 0;
    this.#fails = false;
    this.#answeredAt = now;
    return this.connections > connections;
  }

  /**
   * Notes that the server could not be reached, refused the connection or broke it. When as many
   * attempts in a row have failed as the server may have connections, it gets only one until it
   * answers.
   */
  failed(): void {
    this.#failuresInRow += 1;
    const isCohort = this.#failuresInRow >= this.connections;
    this.#window = isCohort ? 1 : Math.max(1, this.#window - 1 / this.#window);
    if (isCohort) this.#fails = true;
  }

  serverStateAt(now: number): ServerState {
    if (this.#fails) return "fails";
    return now - this.#answeredAt < REPLY_COUNTS_MS ? "answers" : "untried";
  }
}

/** Returns how many of `most` connections servers of this state and of worse ones may hold. */
export function partOf(serverState: ServerState, most: number): number {
  return Math.max(1, Math.floor(most * PARTS[serverState]));
}

/** Tells whether `one` is the same as `other` or worse. */
export function isNoBetter(one: ServerState, other: ServerState): boolean {
  return SERVER_STATES.indexOf(one) >= SERVER_STATES.indexOf(other);
}
