// Keeps how far each replay of one webhook has come (docs/webhooks.md §Replay), on disk, so that a
// kill loses no replay. A replay goes page by page, and only while few batches wait in the
// webhook's outbox: a long history is never held at once, and new events do not wait behind old
// ones.
import { DurableObject } from "cloudflare:workers";
import { coreFor } from "../../../db/client.ts";
import type { Env } from "../../../env.ts";
import { logError } from "../../../lib/log.ts";
import { WEBHOOK_REPLAYS } from "../../../limits.ts";
import { teamFor } from "../../team-settings/team-cache.ts";
import { readReplayPage } from "./replay-page.ts";
import type { Bookmarks } from "../../../contracts/shard-types.ts";
import type { EventType } from "../../../contracts/event-types.ts";
import type { Replay, Replayer } from "../../../contracts/replay-contract.ts";
import { findWebhook } from "../store.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS replays (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, team_id TEXT NOT NULL, types TEXT NOT NULL, start INTEGER NOT NULL, at INTEGER NOT NULL, event_id TEXT NOT NULL
  )`;

/** Number of waiting batches that keep the outbox's connections busy. */
const BATCHES_WAITING = 10;
const PAGES_PER_ALARM = 20;
/** Pauses while the outbox is full: from the first, doubling, to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const FAULT_PAUSE_MS = 10_000;

interface Row extends Record<string, SqlStorageValue> {
  readonly id: string;
  readonly team_id: string;
  readonly types: string;
  readonly start: number;
  readonly at: number;
  /** "" stands for no id. */
  readonly event_id: string;
}

type Progress = "over" | "page_sent" | "outbox_full";

export class WebhookReplay extends DurableObject<Env> implements Replayer {
  readonly #webhookId: string;
  readonly #sql: SqlStorage;
  #pauses = 0;
  /**
   * The bookmarks of the shards after the last page, and the replay they belong to. After a kill
   * the primary is asked once more.
   */
  #seen: { readonly id: string; readonly bookmarks: Bookmarks } | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (ctx.id.name === undefined) throw new Error("replays are addressed by their webhook's id");
    this.#webhookId = ctx.id.name;
    this.#sql = ctx.storage.sql;
    this.#sql.exec(SCHEMA);
  }

  /**
   * Begins a replay. Returns false, and begins nothing, if WEBHOOK_REPLAYS are under way. A replay
   * that was begun is on disk.
   */
  async begin(teamId: string, { id, types, position }: Replay): Promise<boolean> {
    const underWay = this.#sql
      .exec<{ count: number }>("SELECT count(*) AS count FROM replays")
      .one().count;
    if (underWay >= WEBHOOK_REPLAYS) return false;
    const { start, at, id: eventId } = position;
    const insert =
      "INSERT INTO replays (id, team_id, types, start, at, event_id) VALUES (?, ?, ?, ?, ?, ?)";
    this.#sql.exec(insert, id, teamId, JSON.stringify(types), start, at, eventId);
    await this.ctx.storage.setAlarm(Date.now());
    await this.ctx.storage.sync();
    return true;
  }

  /** Never throws, because the platform gives up on an alarm after six failures. */
  override async alarm(): Promise<void> {
    let next: number | null;
    try {
      next = await this.#advance();
    } catch (error) {
      logError("webhook_replay_failed", error, { webhook_id: this.#webhookId });
      next = Date.now() + FAULT_PAUSE_MS;
    }
    if (next !== null) await this.ctx.storage.setAlarm(next);
  }

  /** Sends pages. Returns when to go on, Unix milliseconds; null: nothing is left to do. */
  async #advance(): Promise<number | null> {
    for (let page = 0; page < PAGES_PER_ALARM; page += 1) {
      const progress = await this.#sendPage();
      if (progress === "over") return null;
      if (progress === "outbox_full") {
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#pauses);
        if (pause < LONGEST_PAUSE_MS) this.#pauses += 1;
        return Date.now() + pause;
      }
      this.#pauses = 0;
    }
    return Date.now();
  }

  /**
   * Sends a page of the oldest replay. Its batches' ids are derived, so a page that is sent again
   * after a crash counts once.
   */
  async #sendPage(): Promise<Progress> {
    const [row] = this.#sql.exec<Row>("SELECT * FROM replays ORDER BY seq LIMIT 1").toArray();
    if (!row) return "over";
    const outbox = this.env.WEBHOOK_OUTBOX.getByName(this.#webhookId);
    if ((await outbox.waiting()) >= BATCHES_WAITING) return "outbox_full";
    const { id, team_id: teamId, types, start, at, event_id: eventId } = row;
    const now = Date.now();
    const [team, webhook] = await Promise.all([
      teamFor(this.env, teamId, now),
      findWebhook(coreFor(this.env, teamId), this.#webhookId),
    ]);
    if (!team || !webhook || webhook.status === "disabled") {
      this.#sql.exec("DELETE FROM replays");
      return "over";
    }
    const seen = this.#seen?.id === id ? this.#seen.bookmarks : {};
    const replay = {
      id,
      types: JSON.parse(types) as EventType[],
      position: { start, at, id: eventId, seen },
    };
    const { batches, next } = await readReplayPage(this.env, team, this.#webhookId, replay, now);
    // Each batch has its own call, because together they may be larger than a call can carry.
    for (const batch of batches) await outbox.enqueue(teamId, [batch], true);
    this.#seen = next ? { id, bookmarks: next.seen } : undefined;
    if (next)
      this.#sql.exec(
        "UPDATE replays SET start = ?, at = ?, event_id = ? WHERE id = ?",
        next.start,
        next.at,
        next.id,
        id,
      );
    else this.#sql.exec("DELETE FROM replays WHERE id = ?", id);
    return "page_sent";
  }
}
