// Decides how many connections a destination gets. Each answer raises the number and each failure
// lowers it, by one for as many as there are connections, as Postfix does
// (https://www.postfix.org/SCHEDULER_README.html). A limit that the server announces is kept for
// minutes and grows back by one connection at a time. Pure: times are milliseconds of any clock
// that never leaps.

/** Why a destination gets no more connections than it does. */
export type ConcurrencyReason = "answers" | "failures" | "announced" | "most";

/** The ways in which destinations have answered of late, the best first. */
export const STANDINGS = ["answers", "untried", "fails"] as const;
export type Standing = (typeof STANDINGS)[number];

/** Postfix's initial_destination_concurrency. */
const INITIAL = 5;
/** An answer tells so long that the server answers. */
const ANSWER_HOLDS_MS = 60_000;
const LIMIT_HOLDS_MS = 5 * 60_000;
const LIMIT_HOLDS_AT_MOST_MS = 60 * 60_000;

interface AnnouncedLimit {
  readonly connections: number;
  /** When one more is tried. */
  readonly until: number;
  readonly holdMs: number;
}

export class Concurrency {
  readonly #most: number;
  #window: number;
  #failuresInRow = 0;
  #fails = false;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #announced: AnnouncedLimit | null = null;

  /** `most`: connections that the destination gets at most. */
  constructor(most: number) {
    this.#most = most;
    this.#window = Math.min(INITIAL, most);
  }

  /** The server gave its verdict on a message. */
  answered(now: number): void {
    this.#window = Math.min(this.#most, this.#window + 1 / this.#window);
    this.#failuresInRow = 0;
    this.#fails = false;
    this.#answeredAt = now;
  }

  /**
   * The server could not be reached, turned the connection away or broke it. After as many failures
   * in a row as it may have connections, it gets one until it answers.
   */
  failed(): void {
    this.#failuresInRow += 1;
    const isCohort = this.#failuresInRow >= Math.floor(this.#window);
    this.#window = isCohort ? 1 : Math.max(1, this.#window - 1 / this.#window);
    if (isCohort) this.#fails = true;
  }

  /** The server announced that it takes no more than so many connections for now. */
  announce(connections: number, now: number): void {
    const before = this.#announcedAt(now);
    const takes = Math.max(1, connections);
    if (before && before.connections <= takes) return;
    // A limit that was met again on its way back is tried again later.
    const hasGrown = before !== null && before !== this.#announced;
    const holdMs = (before?.holdMs ?? LIMIT_HOLDS_MS) * (hasGrown ? 2 : 1);
    this.#announced = announcedFor(takes, now, Math.min(holdMs, LIMIT_HOLDS_AT_MOST_MS));
  }

  /** Returns the number of connections that the destination gets now, and why not more. */
  limitAt(now: number): { readonly connections: number; readonly why: ConcurrencyReason } {
    const window = Math.floor(this.#window);
    const announced = this.#announcedAt(now)?.connections ?? this.#most;
    if (announced < this.#most && announced <= window)
      return { connections: announced, why: "announced" };
    if (window >= this.#most) return { connections: this.#most, why: "most" };
    return { connections: window, why: this.#fails ? "failures" : "answers" };
  }

  standingAt(now: number): Standing {
    if (this.#fails) return "fails";
    return now - this.#answeredAt < ANSWER_HOLDS_MS ? "answers" : "untried";
  }

  /** Returns the announced limit as it has grown since; null: it is forgotten. */
  #announcedAt(now: number): AnnouncedLimit | null {
    if (!this.#announced || now < this.#announced.until) return this.#announced;
    const { connections, until, holdMs } = this.#announced;
    const steps = 1 + Math.floor((now - until) / holdMs);
    const grown = connections + steps;
    return grown < this.#most ? announcedFor(grown, until + (steps - 1) * holdMs, holdMs) : null;
  }
}

function announcedFor(connections: number, from: number, holdMs: number): AnnouncedLimit {
  return { connections, until: from + holdMs, holdMs };
}
