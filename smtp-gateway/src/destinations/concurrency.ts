// Decides how many connections one server gets. A server here means all mail hosts with the same
// addresses. Each reply to a message adds 1/n to a server's n connections, and each failure
// subtracts 1/n, as in Postfix (https://www.postfix.org/SCHEDULER_README.html). Pure: times are
// milliseconds of any clock that never jumps.

/** The states of a server, by its last replies and failures. The best state comes first. */
export const SERVER_STATES = ["answers", "untried", "fails"] as const;
export type ServerState = (typeof SERVER_STATES)[number];

/** Each state's part of all connections, which servers in it and in worse states share. */
const PARTS: Readonly<Record<ServerState, number>> = { answers: 1, untried: 0.75, fails: 0.5 };

/** Number of connections that a server may have at first, as in Postfix. */
const INITIAL = 5;
/** Milliseconds for which a server stays in the state `answers` after each reply. */
export const REPLY_COUNTS_MS = 60_000;

export class Concurrency {
  readonly #most: number;
  #window: number;
  #failuresInRow = 0;
  #fails = false;
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** `most`: maximum number of connections to the server. */
  constructor(most: number) {
    this.#most = most;
    this.#window = Math.min(INITIAL, most);
  }

  /** True: the server gets only one connection, until it replies to a message. */
  get fails(): boolean {
    return this.#fails;
  }

  /** Number of connections that the server may have now. */
  get connections(): number {
    return Math.floor(this.#window);
  }

  /**
   * Records a reply to a message. Returns true if the server may now have more connections than
   * before.
   */
  answered(now: number): boolean {
    const { connections } = this;
    this.#window = Math.min(this.#most, this.#window + 1 / this.#window);
    this.#failuresInRow = 0;
    this.#fails = false;
    this.#answeredAt = now;
    return this.connections > connections;
  }

  /**
   * Records that the server could not be reached, or that it refused or broke a connection. When
   * the failures in a row are as many as the server's permitted connections, the server gets only
   * one connection until it replies to a message.
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

/**
 * Returns the number of connections, out of `most`, that the servers in this state and in worse
 * states may have together.
 */
export function partOf(serverState: ServerState, most: number): number {
  return Math.max(1, Math.floor(most * PARTS[serverState]));
}

/** Tells whether the state `one` equals the state `other`, or is worse. */
export function isNoBetter(one: ServerState, other: ServerState): boolean {
  return SERVER_STATES.indexOf(one) >= SERVER_STATES.indexOf(other);
}
