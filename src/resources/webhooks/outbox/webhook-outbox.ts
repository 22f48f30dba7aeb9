// One webhook's outbox is the truth of what it is still to be sent (contract.md §Deliveries and
// retries, docs/storage.md §A webhook's batch). A shell: its content and changes are in
// outbox-book, the posting in sender. The webhook's row in D1 says where to and whether, and is
// read again and again, so that nothing depends on being told of a change; the alarm sees to it
// that nothing depends on having been woken.
import { DurableObject } from "cloudflare:workers";
import { coreFor, type Scope } from "../../../db/client.ts";
import type { Env } from "../../../env.ts";
import { alarmToSet } from "../../../lib/lost-alarm.ts";
import { GroupCommit } from "../../../lib/group-commit.ts";
import { BoundedCache } from "../../../lib/bounded-cache.ts";
import { crashPoint } from "../../../lib/crash-point.ts";
import { Deadlines } from "../../../lib/deadlines.ts";
import { logError } from "../../../lib/log.ts";
import {
  HOUR_MS,
  WEBHOOK_CALLABLE_MS,
  WEBHOOK_CONNECTIONS,
  WEBHOOK_TIMEOUT_MS,
} from "../../../limits.ts";
import { GaugeReport } from "../../../metrics/gauge-report.ts";
import { type EndedDeliveries, OutboxState } from "./outbox-state.ts";
import type {
  Enqueued,
  LoggedDelivery,
  NewBatch,
  DeliveryOutbox,
} from "../../../contracts/outbox-contract.ts";
import type { Waiting } from "./outbox-rows.ts";
import { postSigned } from "../post.ts";
import { type Note, RowWatch } from "./row-watch.ts";
import { openSecrets, secretsInForce } from "../webhook-secret.ts";
import { type Posted, OutboxSender } from "./outbox-sender.ts";
import { type Settings, settingsOf } from "../../../settings.ts";
import { findWebhook, noteDeliveries, type WebhookRow } from "../store.ts";

/**
 * How long a delivered batch waits for others to be settled with: a post that begins while the disk
 * is written to waits for that.
 */
const GATHER_MS = 100;
const SETTLED_AT_ONCE = 100;
/** After an alarm or a note that failed. */
const RETRY_MS = 10_000;
/** Two alarms are never closer. */
const ALARM_SPACING_MS = 100;
/** For how long late batches of a deleted webhook are turned away. */
const TOMBSTONE_MS = HOUR_MS;
const TOMBSTONE = "destroyed";
const URLS_REMEMBERED = 4;

