// One message between its arrival and its fate. While no connection has taken it for a transaction
// it can be given back: nothing was begun, so the worker may offer it again. A message that servers
// have passed on keeps what they said. Room for its outcome in the journal is reserved when it
// begins, so that messages which wait take none.
import type { Journal, Slot } from "../journal/journal.ts";
import type { Room } from "./byte-budget.ts";
import {
  type DatedOutcome,
  decisiveOutcome,
  type AttemptFate,
  type Mail,
  type NotTaken,
} from "../outcome.ts";
import type { SmtpConnection } from "../smtp/smtp-connection.ts";

export class Attempt {
  readonly mail: Mail;
  /** Milliseconds of the process's clock, as are `waitsSince` and the moments of outcomes. */
  readonly takenAt = performance.now();
  readonly fate: Promise<AttemptFate>;
  readonly #journal: Pick<Journal, "reserve">;
  readonly #room: Pick<Room, "headFor"> | null;
  readonly #settle: (fate: AttemptFate) => void;
  /** Outcomes of the servers that passed the message on. */
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
    const { promise, resolve } = Promise.withResolvers<AttemptFate>();
    this.fate = promise;
    this.#settle = resolve;
  }

  /** The message waits for a connection since it was taken, or since a server passed it on. */
  get waitsSince(): number {
    return this.#asked.at(-1)?.repliedAt ?? this.takenAt;
  }

  /** The final dot has gone out, and the server has the word. */
  get isBehindDot(): boolean {
    return this.#connection?.awaitsVerdict ?? false;
  }

  /** The message's destination is known. False: its mail has no room, and this is given back. */
  headFor(destination: string): boolean {
    const hasRoom = this.#room?.headFor(destination) ?? true;
    if (!hasRoom) this.giveBack("memory");
    return hasRoom;
  }

  /** A connection takes the message. False: it must not, because the message was given back. */
  begin(connection: SmtpConnection): boolean {
    if (this.#isOver) return false;
    this.#slot = this.#journal.reserve(this.mail.key);
    if (this.#slot) this.#connection = connection;
    else this.giveBack("disk");
    return this.#slot !== null;
  }

  /** The connection did not decide. `asked`: what the server said that passes the message on. */
  wait(asked?: DatedOutcome): void {
    this.#connection = null;
    this.#slot?.release();
    if (asked) this.#asked.push(asked);
  }

  /** Ends a message that no connection has. */
  giveBack(why: NotTaken["why"]): void {
    if (this.#connection) return;
    const asked = decisiveOutcome(this.#asked);
    if (asked) this.end(asked);
    else this.#end({ kind: "not_taken", why });
  }

  /** Writes an outcome behind the final dot into the journal. */
  record(dated: DatedOutcome): void {
    if (this.#slot?.record(dated.outcome, dated.repliedAt - this.takenAt)) this.#onDisk = dated;
  }

  /** Ends the message by an outcome; by default, by the decisive one of the servers asked. */
  end(outcome = decisiveOutcome(this.#asked)): void {
    if (outcome) this.#end({ ...outcome, takenAt: this.takenAt });
  }

  /**
   * True if the journal has this outcome. It lacks one without a final dot, one that the disk
   * refused despite its room, and one that replaces it after a fault.
   */
  isJournalled({ outcome }: DatedOutcome): boolean {
    return this.#onDisk?.outcome === outcome;
  }

  #end(fate: AttemptFate): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#slot?.release();
    this.#settle(fate);
  }
}
