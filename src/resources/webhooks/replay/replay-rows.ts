// Stores a webhook's replays on disk (docs/webhooks.md §Replay): the position of each running
// replay, and the facts that the API shows. The facts stay for a week after the replay's end.
import type { EventType } from "../../../rpc/event-types.ts";
import type { Position } from "../../../rpc/history-query.ts";
import type { KnownReplay, Replay, ReplayStatus } from "../../../rpc/replay-calls.ts";
import { WEBHOOK_REPLAY_RETENTION_MS, WEBHOOK_REPLAYS_KNOWN } from "../../../limits.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS replays (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, team_id TEXT NOT NULL, types TEXT NOT NULL,
    start INTEGER NOT NULL, at INTEGER NOT NULL, event_id TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS known_replays (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, types TEXT NOT NULL, start INTEGER NOT NULL,
    until INTEGER NOT NULL,
    status TEXT NOT NULL, sent INTEGER NOT NULL, reached_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL, ended_at INTEGER
  );`;

interface ReplayUnderWay {
  readonly id: string;
  readonly teamId: string;
  readonly types: readonly EventType[];
  readonly position: Omit<Position, "seen">;
}

interface ReplayRow extends Record<string, SqlStorageValue> {
  readonly id: string;
  readonly team_id: string;
  readonly types: string;
  readonly start: number;
  readonly at: number;
  /** The id of the event at which the replay continues, or an empty text. */
  readonly event_id: string;
}

interface KnownRow extends Record<string, SqlStorageValue> {
  readonly seq: number;
  readonly id: string;
  readonly types: string;
  readonly start: number;
  readonly until: number;
  readonly status: ReplayStatus;
  readonly sent: number;
  readonly reached_at: number;
  readonly created_at: number;
  readonly ended_at: number | null;
}

export class ReplayRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
  }

  get underWay(): number {
    return this.#sql.exec<{ count: number }>("SELECT count(*) AS count FROM replays").one().count;
  }

  insert(teamId: string, { id, types, position }: Replay, end: number, now: number): void {
    const { start, at, id: eventId } = position;
    const list = JSON.stringify(types);
    this.#sql.exec(
      "INSERT INTO replays (id, team_id, types, start, at, event_id) VALUES (?, ?, ?, ?, ?, ?)",
      id,
      teamId,
      list,
      start,
      at,
      eventId,
    );
    this.#sql.exec(
      "INSERT INTO known_replays (id, types, start, until, status, sent, reached_at, created_at) " +
        "VALUES (?, ?, ?, ?, 'running', 0, ?, ?)",
      id,
      list,
      start,
      end,
      end,
      now,
    );
  }

  /** Returns the running replay that began first. Its next page is sent next. */
  oldest(): ReplayUnderWay | undefined {
    const [row] = this.#sql.exec<ReplayRow>("SELECT * FROM replays ORDER BY seq LIMIT 1").toArray();
    return (
      row && {
        id: row.id,
        teamId: row.team_id,
        types: JSON.parse(row.types) as EventType[],
        position: { start: row.start, at: row.at, id: row.event_id },
      }
    );
  }

  /** Records that a page with `sent` events was sent. `next` null: it was the last page. */
  notePage(id: string, sent: number, next: Position | null, now: number): void {
    if (next) {
      this.#sql.exec(
        "UPDATE replays SET start = ?, at = ?, event_id = ? WHERE id = ?",
        next.start,
        next.at,
        next.id,
        id,
      );
      this.#sql.exec(
        "UPDATE known_replays SET sent = sent + ?, reached_at = ? WHERE id = ?",
        sent,
        next.at,
        id,
      );
      return;
    }
    this.#sql.exec("DELETE FROM replays WHERE id = ?", id);
    this.#sql.exec(
      "UPDATE known_replays SET status = 'done', sent = sent + ?, reached_at = start, " +
        "ended_at = ? WHERE id = ?",
      sent,
      now,
      id,
    );
  }

  /** Ends all replays of a webhook that was disabled. */
  stopAll(now: number): void {
    this.#sql.exec("DELETE FROM replays");
    this.#sql.exec(
      "UPDATE known_replays SET status = 'stopped', ended_at = ? WHERE ended_at IS NULL",
      now,
    );
  }

  /** Deletes all data of a deleted webhook. */
  forget(): void {
    this.#sql.exec("DELETE FROM replays; DELETE FROM known_replays;");
  }

  /** Lists up to `limit` replays with a position below `before`, newest first. */
  list(limit: number, before: number | null, now: number): KnownReplay[] {
    const rows = this.#sql.exec<KnownRow>(
      "SELECT * FROM known_replays WHERE seq < ? AND (ended_at IS NULL OR ended_at > ?) " +
        "ORDER BY seq DESC LIMIT ?",
      before ?? Number.MAX_SAFE_INTEGER,
      now - WEBHOOK_REPLAY_RETENTION_MS,
      limit,
    );
    return Array.from(rows, toKnown);
  }

  /** Deletes replays that ended long ago, and ended replays beyond the maximum number. */
  sweep(now: number): void {
    this.#sql.exec(
      "DELETE FROM known_replays WHERE ended_at <= ? OR (ended_at IS NOT NULL AND " +
        "seq <= (SELECT max(seq) FROM known_replays) - ?)",
      now - WEBHOOK_REPLAY_RETENTION_MS,
      WEBHOOK_REPLAYS_KNOWN,
    );
  }

  /** When the next ended replay must be deleted, Unix milliseconds. Null: no replay has ended. */
  get sweepAt(): number | null {
    const oldest = "SELECT min(ended_at) AS at FROM known_replays";
    const { at } = this.#sql.exec<{ at: number | null }>(oldest).one();
    return at === null ? null : at + WEBHOOK_REPLAY_RETENTION_MS;
  }
}

function toKnown(row: KnownRow): KnownReplay {
  return {
    position: row.seq,
    id: row.id,
    types: JSON.parse(row.types) as EventType[],
    start: row.start,
    end: row.until,
    status: row.status,
    sent: row.sent,
    reachedAt: row.reached_at,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}
