// Finds messages that should have an outcome by now (docs/operating.md §Stuck). A job of such a
// message had to be released again, because its first attempt led to no outcome. Each message is
// logged once, some time after its release. Then it also gets a row, so that a restart does not log
// it again. A recipient that waits for pacing or for a retry is never stuck.
import { logWarning } from "../../lib/log.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS stuck (id TEXT PRIMARY KEY, since INTEGER NOT NULL, jobs INTEGER NOT NULL) WITHOUT ROWID;
`;

const REPORTS_PER_CALL = 1_000;
const IDS_PER_LINE = 100;

/** A message to report as stuck. */
export interface StuckMessage {
  readonly emailId: string;
  /** Number of the message's recipients that were released and have no outcome. */
  readonly jobs: number;
  /** When the recipients without an outcome were released, Unix milliseconds. */
  readonly since: number;
}

interface Row {
  readonly since: number;
  jobs: number;
  reported: boolean;
}

export class StuckMessages {
  readonly #sql: SqlStorage;
  readonly #stuckMs: number;
  readonly #rows = new Map<string, Row>();

  constructor(sql: SqlStorage, stuckMs: number) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    this.#stuckMs = stuckMs;
    const rows = sql.exec<{ id: string; since: number; jobs: number }>(
      "SELECT id, since, jobs FROM stuck",
    );
    for (const { id, since, jobs } of rows) this.#rows.set(id, { since, jobs, reported: true });
  }

  /** Number of stuck recipients. */
  get stuck(): number {
    let jobs = 0;
    for (const row of this.#rows.values()) if (row.reported) jobs += row.jobs;
    return jobs;
  }

  has(emailId: string): boolean {
    return this.#rows.has(emailId);
  }

  /**
   * Notes that `jobs` recipients of the message were released at `since` and have no outcome. If
   * `jobs` is 0, the message is forgotten. For a message that is already noted, the earlier `since`
   * stays.
   */
  note(emailId: string, since: number, jobs: number): void {
    const row = this.#rows.get(emailId);
    if (row?.jobs === jobs || (!row && jobs === 0)) return;
    if (jobs === 0) {
      this.#rows.delete(emailId);
      if (row?.reported) this.#sql.exec("DELETE FROM stuck WHERE id = ?", emailId);
    } else if (row) {
      row.jobs = jobs;
      if (row.reported) this.#sql.exec("UPDATE stuck SET jobs = ? WHERE id = ?", jobs, emailId);
    } else this.#rows.set(emailId, { since, jobs, reported: false });
  }

  /**
   * Logs messages that became stuck since the last report. The log has the ids for the operator,
   * and the metrics have the number.
   */
  report(teamId: string, now: number): void {
    const stuck = this.takeDue(now);
    if (stuck.length === 0) return;
    logWarning("stuck", {
      team_id: teamId,
      recipients: stuck.reduce((sum, { jobs }) => sum + jobs, 0),
      emails: stuck.length,
      since: new Date(Math.min(...stuck.map((one) => one.since))).toISOString(),
      email_ids: stuck.slice(0, IDS_PER_LINE).map(({ emailId }) => emailId),
    });
  }

  /** Returns messages that became stuck since the last call, up to REPORTS_PER_CALL. */
  takeDue(now: number): StuckMessage[] {
    const stuck: StuckMessage[] = [];
    for (const [emailId, row] of this.#rows) {
      if (stuck.length === REPORTS_PER_CALL) break;
      if (row.reported || row.since + this.#stuckMs > now) continue;
      row.reported = true;
      stuck.push({ emailId, jobs: row.jobs, since: row.since });
      this.#sql.exec("INSERT INTO stuck VALUES (?, ?, ?)", emailId, row.since, row.jobs);
    }
    return stuck;
  }

  /** When takeDue() has the next message to return, Unix milliseconds; Infinity: it has none. */
  nextDue(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { reported, since } of this.#rows.values())
      if (!reported && since < earliest) earliest = since;
    return earliest + this.#stuckMs;
  }
}
