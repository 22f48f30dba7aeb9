// One message between its arrival and its outcome. Before a connection begins a transaction with
// it, it can be given back: nothing was begun, so the worker may offer it again. A message that
// servers passed on keeps their replies. Disk space for its outcome is reserved only when a
// transaction begins, so waiting messages take none.
import type { Journal, Slot } from "../journal/journal.ts";
import type { Room } from "./byte-budget.ts";
import {
  type DatedOutcome,
  decisiveOutcome,
  type AttemptResult,
  type Mail,
  type NotTaken,
} from "../outcome.ts";
import type { SmtpConnection } from "../smtp/smtp-connection.ts";

export class Attempt {
  readonly mail: Mail;
  /** Milliseconds of the process's clock, as in `waitsSince` and in outcomes. */
  readonly takenAt = performance.now();
  readonly fate: Promise<AttemptResult>;
  readonly #journal: Pick<Journal, "reserve">;
  readonly #room: Pick<Room, "headFor"> | null;
  readonly #settle: (fate: AttemptResult) => void;
  /** Outcomes of the servers that left the message to the domain's next server. */
  readonly #asked: DatedOutcome[] = [];
  #slot: Slot | null = null;
  /** The connection of the transaction under way. */
  #connection: SmtpConnection | null = null;
  #onDisk: DatedOutcome | null = null;
  #isOver = false;

  constructor(
    mail: Mail,
    journal: Pick<Journal, "reserve">,
    room: Pick<Room, "headFor"> | null = null,
  ) {
    this.mail = mail;
    this.#journal = journal;
    this.#room = room;
    const { promise, resolve } = Promise.withResolvers<AttemptResult>();
    this.fate = promise;
    this.#settle = resolve;
  }

  /**
   * When the wait for a connection began: at the message's arrival, or when a server last passed it
   * on.
   */
  get waitsSince(): number {
    return this.#asked.at(-1)?.repliedAt ?? this.takenAt;
  }

  /** True: the final dot has gone out, and its reply has not come. */
  get isBehindDot(): boolean {
    return this.#connection?.awaitsVerdict ?? false;
  }

  /** Notes the message's destination. False: its mail has no room, so the message is given back. */
  headFor(destination: string): boolean {
    const hasRoom = this.#room?.headFor(destination) ?? true;
    if (!hasRoom) this.giveBack("memory");
    return hasRoom;
  }

  /**
   * A connection takes the message. False: it must not begin, because the message was given back.
   */
  begin(connection: SmtpConnection): boolean {
    if (this.#isOver) return false;
    this.#slot = this.#journal.reserve(this.mail.key);
    if (this.#slot) this.#connection = connection;
    else this.giveBack("disk");
    return this.#slot !== null;
  }

  /**
   * Notes that the connection ended without a decision. `asked`: the outcome by which the server
   * left the message to the next server.
   */
  wait(asked?: DatedOutcome): void {
    this.#connection = null;
    this.#slot?.release();
    if (asked) this.#asked.push(asked);
  }

  /** Gives back a message that no connection has. */
  giveBack(why: NotTaken["why"]): void {
    if (this.#connection) return;
    const asked = decisiveOutcome(this.#asked);
    if (asked) this.end(asked);
    else this.#end({ kind: "not_taken", why });
  }

  /** Writes an outcome after the final dot into the journal. */
  record(dated: DatedOutcome): void {
    if (this.#slot?.record(dated.outcome, dated.repliedAt - this.takenAt)) this.#onDisk = dated;
  }

  /**
   * Ends the message with an outcome. The default is the decisive outcome of the servers that were
   * asked.
   */
  end(outcome = decisiveOutcome(this.#asked)): void {
    if (outcome) this.#end({ ...outcome, takenAt: this.takenAt });
  }

  /**
   * True: the journal has this outcome. It has none without a final dot, none that the disk
   * refused, and none that replaced another after an internal error.
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
