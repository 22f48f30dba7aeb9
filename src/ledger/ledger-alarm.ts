// Decides when a ledger's alarm goes off, and runs the alarm's work (docs/architecture.md
// §Release): messages in flight, paced releases, retries of the log, reports and sweeps.
import { logError } from "../lib/log.ts";
import { ObjectAlarm } from "../lib/object-alarm.ts";
import type { LedgerMetrics } from "./ledger-metrics.ts";
import { ROUND_MS } from "./release/pacing.ts";
import type { Subjects } from "./ledger-state.ts";

/** Time between an alarm that failed and the next alarm. */
const ALARM_RETRY_MS = 10_000;

interface AlarmDependencies {
  readonly teamId: string;
  readonly subjects: () => Subjects;
  readonly report: LedgerMetrics;
  readonly isDestroyed: () => boolean;
}

export class LedgerAlarm {
  readonly #using: AlarmDependencies;
  readonly #alarm: ObjectAlarm;

  constructor(storage: DurableObjectStorage, using: AlarmDependencies) {
    this.#using = using;
    this.#alarm = new ObjectAlarm(storage);
  }

  /** Reads the time of the alarm that is set. Must be called first. */
  async load(): Promise<void> {
    await this.#alarm.load();
  }

  /** Sets an alarm if the ledger has work that is due now or at a later time. */
  wake(): void {
    if (!this.#using.isDestroyed()) this.#alarm.wake(this.#nextAlarm(Date.now()));
  }

  /** Sets the alarm again, after the state was read from storage again. */
  reset(): void {
    this.#alarm.reset();
    this.wake();
  }

  /** Sets the alarm early enough for all changes in the group that is being written. */
  wakeForGroup(now: number): void {
    const touched = this.#using.subjects().open.memory.inFlight.takeTouchedWake();
    this.#alarm.wake(Math.min(touched, this.#nextRound(now)));
  }

  /**
   * Runs the work of an alarm, then sets the next alarm. Never throws, because the platform gives
   * up on an alarm after six failures.
   */
  async run(round: (now: number) => Promise<void>): Promise<void> {
    this.#alarm.suspend();
    let next: number;
    try {
      const now = Date.now();
      await round(now);
      next = this.#nextAlarm(now);
    } catch (error) {
      logError("ledger_alarm_failed", error, { team_id: this.#using.teamId });
      next = Date.now() + ALARM_RETRY_MS;
    }
    this.#alarm.reset();
    if (!this.#using.isDestroyed()) this.#alarm.wake(next);
  }

  #nextAlarm(now: number): number {
    const { memory, outage } = this.#using.subjects().open;
    const next = Math.min(memory.nextWake(outage.probeAt), this.#nextRound(now));
    return Math.max(next, now + ROUND_MS);
  }

  /** The time at which the next work is due, in Unix milliseconds. Ignores messages in flight. */
  #nextRound(now: number): number {
    const { subjects, report } = this.#using;
    return Math.min(subjects().nextRound(now), report.dueAt);
  }
}
