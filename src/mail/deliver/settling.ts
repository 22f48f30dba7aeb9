// Settles what became of attempts in the team's ledger, which appends their events to its log in
// the same transaction (docs/architecture.md §Settle). Outcomes are gathered for a moment, so that
// a batch costs a few calls and not one an outcome.
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { ClaimedMessage, JobRef } from "../../contracts/ledger-contract.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { logError } from "../../lib/log.ts";
import type { MessageRecord } from "../../contracts/event-records.ts";
import type { AttemptRecord, Message } from "../message.ts";
import { toEvents, toMessageRecord } from "../record/record.ts";
import { noteOutcomes } from "./outcomes.ts";

/** One attempt with its result. `nextAttemptAt` null: terminal. */
interface Outcome extends JobRef {
  readonly attempt: number;
  readonly facts: AttemptRecord;
  readonly nextAttemptAt: number | null;
}

/**
 * How long an outcome waits for others to be settled with; a process killed meanwhile asks the
 * gateway again, which remembers.
 */
export const GATHER_MS = 100;
/** With a courier that does not remember: what is not settled by then would be sent again. */
const GATHER_BRIEFLY_MS = 10;
const ROUND_OUTCOMES = 100;

export class Settling {
  readonly #env: Env;
  readonly #team: Team;
  readonly #messages: ReadonlyMap<string, Message>;
  readonly #records = new Map<string, MessageRecord>();
  readonly #gatherMs: number;
  #waiting: Outcome[] = [];
  #closing = false;
  #hurry = Promise.withResolvers<void>();
  #settling: Promise<void> | undefined;

  /** `courierRemembers`: asked twice, it sends once. */
  constructor(env: Env, team: Team, claimed: readonly ClaimedMessage[], courierRemembers: boolean) {
    this.#env = env;
    this.#team = team;
    this.#gatherMs = courierRemembers ? GATHER_MS : GATHER_BRIEFLY_MS;
    this.#messages = new Map(claimed.flatMap((one) => readable(one)));
  }

  /**
   * False: the row can't be read, which the ledger tells of in time (ledger/stuck-messages.ts), and
   * harms no other message.
   */
  has({ emailId }: JobRef): boolean {
    return this.#messages.has(emailId);
  }

  message(emailId: string): Message {
    const message = this.#messages.get(emailId);
    if (!message) throw new Error(`the claim lacks ${emailId}`);
    return message;
  }

  /** Takes a result, to be settled soon. What goes wrong in that is thrown by close(). */
  enter(outcome: Outcome): void {
    this.#waiting.push(outcome);
    if (this.#waiting.length >= ROUND_OUTCOMES) this.#hurry.resolve();
    this.#settling ??= this.#settle();
    // The rejection is close()'s to report; until then nothing awaits it.
    this.#settling.catch(() => undefined);
  }

  /** Waits until everything entered is settled. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#hurry.resolve();
    await this.#settling;
  }

  async #settle(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (!this.#closing) await Promise.race([this.#hurry.promise, scheduler.wait(this.#gatherMs)]);
      this.#hurry = Promise.withResolvers();
      const round = this.#waiting;
      this.#waiting = [];
      const settlements = round.map(({ facts, ...one }) => ({
        ...one,
        events: toEvents(one.emailId, facts),
      }));
      const messages = Object.fromEntries(
        round.map(({ emailId }) => [emailId, this.#record(emailId)]),
      );
      const { applied, refused } = await this.#env.TEAM_LEDGER.getByName(this.#team.id).settle(
        settlements,
        messages,
        Date.now(),
      );
      await crashPoint(this.#env.CRASH_POINT_URL, "after_settle");
      if (applied.length === 0) continue;
      noteOutcomes(
        this.#team.id,
        applied.map((place) => settlements[place]!),
        new Set(refused),
      );
    }
    this.#settling = undefined;
  }

  #record(emailId: string): MessageRecord {
    const known = this.#records.get(emailId) ?? toMessageRecord(this.message(emailId));
    this.#records.set(emailId, known);
    return known;
  }
}

function readable({ emailId, meta }: ClaimedMessage): [emailId: string, message: Message][] {
  try {
    return [[emailId, JSON.parse(meta) as Message]];
  } catch (error) {
    logError("message_unreadable", error, { email_id: emailId });
    return [];
  }
}
