// Remembers the queue positions of messages that were returned to the worker because they waited
// too long for a connection (docs/egress-protocol.md §Kept turns). It does not store the message's
// bytes. It stores only the key, the first arrival, and the time at which the gateway will have
// capacity for the message. If the message does not come again, it loses its position.
import type { PromisedTurn } from "../destinations/turn-forecast.ts";
import type { NotTaken } from "../outcome.ts";

/** Maximum number of remembered positions. Each takes some 300 bytes. */
const TURNS_AT_MOST = 100_000;
/**
 * A message loses its position if it does not come within this time after the gateway had capacity
 * for it.
 */
const LATE_AT_MOST_MS = 2 * 60_000;
const SWEEP_EVERY_MS = 10_000;

export class PromisedTurns {
  readonly #most: number;
  /** Positions by key, in the order in which they were stored. */
  readonly #kept = new Map<string, PromisedTurn>();
  #sweepAt = 0;

  constructor(most = TURNS_AT_MOST) {
    this.#most = most;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Stores a position. If there are too many, drops the one that was stored first. */
  keep(key: string, turn: PromisedTurn): void {
    this.#endOld(performance.now());
    this.#kept.set(key, turn);
    if (this.#kept.size > this.#most) this.take(this.#kept.keys().next().value!);
  }

  find(key: string): PromisedTurn | undefined {
    const turn = this.#kept.get(key);
    return turn && performance.now() < turn.roomAt + LATE_AT_MOST_MS ? turn : undefined;
  }

  /** Returns the position of a message that has come again, and ends the reservation. */
  take(key: string): PromisedTurn | undefined {
    const turn = this.#kept.get(key);
    turn?.leave();
    this.#kept.delete(key);
    return turn;
  }

  #endOld(now: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + SWEEP_EVERY_MS;
    for (const [key, { roomAt }] of this.#kept) if (now >= roomAt + LATE_AT_MOST_MS) this.take(key);
  }
}

/** Returns the answer about a message whose position is reserved. */
export function awayWith({ since, roomAt }: PromisedTurn): NotTaken {
  const now = performance.now();
  const roomIn = Math.max(0, Math.round(roomAt - now));
  return {
    kind: "not_taken",
    why: "waited",
    room_in_ms: roomIn,
    waited_ms: Math.round(now - since),
  };
}