export class WebhookOutbox extends DurableObject<Env> implements DeliveryOutbox {
  readonly #id: string;
  readonly #commit: GroupCommit;
  readonly #sender: OutboxSender;
  readonly #row: RowWatch;
  readonly #report: GaugeReport;
  readonly #kept = {
    callable: new BoundedCache<true>(URLS_REMEMBERED, WEBHOOK_CALLABLE_MS),
    deadlines: new Deadlines(WEBHOOK_TIMEOUT_MS),
  };
  /** Undefined: nothing is stored. */
  #book: OutboxState | undefined;
  /**
   * The alarm that is set, Unix milliseconds; null: none. While one runs: before everything, since
   * it sets the next one itself.
   */
  #alarmAt: number | null = null;
  #destroyed = false;
  /** Not settled yet. */
  #over: EndedDeliveries[] = [];
  #hurry = Promise.withResolvers<void>();
  #settling: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (ctx.id.name === undefined) throw new Error("an outbox is addressed by its webhook's id");
    this.#id = ctx.id.name;
    this.#report = new GaugeReport(this.#id, () => this.env, ctx.storage.kv);
    this.#commit = new GroupCommit(ctx.storage, {
      seal: () => this.#seal(),
      committed: () => Promise.resolve(),
      undone: () => this.#undone(),
    });
    this.#sender = new OutboxSender({
      room: () => this.#room(),
      claim: (exclude, limit) => this.#book?.claim(Date.now(), exclude, limit) ?? [],
      post: (batch) => this.#post(batch),
      handOver: () => this.#handOver(),
    });
    this.#row = new RowWatch({
      read: async () => findWebhook(this.#scope(), this.#id),
      note: async (note) => noteDeliveries(this.#scope(), this.#id, note),
      open: (row) => openSecrets(this.#settings.keyEncryptionKey, row, Date.now()),
      heed: (row) => this.#heed(row),
      gone: () => this.destroy(),
    });
    void ctx.blockConcurrencyWhile(async () => {
      this.#destroyed = ctx.storage.kv.get(TOMBSTONE) !== undefined;
      this.#alarmAt = await ctx.storage.getAlarm();
      if (!this.#destroyed) this.#book = OutboxState.load(ctx.storage, this.#id);
      this.restoreAlarm();
    });
  }

  /**
   * Takes batches, each once however often it is handed over. What this has answered is on disk.
   * `begin`: then begins to post, unless it is at it already; nobody has to wait for that.
   */
  async enqueue(teamId: string, batches: readonly NewBatch[], begin = false): Promise<Enqueued> {
    const stored = await this.#commit.run(() => {
      if (this.#destroyed) return 0;
      this.#book ??= OutboxState.open(this.ctx.storage, this.#id, teamId);
      return this.#book.take(batches, Date.now(), this.#settings.retrySpeedup);
    });
    await crashPoint(this.env.CRASH_POINT_URL, "webhook_after_enqueue");
    if (begin && this.#sender.isIdle && this.waiting() > 0) this.deliver();
    return { stored };
  }

  /** How many batches have not ended. */
  waiting(): number {
    return this.#book?.rows.waiting ?? 0;
  }

  /**
   * Sets an alarm again that was lost: nothing else would ever wake an outbox that is sent nothing
   * new.
   */
  restoreAlarm(): void {
    const now = Date.now();
    this.#wake(this.#destroyed ? now + TOMBSTONE_MS : this.#nextAlarm(now));
  }

  /** Begins to post what is due; returns at once. */
  deliver(): void {
    if (this.#book) this.ctx.waitUntil(this.#run());
  }

  /**
   * The webhook's row was changed: what is posted from now on heeds it. Rejects when the database
   * does not answer; then it is heeded later.
   */
  async changed(): Promise<void> {
    if (!this.#book) return;
    await this.#row.sync();
    this.deliver();
  }

  /**
   * Newest first, `limit` entries of the log that stand before the position `before`; null: from
   * the newest.
   */
  deliveries(limit: number, before: number | null): LoggedDelivery[] {
    return this.#book?.log.entries(limit, before, Date.now()) ?? [];
  }

  /** The webhook is deleted: everything goes, and what comes later is turned away. */
  async destroy(): Promise<void> {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#alarmAt = Number.NEGATIVE_INFINITY;
    this.#book = undefined;
    this.#row.forget();
    this.#sender.putBack();
    this.ctx.waitUntil(this.#report.send(null, Date.now()));
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.ctx.storage.kv.put(TOMBSTONE, true);
    await this.ctx.storage.setAlarm(Date.now() + TOMBSTONE_MS);
  }

  /**
   * Posts what is due, gives up what is over and throws away what is old. Never throws: the
   * platform gives up on an alarm after six failures.
   */
  override async alarm(): Promise<void> {
    if (this.#destroyed) return this.ctx.storage.deleteAll();
    this.#alarmAt = Number.NEGATIVE_INFINITY;
    let next: number;
    try {
      await this.#commit.run(() => this.#book?.passTime(Date.now(), this.#settings.retrySpeedup));
      this.ctx.waitUntil(this.#report.send(this.#book?.rows.gauges() ?? null, Date.now()));
      if (this.#book) await this.#row.sync();
      next = this.#nextAlarm(Date.now());
    } catch (error) {
      logError("webhook_alarm_failed", error, { webhook_id: this.#id });
      next = Date.now() + RETRY_MS;
    }
    if (this.#destroyed) return;
    this.#alarmAt = null;
    this.#wake(next);
    if (this.#book?.isDue(Date.now())) this.#handOver();
  }

  get #settings(): Settings {
    return settingsOf(this.env);
  }

  #scope(): Scope {
    if (!this.#book) throw new Error("nobody's outbox has no row");
    return coreFor(this.env, this.#book.teamId);
  }

  async #run(): Promise<void> {
    try {
      if (!this.#row.isFresh(Date.now())) await this.#row.sync();
    } catch (error) {
      logError("webhook_row_unread", error, { webhook_id: this.#id });
    }
    await this.#sender.run();
  }

  #room(): number {
    const now = Date.now();
    const book = this.#book;
    if (!book || book.isDisabled || !this.#row.target(now)) return 0;
    if (book.circuit.kind === "closed") return WEBHOOK_CONNECTIONS;
    return book.circuit.kind === "open" && book.circuit.probeAt <= now ? 1 : 0;
  }

  async #post(batch: Waiting): Promise<Posted> {
    await crashPoint(this.env.CRASH_POINT_URL, "webhook_after_claim");
    const begun = Date.now();
    const target = this.#row.target(begun);
    // deleted meanwhile
    if (!this.#book || !target) return { isSuccess: false, settled: Promise.resolve() };
    const isProbe = this.#book.circuit.kind === "open";
    const position = this.#book.log.nextPosition(begun);
    const delivery = {
      url: target.row.url,
      batchId: batch.id,
      secrets: secretsInForce(target.secrets, begun),
      bodyAt: () => batch.body,
    };
    const attempt = await postSigned(this.#settings, delivery, this.#kept);
    await crashPoint(this.env.CRASH_POINT_URL, "webhook_after_post");
    const isSuccess = attempt.kind === "answered" && attempt.isSuccess;
    return {
      isSuccess,
      settled: this.#settle({ batch, attempt, begun, position, isProbe }, isSuccess),
    };
  }

  /**
   * Settles what is over together with what follows at once, unless nothing follows or there is a
   * reason to hurry: the circuit has to know of a failure before the next post.
   */
  #settle(ended: EndedDeliveries, isSuccess: boolean): Promise<void> {
    this.#over.push(ended);
    const isLast = this.#over.length >= this.waiting();
    if (!isSuccess || isLast || this.#over.length >= SETTLED_AT_ONCE) this.#hurry.resolve();
    this.#settling ??= this.#settleGathered();
    return this.#settling;
  }

  async #settleGathered(): Promise<void> {
    await Promise.race([this.#hurry.promise, scheduler.wait(GATHER_MS)]);
    const over = this.#over;
    this.#over = [];
    this.#hurry = Promise.withResolvers();
    this.#settling = undefined;
    await this.#commit.run(() => this.#book?.settle(over, Date.now(), this.#settings.retrySpeedup));
    this.#noteSoon();
  }

  /**
   * A job of the queue has what is due posted, in an invocation of its own. One that is lost is
   * sent again by the alarm.
   */
  #handOver(): void {
    const { teamId } = this.#book ?? {};
    if (teamId === undefined) return;
    const sent = this.env.WEBHOOK.send({ teamId, webhookId: this.#id });
    const unsent = (error: unknown): void => {
      logError("webhook_job_unsent", error, { webhook_id: this.#id });
      this.deliver();
    };
    this.ctx.waitUntil(sent.then(() => undefined, unsent));
  }

  #heed(row: WebhookRow): Promise<Note | null> {
    return this.#commit.run(() => this.#book?.applyRow(row, Date.now()) ?? null);
  }

  /** Tells the row what it does not know, if it is time; else the alarm does. */
  #noteSoon(): void {
    const now = Date.now();
    const at = this.#book?.noteAt(this.#row.lastDeliveryAt, now) ?? Number.POSITIVE_INFINITY;
    if (at > now) return this.#wake(at);
    this.ctx.waitUntil(
      this.#row.sync().catch((error: unknown) => {
        logError("webhook_note_failed", error, { webhook_id: this.#id });
        this.#wake(Date.now() + RETRY_MS);
      }),
    );
  }

  /**
   * The end of a group's block: nothing that was claimed is posted while it is held, and the alarm
   * comes early enough.
   */
  #seal(): void {
    if (!this.#book) return;
    if (this.#book.isHeld) this.#sender.putBack();
    const now = Date.now();
    this.#report.touch(now);
    this.#wake(Math.min(this.#book.wakeAt(now, this.#settings.retrySpeedup), this.#report.dueAt));
  }

  #undone(): void {
    this.#alarmAt = null;
    if (this.#destroyed) return;
    try {
      this.#book = OutboxState.load(this.ctx.storage, this.#id);
      this.#wake(this.#nextAlarm(Date.now()));
    } catch (error) {
      this.ctx.abort(`the outbox can't be read again: ${String(error)}`);
    }
  }

  #nextAlarm(now: number): number {
    if (!this.#book) return Number.POSITIVE_INFINITY;
    const noteAt = this.#book.noteAt(this.#row.lastDeliveryAt, now);
    const wakeAt = Math.min(
      this.#book.wakeAt(now, this.#settings.retrySpeedup),
      this.#report.dueAt,
    );
    return Math.max(
      Math.min(wakeAt, noteAt <= now ? now + RETRY_MS : noteAt),
      now + ALARM_SPACING_MS,
    );
  }

  /**
   * Sets the alarm, unless one is set that comes early enough. Infinity: there is nothing to do.
   */
  #wake(at: number): void {
    const next = alarmToSet(this.#alarmAt, at, Date.now());
    if (next === null) return;
    this.#alarmAt = next;
    void this.ctx.storage.setAlarm(next);
  }
}
