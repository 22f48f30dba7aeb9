// Predicts when a message gets a connection to a destination, from the number of messages before it
// and the rate at which the destination has accepted mail (docs/egress-protocol.md §Kept turns). A
// message that would wait in vain goes back to the worker early. The message keeps its position in
// the queue, and the worker learns when to send it again. Pure: times are milliseconds of any clock
// that never jumps.
import { DrainRate } from "./drain-rate.ts";
import { WaitingLine } from "./waiting-line.ts";
import type { WaitingMessage } from "./waiting-lanes.ts";

/** The queue position of a message that was returned to the worker. */
export interface PromisedTurn {
  /** Time of the message's first arrival. */
  readonly since: number;
  /** Time at which the gateway will have capacity for the message. */
  readonly roomAt: number;
  /**
   * Ends the reservation of the position. Called when the message comes again, or is not expected
   * any more.
   */
  readonly leave: () => void;
}

/** An ended message counts 1/e for the rate after this time, a fraction of the waiting time. */
const FADES = 1 / 4;
/**
 * A message waits in vain if its predicted wait is longer than this fraction of the time that it
 * may still wait.
 */
const PATIENCE = 0.9;
/**
 * The time at which a returned message comes again assumes that the destination accepts this many
 * times the measured rate. So some messages always wait at the gateway, even if the destination has
 * become faster.
 */
const HOPE = 3;
/**
 * A returned message comes again before its predicted turn, earlier by this fraction of the waiting
 * time.
 */
const LEAD = 1 / 12;
/** The destination hangs if no message ends in this fraction of the waiting time. */
const SILENCE = 1 / 12;
/** Maximum time until a message comes again, as a multiple of the waiting time. */
const LONGEST = 2.5;
/**
 * Minimum number of messages that a destination is expected to accept in one waiting time. A server
 * that hangs may recover at any moment, so the first messages of its queue come again soon.
 */
const LEAST_IN_WAIT = 100;
/**
 * The last part of the maximum time, as a fraction. Messages that would all come again after the
 * maximum time are spread over this part.
 */
const SPREAD = 0.5;
/**
 * A connection ends if at least this many messages for other servers arrived before its next
 * message.
 */
const FAR_BEFORE = 50;
/** The golden ratio. Its multiples modulo 1 are spread evenly. */
const GOLDEN = 0.618_033_988_749_895;

export class TurnForecast {
  readonly #waitMs: number;
  readonly #line = new WaitingLine();
  readonly #rate: DrainRate;
  /** Number of messages of the queue that are at the gateway. */
  #here = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /**
   * `waitMs`: the time that a message waits for a connection before the gateway returns it to the
   * worker.
   */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
    this.#rate = new DrainRate(waitMs * FADES);
  }

  add(message: WaitingMessage, now: number): void {
    this.#line.add(message);
    this.#here += 1;
    this.#rate.begin(now);
  }

  remove(message: WaitingMessage, now: number): void {
    this.#line.remove(message);
    this.#here -= 1;
    if (this.#here === 0) this.#rate.pause(now);
  }

  /** Records that a message was sent or refused. */
  noteEnd(now: number): void {
    this.#endedAt = now;
    this.#rate.noteEnd(now);
  }

  /** Tells whether so many messages arrived between the two that `first` must go first. */
  isFarBefore(first: WaitingMessage, second: WaitingMessage): boolean {
    return this.#line.between(first, second) >= FAR_BEFORE;
  }

  /**
   * Tells whether a waiting message will get no connection before the time `until`. Returns false
   * if the destination hangs, because it may recover at any moment.
   */
  isInVain(message: WaitingMessage, until: number, now: number): boolean {
    if (now - this.#endedAt > this.#waitMs * SILENCE) return false;
    const rate = this.#rate.at(now);
    return rate !== null && this.#line.ahead(message) / rate > (until - now) * PATIENCE;
  }

  /** Reserves the queue position of a message that is returned to the worker. */
  promiseTurn({ team, priority, since }: WaitingMessage, now: number): PromisedTurn {
    // The reservation is a new object, so that it does not keep the message's bytes in memory.
    const turn = { team, priority, since };
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
