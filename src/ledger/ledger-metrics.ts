// Reports two things to the Metrics object: the state of the ledger, and the findings of the check
// of its team's mail (docs/metrics-and-alerts.md §Metrics, contract.md §Operator API). The ledger's
// alarm sends the reports.
import type { LoggedMessage } from "../rpc/ledger-calls.ts";
import type { Gauges } from "../rpc/metrics-calls.ts";
import { GaugeSender } from "../metrics/gauge-sender.ts";
import { settingsOf } from "../settings.ts";
import { MailCheck, type MailCheckDependencies } from "./mail-check.ts";
import { gaugesOf } from "./usage.ts";

interface MetricsDependencies extends MailCheckDependencies {
  /** Returns whether the ledger refuses sends because its disk is full. */
  readonly isFull: () => boolean;
  /** Called after a check of the team's mail and the report of its result. Both change dueAt. */
  readonly scheduleWake: () => void;
}

export class LedgerMetrics {
  readonly #using: MetricsDependencies;
  readonly #gauges: GaugeSender;
  readonly #check: MailCheck;
  /**
   * The start of this object, in Unix milliseconds. Every change of a setting restarts the ledger.
   */
  readonly #startedAt = Date.now();

  constructor(using: MetricsDependencies) {
    this.#using = using;
    this.#gauges = new GaugeSender(using.teamId, using.env, using.kv);
    this.#check = new MailCheck(using);
  }

  /**
   * The latest time for the next call of send(), in Unix milliseconds. Infinity means that no
   * report and no check is due.
   */
  get dueAt(): number {
    return Math.min(this.#gauges.dueAt, this.#check.dueAt);
  }

  /** Marks the last report to the Metrics object as outdated. */
  touch(now: number): void {
    this.#gauges.touch(now);
  }

  /**
   * Schedules a check if the team's log got the event of a refusal by a mail server. Runs inside a
   * group commit.
   */
  note(messages: readonly LoggedMessage[], now: number): void {
    this.#check.note(messages, now);
  }

  /**
   * Sends the report and makes the check, if they are due. Throws at once if the ledger can't be
   * read.
   */
  send(now: number): Promise<void> {
    return this.#sendAndCheck(this.#read(), now);
  }

  /** Withdraws the report when the team is deleted. */
  forget(): Promise<void> {
    return this.#gauges.send(null, Date.now());
  }

  async #sendAndCheck(gauges: Gauges | null, now: number): Promise<void> {
    await this.#gauges.send(gauges, now);
    if (!(await this.#check.run(now))) return;
    const checkedAt = Date.now();
    this.touch(checkedAt);
    await this.#gauges.send(this.#read(), checkedAt);
    this.#using.scheduleWake();
  }

  #read(): Gauges | null {
    const { subjects, isFull, env } = this.#using;
    return gaugesOf(subjects(), {
      isFull: isFull(),
      leavingUrls: settingsOf(env()).leavingUrls,
      startedAt: this.#startedAt,
      mail: this.#check.gauges,
    });
  }
}
