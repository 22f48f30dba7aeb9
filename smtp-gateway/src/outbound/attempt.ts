// Stores the state of one message between its arrival and its outcome. Until a server gives an
// outcome, the gateway can return the message to the worker, which may send it again. After that,
// the attempt ends with one of the outcomes at the tried servers. Disk space for the outcome is
// reserved only when a transaction begins, so messages that wait for a connection need no disk
// space.
import type { Journal, Slot } from "../journal/journal.ts";
import type { Room } from "./byte-budget.ts";
import {
  type DatedOutcome,
  decisiveOutcome,
  type AttemptResult,
  type Mail,
  type NotTaken,
} from "../outcome.ts";
import type { PromisedTurn } from "../destinations/turn-forecast.ts";
import type { SmtpConnection } from "../smtp/smtp-connection.ts";
import { awayWith } from "./promised-turns.ts";

export class Attempt {
  readonly mail: Mail;
  /**
   * Time when the message had arrived, in milliseconds of the process's clock. `waitsSince` and
   * outcomes use the same clock.
   */
  readonly takenAt = performance.now();
  /**
   * Time of the message's first arrival. It is earlier than `takenAt` if the gateway returned the
   * message to the worker before.
   */
  readonly since: number;
  readonly fate: Promise<AttemptResult>;
  #turn: PromisedTurn | null = null;
  readonly #journal: Pick<Journal, "reserve">;
  readonly #room: Pick<Room, "headFor"> | null;
  readonly #settle: (fate: AttemptResult) => void;
  /** The outcomes at the servers that were tried without a final result. */
  readonly #asked: DatedOutcome[] = [];
  #slot: Slot | null = null;
  /** The connection that is sending the message now. */
  #connection: SmtpConnection | null = null;
  #onDisk: DatedOutcome | null = null;
  #isOver = false;

  constructor(
    mail: Mail,
    journal: Pick<Journal, "reserve">,
    room: Pick<Room, "headFor"> | null = null,
    since = Number.POSITIVE_INFINITY,
  ) {
    this.mail = mail;
    this.since = Math.min(this.takenAt, since);
    this.#journal = journal;
    this.#room = room;
    const { promise, resolve } = Promise.withResolvers<AttemptResult>();
    this.fate = promise;
    this.#settle = resolve;
  }

  /**
   * The reserved queue position of the message. Null: the gateway did not return the message to the
   * worker, or does not expect it again.
   */
  get turn(): PromisedTurn | null {
    return this.#turn;
  }

  /**
   * Time when the message began to wait for a connection: its arrival, or the failure of the
   * domain's previous server.
   */
  get waitsSince(): number {
    return this.#asked.at(-1)?.repliedAt ?? this.takenAt;
  }

  /** True: no connection is sending the message. */
  get isWaiting(): boolean {
    return this.#connection === null;
  }

  /** True: the final dot has gone out, and the server's reply to it has not come. */
  get isBehindDot(): boolean {
    return this.#connection?.awaitsVerdict ?? false;
  }

  /**
   * Records the message's destination. Returns false if there is no memory for more mail to this
   * destination. The gateway then returns the message to the worker.
   */
  headFor(destination: string): boolean {
    const hasRoom = this.#room?.headFor(destination) ?? true;
    if (!hasRoom) this.giveBack("memory");
    return hasRoom;
  }

  /**
   * Records that a connection is about to send the message. Returns false if it must not send it,
   * because the message was returned to the worker.
   */
  begin(connection: SmtpConnection): boolean {
    if (this.#isOver) return false;
    this.#slot = this.#journal.reserve(this.mail.key);
    if (this.#slot) this.#connection = connection;
    else this.giveBack("disk");
    return this.#slot !== null;
  }

  /**
   * Records that the connection did not decide about the message, which now waits for another
   * connection. `asked`: the outcome at this server, given if the domain's next server is tried.
   */
  wait(asked?: DatedOutcome): void {
    this.#connection = null;
    this.#slot?.release();
    if (asked) this.#asked.push(asked);
  }

  /**
   * Returns the message to the worker, unless a connection is sending it. If another server already
   * gave an outcome, the attempt ends with this outcome instead. `promiseTurn` reserves the queue
   * position of a message that waited for a connection and shall come again.
   */
  giveBack(why: NotTaken["why"], promiseTurn?: () => PromisedTurn): void {
    if (this.#connection || this.#isOver) return;
    const asked = decisiveOutcome(this.#asked);
    if (asked) return this.end(asked);
    this.#turn = (why === "waited" && promiseTurn?.()) || null;
    this.#end(this.#turn ? awayWith(this.#turn) : { kind: "not_taken", why });
  }

  /** Writes an outcome that came after the final dot into the journal. */
  record(dated: DatedOutcome): void {
    if (this.#slot?.record(dated.outcome, dated.repliedAt - this.takenAt)) this.#onDisk = dated;
  }

  /**
   * Ends the attempt with this outcome. By default, chooses one of the outcomes at the servers that
   * were tried.
   */
  end(outcome = decisiveOutcome(this.#asked)): void {
    if (outcome) this.#end({ ...outcome, takenAt: this.takenAt });
  }

  /**
   * True: the journal has this outcome. The journal lacks three kinds of outcomes: those without a
   * final dot, those that the disk refused, and those that replaced another outcome after an
   * internal error.
   */
  isJournalled({ outcome }: DatedOutcome): boolean {
    return this.#onDisk?.outcome === outcome;
  }

  #end(fate: AttemptResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#slot?.release();
    this.#settle(fate);
  }
}
