// Runs one team's imports (contract.md §Imports), and stores their progress on disk. Each alarm
// imports one slice and sets the next alarm. So an import continues after a kill of the object, and
// other statements can use the database between slices. A repeated slice counts once, because a
// row's id is derived from the import and the row's number.
import {
  type ImportedFile,
  type SuppressionImporter,
  type ColumnLayout,
  type ImportRowError,
} from "../../rpc/import-calls.ts";
import { DurableObject } from "cloudflare:workers";
import type { AuditEntry } from "../../audit.ts";
import { coreFor, suppressionsOf } from "../../db/client.ts";
import { PendingEntries } from "../../db/pending-entries.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { isAlarmLost } from "../../lib/lost-alarm.ts";
import { logError } from "../../lib/log.ts";
import {
  SUPPRESSION_IMPORT_LIFETIME_MS,
  SUPPRESSION_IMPORT_RETENTION_MS,
  SUPPRESSION_IMPORTS,
} from "../../limits.ts";
import { teamFor } from "../team-settings/team-cache.ts";
import { ERRORS_SHOWN, fileKey, readSlice, type Slice } from "./import-file.ts";
import { importSuppressions } from "./store.ts";
import { type SuppressionImport, toManualRow } from "./wire.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS imports (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, layout TEXT NOT NULL, size INTEGER NOT NULL,
    byte INTEGER NOT NULL, row INTEGER NOT NULL,
    total INTEGER NOT NULL, imported INTEGER NOT NULL, skipped INTEGER NOT NULL,
    failed INTEGER NOT NULL, begun_at INTEGER NOT NULL, ended_at INTEGER, outcome TEXT
  );
  CREATE TABLE IF NOT EXISTS errors (seq INTEGER PRIMARY KEY, id TEXT NOT NULL,
    row INTEGER NOT NULL, field TEXT NOT NULL, message TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS errors_id ON errors (id, seq);`;

/** The pause between two slices, in which other statements can use the database. */
const PAUSE_MS = 50;
const FAULT_PAUSE_MS = 10_000;
const UNFINISHED =
  "is the row at which the import stopped before the end of the file: upload the file again";

type Counts = Pick<SuppressionImport, "total" | "imported" | "skipped" | "failed">;

interface Row extends Counts, Record<string, SqlStorageValue> {
  readonly id: string;
  readonly layout: string;
  readonly size: number;
  readonly byte: number;
  readonly row: number;
  readonly begun_at: number;
}

export class SuppressionImports extends DurableObject<Env> implements SuppressionImporter {
  readonly #teamId: string;
  readonly #sql: SqlStorage;
  readonly #entries: PendingEntries;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (ctx.id.name === undefined) throw new Error("imports are addressed by their team's id");
    this.#teamId = ctx.id.name;
    this.#sql = ctx.storage.sql;
    this.#sql.exec(SCHEMA);
    this.#entries = new PendingEntries(this.#sql);
  }

  /**
   * Begins an import, and stores it durably. Returns false if SUPPRESSION_IMPORTS imports are
   * already running. `now` is in Unix milliseconds.
   */
  async begin(
    { id, size, layout, place }: ImportedFile,
    now: number,
    entry: AuditEntry | null = null,
  ): Promise<boolean> {
    const underWay = this.#sql
      .exec<{ count: number }>("SELECT count(*) AS count FROM imports WHERE ended_at IS NULL")
      .one().count;
    if (underWay >= SUPPRESSION_IMPORTS) return false;
    this.#sql.exec(
      "INSERT INTO imports (id, layout, size, byte, row, total, imported, skipped, failed, " +
        "begun_at) VALUES (?, ?, ?, ?, ?, 0, 0, 0, 0, ?)",
      id,
      JSON.stringify(layout),
      size,
      place.byte,
      place.row,
      now,
    );
    this.#entries.add(this.#teamId, entry);
    await this.ctx.storage.setAlarm(Date.now());
    await this.ctx.storage.sync();
    return true;
  }

  /** Returns an import, or null if the team does not have the import. */
  find(id: string): SuppressionImport | null {
    type Shown = Counts & { status: SuppressionImport["status"] };
    const columns = "coalesce(outcome, 'running') AS status, total, imported, skipped, failed";
    const [row] = this.#sql
      .exec<Shown>(`SELECT ${columns} FROM imports WHERE id = ?`, id)
      .toArray();
    if (!row) return null;
    const errors = this.#sql.exec<ImportRowError & Record<string, string | number>>(
      "SELECT row, field, message FROM errors WHERE id = ? ORDER BY seq",
      id,
    );
    return { id, ...row, errors: errors.toArray() };
  }

  /** Returns whether this import is still running. Sets the alarm if it was lost. */
  async restoreAlarm(id: string): Promise<boolean> {
    const isUnderWay =
      this.#sql.exec("SELECT 1 FROM imports WHERE id = ? AND ended_at IS NULL", id).toArray()
        .length > 0;
    const alarmAt = await this.ctx.storage.getAlarm();
    if (isUnderWay && (alarmAt === null || isAlarmLost(alarmAt, Date.now())))
      await this.ctx.storage.setAlarm(Date.now());
    return isUnderWay;
  }

  /** Deletes all imports of a team that is being deleted. */
  async forget(): Promise<void> {
    const ids = this.#sql
      .exec<{ id: string }>("SELECT id FROM imports WHERE ended_at IS NULL")
      .toArray();
    this.#sql.exec("DELETE FROM imports; DELETE FROM errors;");
    await this.ctx.storage.deleteAlarm();
    if (ids.length > 0)
      await this.env.CONTENT.delete(ids.map(({ id }) => fileKey(this.#teamId, id)));
  }

  /** Imports the next slice. Never throws: the platform drops an alarm after six failures. */
  override async alarm(): Promise<void> {
    let next: number | null;
    try {
      await this.#entries.handOver((teamId) => coreFor(this.env, teamId));
      await this.#advance(Date.now());
      next = this.#nextAlarm(Date.now());
    } catch (error) {
      logError("suppression_import_failed", error, { team_id: this.#teamId });
      next = Date.now() + FAULT_PAUSE_MS;
    }
    if (next !== null) await this.ctx.storage.setAlarm(next);
  }

  #nextAlarm(now: number): number | null {
    const { running, oldest } = this.#sql
      .exec<{ running: number; oldest: number | null }>(
        "SELECT count(*) - count(ended_at) AS running, min(ended_at) AS oldest FROM imports",
      )
      .one();
    if (running > 0) return now + PAUSE_MS;
    return oldest === null ? null : oldest + SUPPRESSION_IMPORT_RETENTION_MS;
  }

  /** Imports a slice of the oldest import, and deletes imports that ended long ago. */
  async #advance(now: number): Promise<void> {
    this.#sql.exec(
      "DELETE FROM imports WHERE ended_at <= ?",
      now - SUPPRESSION_IMPORT_RETENTION_MS,
    );
    this.#sql.exec("DELETE FROM errors WHERE id NOT IN (SELECT id FROM imports)");
    const [job] = this.#sql
      .exec<Row>("SELECT * FROM imports WHERE ended_at IS NULL ORDER BY seq LIMIT 1")
      .toArray();
    if (!job) return;
    const team = await teamFor(this.env, this.#teamId, now);
    if (!team) return this.forget();
    const key = fileKey(this.#teamId, job.id);
    if (job.byte < job.size) {
      const isOverdue = job.begun_at <= now - SUPPRESSION_IMPORT_LIFETIME_MS;
      const slice = isOverdue
        ? null
        : await readSlice(
            this.env.CONTENT,
            key,
            job.size,
            JSON.parse(job.layout) as ColumnLayout,
            job,
          );
      if (!slice) return this.#end(job, "failed", now);
      await this.#store(team, job, slice, now);
      if (slice.next.byte < job.size) return;
    }
    await this.#end(job, "done", now);
  }

  async #store(team: Team, job: Row, slice: Slice, now: number): Promise<void> {
    const rows = slice.rows.map((one) => ({
      ...toManualRow(one, job.begun_at),
      id: idOf(job.id, one.row),
    }));
    const imported = await importSuppressions(suppressionsOf(this.env, team), rows, now);
    this.ctx.storage.transactionSync(() => this.#progress(job, slice, imported));
  }

  async #end({ id, row }: Row, outcome: "done" | "failed", now: number): Promise<void> {
    if (outcome === "failed") this.#note(id, [{ row, field: "row", message: UNFINISHED }]);
    this.#sql.exec("UPDATE imports SET ended_at = ?, outcome = ? WHERE id = ?", now, outcome, id);
    await this.env.CONTENT.delete(fileKey(this.#teamId, id));
  }

  #progress({ id }: Row, { rows, errors, failed, next }: Slice, imported: number): void {
    const shown = this.#sql
      .exec<{ count: number }>("SELECT count(*) AS count FROM errors WHERE id = ?", id)
      .one().count;
    this.#note(id, errors.slice(0, ERRORS_SHOWN - shown));
    this.#sql.exec(
      "UPDATE imports SET byte = ?, row = ?, total = total + ?, imported = imported + ?, " +
        "skipped = skipped + ?, failed = failed + ? WHERE id = ?",
      next.byte,
      next.row,
      rows.length + failed,
      imported,
      rows.length - imported,
      failed,
      id,
    );
  }

  #note(id: string, errors: readonly ImportRowError[]): void {
    for (const { row, field, message } of errors)
      this.#sql.exec(
        "INSERT INTO errors (id, row, field, message) VALUES (?, ?, ?, ?)",
        id,
        row,
        field,
        message,
      );
  }
}

/**
 * Returns the import's UUID with the row's number as its last eight digits. So a row of an import
 * always gets the same id.
 */
function idOf(importId: string, row: number): string {
  const uuid = importId.slice(importId.indexOf("_") + 1);
  return `sup_${uuid.slice(0, -8)}${row.toString(16).padStart(8, "0")}`;
}
