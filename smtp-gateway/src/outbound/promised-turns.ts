// Remembers the turns of messages that were given back because they waited too long for a
// connection (docs/egress-protocol.md §Kept turns). The message's bytes are not kept: only its key,
// its first arrival, and the time at which there will be room. If the message does not come back,
// its turn ends.
import type { PromisedTurn } from "../destinations/turn-forecast.ts";
import type { NotTaken } from "../outcome.ts";

/** Each turn takes some 300 bytes. */
const TURNS_AT_MOST = 100_000;
/** A message that is not back this long after there was room for it loses its turn. */
const LATE_AT_MOST_MS = 2 * 60_000;
const SWEEP_EVERY_MS = 10_000;

export class PromisedTurns {
  readonly #most: number;
  /** Turns by key. The one that was kept first comes first. */
  readonly #kept = new Map<string, PromisedTurn>();
  #sweepAt = 0;

  constructor(most = TURNS_AT_MOST) {
    this.#most = most;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** Keeps a turn. If there are too many, the one that was kept first ends. */
  keep(key: string, turn: PromisedTurn): void {
    this.#endOld(performance.now());
    this.#kept.set(key, turn);
    if (this.#kept.size > this.#most) this.take(this.#kept.keys().next().value!);
  }

  find(key: string): PromisedTurn | undefined {
    const turn = this.#kept.get(key);
    return turn && performance.now() < turn.roomAt + LATE_AT_MOST_MS ? turn : undefined;
  }

  /** Returns the turn of a message that has come back, and ends it. */
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

/** Returns the answer about a message whose turn is kept. */
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
