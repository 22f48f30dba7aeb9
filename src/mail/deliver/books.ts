// Keeps the ledger and the history in step while outcomes come in (docs/architecture.md §Settle and record): settle first, then record, then forget.
// A crash between two of them repeats only the recording. Outcomes are gathered for a moment, so that a batch costs a few rounds of writing and not
// one an outcome.
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { ClaimedMessage, JobRef, Unrecorded } from "../../ledger/contract.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import { logError } from "../../lib/log.ts";
import type { Facts, Message } from "../message.ts";
import { type Entry, record } from "../record/record.ts";
import { noteOutcomes } from "./outcomes.ts";

/** One attempt with its result. `nextAttemptAt` null: terminal. */
interface Settled extends JobRef {
  readonly attempt: number;
  readonly facts: Facts;
  readonly nextAttemptAt: number | null;
}

type Attempt = Omit<Settled, "nextAttemptAt">;

/** How long an outcome waits for others to be settled with; a process killed meanwhile asks the gateway again, which remembers. */
export const GATHER_MS = 100;
/** With a courier that does not remember: what is not settled by then would be sent again. */
const GATHER_BRIEFLY_MS = 10;
const ROUND_OUTCOMES = 100;
/** So many in a row are no fault of theirs. */
const OUTAGE_FAILURES = 3;

export class Books {
  readonly #env: Env;
  readonly #team: Team;
  readonly #messages: ReadonlyMap<string, Message>;
  readonly #gatherMs: number;
  #waiting: Settled[] = [];
  #closing = false;
  #hurry = Promise.withResolvers<void>();
  #settling: Promise<void> | undefined;
  readonly #recordings: Promise<void>[] = [];
  #lastRecording: Promise<void> = Promise.resolve();

  /** `courierRemembers`: asked twice, it sends once. */
  constructor(env: Env, team: Team, claimed: readonly ClaimedMessage[], courierRemembers: boolean) {
    this.#env = env;
    this.#team = team;
    this.#gatherMs = courierRemembers ? GATHER_MS : GATHER_BRIEFLY_MS;
    this.#messages = new Map(claimed.flatMap((one) => readable(one)));
  }

  /** False: the row can't be read, which the ledger tells of in time (ledger/overdue.ts), and harms no other message. */
  has({ emailId }: JobRef): boolean {
    return this.#messages.has(emailId);
  }

  message(emailId: string): Message {
    const message = this.#messages.get(emailId);
    if (!message) throw new Error(`the claim lacks ${emailId}`);
    return message;
  }

  /** Takes a result, to be settled soon. What goes wrong in that is thrown by close(). */
  enter(settled: Settled): void {
    this.#waiting.push(settled);
    if (this.#waiting.length >= ROUND_OUTCOMES) this.#hurry.resolve();
    this.#settling ??= this.#settle();
    // The rejection is close()'s to report; until then nobody awaits it.
    this.#settling.catch(() => undefined);
  }

  /** Waits until everything entered is settled. From then on the ledger sees to it that it is recorded, by recorded() or by offering it again. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#hurry.resolve();
    await this.#settling;
  }

  /** Waits until everything settled is recorded and forgotten. */
  async recorded(): Promise<void> {
    const results = await Promise.allSettled(this.#recordings);
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  /** Records again what was settled and then not recorded. */
  recordAgain(unrecorded: readonly Unrecorded[]): void {
    if (unrecorded.length > 0) this.#record(() => this.#recordTogetherOrAlone(unrecorded));
  }

  async #settle(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (!this.#closing) await Promise.race([this.#hurry.promise, scheduler.wait(this.#gatherMs)]);
      this.#hurry = Promise.withResolvers();
      const round = this.#waiting;
      this.#waiting = [];
      const applied = await this.#ledger().settle(
        round.map((settled) => ({ ...settled, facts: JSON.stringify(settled.facts) })),
        Date.now(),
      );
      await crashPoint(this.#env.CRASH_POINT_URL, "after_settle");
      if (applied.length === 0) continue;
      const attempts = applied.flatMap((place) => round[place] ?? []);
      noteOutcomes(this.#team.id, attempts);
      this.#record(() => this.#recordAndForget(attempts));
    }
    this.#settling = undefined;
  }

  /** One after the other. What goes wrong in one is thrown by recorded(), and keeps none from the next. */
  #record(work: () => Promise<void>): void {
    const recording = this.#lastRecording.then(work);
    this.#recordings.push(recording);
    this.#lastRecording = recording.catch(() => undefined);
  }

  /** One of them may be why they were not recorded the first time: it must not hold up the others for ever. */
  async #recordTogetherOrAlone(unrecorded: readonly Unrecorded[]): Promise<void> {
    try {
      await this.#recordAndForget(unrecorded.map(withFacts));
    } catch (error) {
      let failedInARow = 0;
      for (const one of unrecorded) {
        try {
          await this.#recordAndForget([withFacts(one)]);
          failedInARow = 0;
        } catch (ownError) {
          logError("record_failed", ownError, { email_id: one.emailId });
          failedInARow += 1;
        }
        if (failedInARow === OUTAGE_FAILURES) throw error;
      }
    }
  }

  async #recordAndForget(attempts: readonly Attempt[]): Promise<void> {
    await record(
      this.#env,
      this.#team,
      attempts.map((one) => this.#entry(one)),
    );
    await crashPoint(this.#env.CRASH_POINT_URL, "after_record");
    const { contentKeys } = await this.#ledger().forget(
      attempts.map(({ emailId, recipientIndex, attempt }) => ({ emailId, recipientIndex, attempt })),
    );
    if (contentKeys.length > 0) await this.#env.CONTENT.delete([...contentKeys]);
  }

  #entry({ emailId, recipientIndex, facts }: Attempt): Entry {
    const message = this.message(emailId);
    return { message, recipient: message.recipients[recipientIndex] ?? "", facts };
  }

  #ledger() {
    return this.#env.TEAM_LEDGER.getByName(this.#team.id);
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

function withFacts(attempt: Unrecorded): Attempt {
  return { ...attempt, facts: JSON.parse(attempt.facts) as Facts };
}
