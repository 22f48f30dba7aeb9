// Runs one webhook's replays (docs/webhooks.md §Replay), and stores their progress on disk, so that
// a kill of the object loses no replay. A replay sends one page at a time, and only while few
// batches wait in the webhook's outbox. So a long history is never in memory, and new events do not
// wait for old events.
import { DurableObject } from "cloudflare:workers";
import type { AuditEntry } from "../../../audit.ts";
import { coreFor } from "../../../db/client.ts";
import { PendingEntries } from "../../../db/pending-entries.ts";
import type { Env } from "../../../env.ts";
import { logError } from "../../../lib/log.ts";
import { WEBHOOK_REPLAYS } from "../../../limits.ts";
import { teamFor } from "../../team-settings/team-cache.ts";
import { readReplayPage } from "./replay-page.ts";
import { ReplayRows } from "./replay-rows.ts";
import type { Bookmarks } from "../../../rpc/shard-types.ts";
import type { KnownReplay, Replay, Replayer } from "../../../rpc/replay-calls.ts";
import { findWebhook } from "../store.ts";
import { objectOf } from "../../../object-of.ts";

/**
 * A replay pauses while at least this many batches wait in the outbox, because these batches
 * already use all of the outbox's connections.
 */
const BATCHES_WAITING = 10;
const PAGES_PER_ALARM = 20;
/**
 * The first and the longest pause while too many batches wait in the outbox. Each pause is twice
 * the previous pause.
 */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const FAULT_PAUSE_MS = 10_000;

type Progress = "over" | "page_sent" | "outbox_full";

export class WebhookReplay extends DurableObject<Env> implements Replayer {
  readonly #webhookId: string;
  readonly #rows: ReplayRows;
  readonly #entries: PendingEntries;
  #pauses = 0;
  /**
   * The bookmarks of the shards after the newest page that a replay read, and the id of that
   * replay. After a restart of the object they are missing, and the primary is read.
   */
  #seen: { readonly id: string; readonly bookmarks: Bookmarks } | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (ctx.id.name === undefined) throw new Error("replays are addressed by their webhook's id");
    this.#webhookId = ctx.id.name;
    this.#rows = new ReplayRows(ctx.storage.sql);
    this.#entries = new PendingEntries(ctx.storage.sql);
  }

  /**
   * Begins a replay, and stores it durably. Returns false without beginning it if WEBHOOK_REPLAYS
   * replays are already running.
   */
  async begin(
    teamId: string,
    replay: Replay,
    end: number,
    now: number,
    entry: AuditEntry | null = null,
  ): Promise<boolean> {
    if (this.#rows.underWay >= WEBHOOK_REPLAYS) return false;
    this.#rows.insert(teamId, replay, end, now);
    this.#entries.add(teamId, entry);
    await this.ctx.storage.setAlarm(Date.now());
    await this.ctx.storage.sync();
    return true;
  }

  list(limit: number, before: number | null, now: number): KnownReplay[] {
    return this.#rows.list(limit, before, now);
  }

  /** Sends the next pages. Never throws, because the platform drops an alarm after six failures. */
  override async alarm(): Promise<void> {
    let next: number | null;
    try {
      await this.#entries.handOver((teamId) => coreFor(this.env, teamId));
      this.#rows.sweep(Date.now());
      next = (await this.#advance()) ?? this.#rows.sweepAt;
    } catch (error) {
      logError("webhook_replay_failed", error, { webhook_id: this.#webhookId });
      next = Date.now() + FAULT_PAUSE_MS;
    }
    if (next !== null) await this.ctx.storage.setAlarm(next);
  }

  /** Sends pages. Returns when to continue, in Unix milliseconds, or null if no work is left. */
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
   * Sends a page of the oldest replay. The ids of its batches are derived from its content, so a
   * page that is sent again after a crash counts once.
   */
  async #sendPage(): Promise<Progress> {
    const underWay = this.#rows.oldest();
    if (!underWay) return "over";
    const { id, teamId } = underWay;
    const now = Date.now();
    const [team, webhook] = await Promise.all([
      teamFor(this.env, teamId, now),
      findWebhook(coreFor(this.env, teamId), this.#webhookId),
    ]);
    if (!team || !webhook) this.#rows.forget();
    else if (webhook.status === "disabled") this.#rows.stopAll(now);
    if (!team || !webhook || webhook.status === "disabled") return "over";
    const outbox = objectOf(this.env, "WEBHOOK_OUTBOX", this.#webhookId);
    if ((await outbox.waiting()) >= BATCHES_WAITING) return "outbox_full";
    const seen = this.#seen?.id === id ? this.#seen.bookmarks : {};
    const replay = { ...underWay, position: { ...underWay.position, seen } };
    const { batches, next } = await readReplayPage(this.env, team, this.#webhookId, replay, now);
    // Sends each batch in a separate call, because all batches together may exceed the limit of a
    // call.
    for (const batch of batches) await outbox.enqueue(teamId, [batch], true);
    this.#seen = next ? { id, bookmarks: next.seen } : undefined;
    const sent = batches.reduce((sum, { eventCount }) => sum + eventCount, 0);
    this.#rows.notePage(id, sent, next, Date.now());
    return "page_sent";
  }
}
