// Keeps the ledger and the history in step while outcomes come in (design.md section 1): settle first, then record, then forget. A crash between
// two of them repeats only the recording. Outcomes that arrive while one round is being written go together into the next.
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { ClaimedMessage, JobRef, Unrecorded } from "../../ledger/contract.ts";
import { crashPoint } from "../../lib/crash-point.ts";
import type { Facts, Message } from "../message.ts";
import { type Entry, record } from "../record/record.ts";

/** One attempt with its result. `nextAttemptAt` null: terminal. */
export interface Settled extends JobRef {
  readonly attempt: number;
  readonly facts: Facts;
  readonly nextAttemptAt: number | null;
}

export class Books {
  readonly #env: Env;
  readonly #team: Team;
  readonly #messages: ReadonlyMap<string, Message>;
  #waiting: Settled[] = [];
  #writing: Promise<void> | undefined;

  constructor(env: Env, team: Team, claimed: readonly ClaimedMessage[]) {
    this.#env = env;
    this.#team = team;
    this.#messages = new Map(claimed.map(({ emailId, meta }) => [emailId, JSON.parse(meta) as Message]));
  }

  message(emailId: string): Message {
    const message = this.#messages.get(emailId);
    if (!message) throw new Error(`the claim lacks ${emailId}`);
    return message;
  }

  /** Takes a result; it is written soon. What goes wrong in writing is thrown by close(). */
  enter(settled: Settled): void {
    this.#waiting.push(settled);
    this.#writing ??= this.#write();
    // The rejection is close()'s to report; until then nobody awaits it.
    this.#writing.catch(() => undefined);
  }

  /** Waits until everything entered is settled, recorded and forgotten. */
  async close(): Promise<void> {
    await this.#writing;
  }

  /** Records again what was settled before a crash. */
  async recordAgain(unrecorded: readonly Unrecorded[]): Promise<void> {
    if (unrecorded.length > 0) await this.#recordAndForget(unrecorded.map((one) => ({ ...one, facts: JSON.parse(one.facts) as Facts })));
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const round = this.#waiting;
      this.#waiting = [];
      const applied = await this.#ledger().settle(
        round.map((settled) => ({ ...settled, facts: JSON.stringify(settled.facts) })),
        Date.now(),
      );
      await crashPoint(this.#env.CRASH_POINT_URL, "after_settle");
      if (applied.length > 0) await this.#recordAndForget(applied.map((one) => ({ ...one, facts: JSON.parse(one.facts) as Facts })));
    }
    this.#writing = undefined;
  }

  async #recordAndForget(attempts: readonly (JobRef & { attempt: number; facts: Facts })[]): Promise<void> {
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

  #entry({ emailId, recipientIndex, facts }: JobRef & { facts: Facts }): Entry {
    const message = this.message(emailId);
    return { message, recipient: message.recipients[recipientIndex] ?? "", facts };
  }

  #ledger() {
    return this.#env.TEAM_LEDGER.getByName(this.#team.id);
  }
}
