// Remembers the maximum number of connections that a destination has announced. After five minutes,
// the maximum begins to grow, by one connection at each step. If the destination then announces a
// lower maximum, each further step takes twice as long. Pure: times are milliseconds of any clock
// that never jumps.
import { HOUR_MS, MINUTE_MS } from "../millisecond-units.ts";

const HOLDS_MS = 5 * MINUTE_MS;
const HOLDS_AT_MOST_MS = HOUR_MS;

interface Limit {
  readonly connections: number;
  /** Time when the limit grows by one connection. */
  readonly until: number;
  readonly holdMs: number;
}

export class AnnouncedLimit {
  readonly #most: number;
  #limit: Limit | null = null;

  /** `most`: maximum number of connections to a destination that announced no limit. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Records that the destination announced a limit of this many connections. */
  announce(connections: number, now: number): void {
    const before = this.#limitAt(now);
    const takes = Math.max(1, connections);
    if (before && before.connections <= takes) return;
    const hasGrown = before !== null && before !== this.#limit;
    const holdMs = (before?.holdMs ?? HOLDS_MS) * (hasGrown ? 2 : 1);
    this.#limit = limitFrom(takes, now, Math.min(holdMs, HOLDS_AT_MOST_MS));
  }

  /**
   * Returns the maximum number of connections at the time `now`. Returns null if no announced limit
   * is in force.
   */
  at(now: number): number | null {
    const connections = this.#limitAt(now)?.connections ?? this.#most;
    return connections < this.#most ? connections : null;
  }

  /**
   * Returns the limit as it has grown by the time `now`. Returns null if it has reached the usual
   * maximum.
   */
  #limitAt(now: number): Limit | null {
    if (!this.#limit || now < this.#limit.until) return this.#limit;
    const { connections, until, holdMs } = this.#limit;
    const steps = 1 + Math.floor((now - until) / holdMs);
    const grown = connections + steps;
    return grown < this.#most ? limitFrom(grown, until + (steps - 1) * holdMs, holdMs) : null;
  }
}

function limitFrom(connections: number, from: number, holdMs: number): Limit {
  return { connections, until: from + holdMs, holdMs };
}
