// Finds messages that should have an outcome by now (docs/operating.md §Stuck). A stuck message has
// a job that was released again, because its first attempt led to no outcome. The ledger logs each
// stuck message once, some time after the message's release. It also stores a row for the message,
// so that a restart does not log it again. A recipient that waits for pacing or for a retry is
// never stuck.
import { logWarning } from "../../lib/log.ts";
import { countWithoutOutcome, type InFlight } from "./in-flight.ts";
import type { Jobs } from "./job.ts";

const SCHEMA =
  "CREATE TABLE IF NOT EXISTS stuck_messages (id TEXT PRIMARY KEY, since INTEGER NOT NULL, jobs INTEGER NOT NULL) WITHOUT ROWID";

const IDS_PER_LINE = 100;

/** A message to report as stuck. */
interface StuckMessage {
  readonly emailId: string;
  /** Number of the message's released recipients that have no outcome. */
  readonly jobs: number;
  /** The time at which the recipients without an outcome were released, in Unix milliseconds. */
  readonly since: number;
}

export class StuckMessages {
  readonly #sql: SqlStorage;
  readonly #stuckMs: number;
  /** Number of messages that have a row, and number of their stuck recipients. */
  #messages: number;
  #jobs: number;
  /** The messages that became stuck since the last report. A run of the alarm empties the list. */
  #fresh: StuckMessage[] = [];

  constructor(sql: SqlStorage, stuckMs: number) {
    sql.exec(SCHEMA);
    this.#sql = sql;
    this.#stuckMs = stuckMs;
    const total = "SELECT count(*) AS messages, total(jobs) AS jobs FROM stuck_messages";
    const { messages, jobs } = sql.exec<{ messages: number; jobs: number }>(total).one();
    this.#messages = messages;
    this.#jobs = jobs;
  }

  /** Number of stuck recipients. */
  get stuck(): number {
    return this.#jobs;
  }

  /** Returns the number of stuck recipients of a message that is read from disk. */
  jobsOf(emailId: string): number {
    if (this.#messages === 0) return 0;
    const row = "SELECT jobs FROM stuck_messages WHERE id = ?";
    return this.#sql.exec<{ jobs: number }>(row, emailId).toArray()[0]?.jobs ?? 0;
  }

  /**
   * The time at which the message becomes stuck, in Unix milliseconds. Infinity means never, or
   * that the message is already stuck.
   */
  dueOf({ isLate, stuckJobs, since, released }: InFlight, jobs: Jobs): number {
    const mayBecome = isLate && stuckJobs === 0 && countWithoutOutcome(jobs, released) > 0;
    return mayBecome ? since + this.#stuckMs : Number.POSITIVE_INFINITY;
  }

  /** Records the message if it is stuck. */
  note(emailId: string, entry: InFlight, now: number): void {
    if (this.dueOf(entry, entry.jobs) > now) return;
    const { since, released } = entry;
    const jobs = countWithoutOutcome(entry.jobs, released);
    this.#change(entry, jobs);
    this.#messages += 1;
    this.#sql.exec("INSERT OR REPLACE INTO stuck_messages VALUES (?, ?, ?)", emailId, since, jobs);
    this.#fresh.push({ emailId, jobs, since });
  }

  /** Counts the stuck recipients of a message again after an outcome. */
  settle(emailId: string, entry: InFlight, jobs: Jobs): void {
    if (entry.stuckJobs === 0) return;
    const left = countWithoutOutcome(jobs, entry.released);
    if (left === entry.stuckJobs) return;
    this.#change(entry, left);
    if (left > 0) this.#sql.exec("UPDATE stuck_messages SET jobs = ? WHERE id = ?", left, emailId);
    else {
      this.#messages -= 1;
      this.#sql.exec("DELETE FROM stuck_messages WHERE id = ?", emailId);
    }
  }

  /**
   * Logs messages that became stuck since the last report. The log line gives the operator the ids.
   * The metrics have only the number.
   */
  report(teamId: string): void {
    const stuck = this.#fresh;
    this.#fresh = [];
    if (stuck.length === 0) return;
    logWarning("stuck", {
      team_id: teamId,
      recipients: stuck.reduce((sum, { jobs }) => sum + jobs, 0),
      emails: stuck.length,
      since: new Date(Math.min(...stuck.map((one) => one.since))).toISOString(),
      email_ids: stuck.slice(0, IDS_PER_LINE).map(({ emailId }) => emailId),
    });
  }

  #change(entry: InFlight, jobs: number): void {
    this.#jobs += jobs - entry.stuckJobs;
    entry.stuckJobs = jobs;
  }
}
