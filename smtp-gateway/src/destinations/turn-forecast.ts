// Foretells when a message gets a connection to a destination: from the number of messages that go
// before it, and from the rate at which the destination has taken mail (docs/egress-protocol.md
// §Kept turns). A message that would wait in vain is given back early. A message that was given back
// keeps its turn in the line, and is told when to come back. Pure: times are milliseconds of any
// clock that never leaps.
import { DrainRate } from "./drain-rate.ts";
import { WaitingLine } from "./waiting-line.ts";
import type { WaitingMessage } from "./waiting-lanes.ts";

/** The turn of a message that was given back. */
export interface PromisedTurn {
  /** Time of the message's first arrival. */
  readonly since: number;
  /** Time at which there will be room for the message. */
  readonly roomAt: number;
  /** Ends the turn: the message is back, or is not expected any more. */
  readonly leave: () => void;
}

/** Fraction of the waiting time after which a message counts little for the rate. */
const FADES = 1 / 4;
/** A message waits in vain if its turn would come late, even if it came this much earlier. */
const PATIENCE = 0.9;
/**
 * Messages come back as if the destination took this many times the mail that it was seen to take.
 * So some always wait at the gateway, also for a destination that becomes faster meanwhile.
 */
const HOPE = 3;
/** Fraction of the waiting time by which a message comes back before its turn. */
const LEAD = 1 / 12;
/** After this fraction of the waiting time without an outcome, the destination hangs. */
const SILENCE = 1 / 12;
/** The longest time until a message comes back, as a multiple of the waiting time. */
const LONGEST = 2.5;
/**
 * Number of messages in one waiting time that a destination is expected to take at least. A server
 * that hangs may recover at any moment, so the first messages of its line come back soon.
 */
const LEAST_IN_WAIT = 100;
/** Messages that come back after about the longest time are spread over this part of it. */
const SPREAD = 0.5;
/** A connection ends if this many messages for other servers arrived before its next message. */
const FAR_BEFORE = 50;
/** Golden ratio: its multiples modulo 1 are spread evenly. */
const GOLDEN = 0.618_033_988_749_895;

export class TurnForecast {
  readonly #waitMs: number;
  readonly #line = new WaitingLine();
  readonly #rate: DrainRate;
  /** Number of messages of the line that are at the gateway. */
  #here = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** `waitMs`: the time that a message waits for a connection before it is given back. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
    this.#rate = new DrainRate(waitMs * FADES);
  }

  /** Notes that a message begins to wait. */
  add(message: WaitingMessage, now: number): void {
    this.#line.add(message);
    this.#here += 1;
    this.#rate.begin(now);
  }

  /** Notes that a message does not wait at the gateway any more. */
  remove(message: WaitingMessage, now: number): void {
    this.#line.remove(message);
    this.#here -= 1;
    if (this.#here === 0) this.#rate.pause(now);
  }

  /** Notes that a message was sent or refused. */
  noteEnd(now: number): void {
    this.#endedAt = now;
    this.#rate.noteEnd(now);
  }

  /** Tells whether so many waiting messages came between the two that the first must go first. */
  isFarBefore(first: WaitingMessage, second: WaitingMessage): boolean {
    return this.#line.between(first, second) >= FAR_BEFORE;
  }

  /**
   * Tells whether a waiting message will get no connection before the time `until`. False if the
   * destination hangs, because it may recover at any moment.
   */
  isInVain(message: WaitingMessage, until: number, now: number): boolean {
    if (now - this.#endedAt > this.#waitMs * SILENCE) return false;
    const rate = this.#rate.at(now);
    return rate !== null && this.#line.ahead(message) / rate > (until - now) * PATIENCE;
  }

  /** Keeps a turn in the line for a message that is given back. */
  promiseTurn({ party, priority, since }: WaitingMessage, now: number): PromisedTurn {
    // A promised turn must not keep the message's bytes in memory.
    const turn = { party, priority, since };
    const roomAt = now + this.#roomIn(this.#line.ahead(turn), now);
    this.#line.add(turn);
    return { since, roomAt, leave: () => this.#line.remove(turn) };
  }

  #roomIn(ahead: number, now: number): number {
    const least = LEAST_IN_WAIT / this.#waitMs;
    const turnIn = ahead / Math.max(this.#rate.at(now) ?? 0, least);
    const longest = LONGEST * this.#waitMs;
    const roomIn = Math.max(0, turnIn / HOPE - LEAD * this.#waitMs);
    if (roomIn < longest * (1 - SPREAD)) return roomIn;
    return Math.min(roomIn, longest * (1 - SPREAD * ((ahead * GOLDEN) % 1)));
  }
}
