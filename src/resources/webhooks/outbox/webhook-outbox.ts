// One webhook's outbox, which stores and sends the batches for the webhook (contract.md §Deliveries
// and retries, docs/storage.md §A webhook's batch). This file has the RPC methods. outbox-state.ts
// has the content and its changes, and outbox-sender.ts posts batches. The outbox reads the
// webhook's row in D1 regularly, in case a call about a change is lost. Its alarm continues the
// work if a queue job is lost.
import type {
  WebhookOutboxCalls,
  EnqueueResult,
  StoredWebhookBatch,
  WebhookDeliveryEntry,
  NewWebhookBatch,
} from "../../../rpc/outbox-calls.ts";
import { DurableObject } from "cloudflare:workers";
import { serviceAuthor } from "../../../audit.ts";
import { coreFor, type Scope } from "../../../db/client.ts";
import { type Env } from "../../../env.ts";
import { type Settings, settingsOf } from "../../../settings.ts";
import { GroupCommit } from "../../../lib/group-commit.ts";
import { BoundedCache } from "../../../lib/bounded-cache.ts";
import { crashPoint } from "../../../lib/crash-point.ts";
import { Deadlines } from "../../../lib/shared-timer.ts";
import { logError } from "../../../lib/log.ts";
import { ObjectAlarm } from "../../../lib/object-alarm.ts";
import {
  HOUR_MS,
  WEBHOOK_CALLABLE_MS,
  WEBHOOK_CONNECTIONS,
  WEBHOOK_TIMEOUT_MS,
} from "../../../limits.ts";
import { GaugeSender } from "../../../metrics/gauge-sender.ts";
import { type EndedPosts, OutboxState } from "./outbox-state.ts";
import type { WaitingWebhookBatch } from "./outbox-schema.ts";
import { postSigned } from "../post.ts";
import { type StatusChange, WebhookRowCache } from "./webhook-row-cache.ts";
import { requestContent } from "../single-events.ts";
import { ResultGroups } from "./result-groups.ts";
import { openSecrets, secretsInForce } from "../webhook-secret.ts";
import { type PostResult, OutboxSender } from "./outbox-sender.ts";
import { findWebhook, recordWebhookDeliveries, type WebhookRow } from "../store.ts";

/** The delay before the next attempt after a failed alarm, or after a failed write to D1. */
const RETRY_MS = 10_000;
/** Minimum time between two alarms. */
const ALARM_SPACING_MS = 100;
/** Time for which the outbox of a deleted webhook still refuses arriving batches. */
const TOMBSTONE_MS = HOUR_MS;
const TOMBSTONE = "destroyed";
const URLS_REMEMBERED = 4;

export class WebhookOutbox extends DurableObject<Env> implements WebhookOutboxCalls {
  readonly #id: string;
  readonly #commit: GroupCommit;
  readonly #sender: OutboxSender;
  readonly #row: WebhookRowCache;
  readonly #report: GaugeSender;
  readonly #postCaches = {
    callable: new BoundedCache<true>(URLS_REMEMBERED, WEBHOOK_CALLABLE_MS),
    deadlines: new Deadlines(WEBHOOK_TIMEOUT_MS),
  };
  /** The outbox's stored content. Undefined: the outbox stores no content. */
  #state: OutboxState | undefined;
  readonly #alarm: ObjectAlarm;
  #destroyed = false;
  readonly #settlements = new ResultGroups<EndedPosts>((ended) => this.#settle(ended));

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (ctx.id.name === undefined) throw new Error("an outbox is addressed by its webhook's id");
    this.#id = ctx.id.name;
    this.#alarm = new ObjectAlarm(ctx.storage);
    this.#report = new GaugeSender(this.#id, () => this.env, ctx.storage.kv);
    this.#commit = new GroupCommit(ctx.storage, {
      beforeCommit: () => this.#beforeCommit(),
      afterCommit: () => Promise.resolve(),
      afterRollback: () => this.#afterRollback(),
    });
    this.#sender = new OutboxSender({
      room: () => this.#room(),
      claim: (exclude, limit) => this.#state?.claim(Date.now(), exclude, limit) ?? [],
      post: (batch) => this.#post(batch),
      handOver: () => this.#dispatch(),
    });
    this.#row = new WebhookRowCache({
      read: async () => findWebhook(this.#scope(), this.#id),
      write: async (change) =>
        recordWebhookDeliveries(
          { ...this.#scope(), author: serviceAuthor("webhook.update", Date.now()) },
          this.#id,
          change,
        ),
      open: (row) => openSecrets(this.#settings.keyEncryptionKey, row, Date.now()),
      applyRow: (row) => this.#applyRow(row),
      onDeleted: () => this.destroy(),
    });
    void ctx.blockConcurrencyWhile(async () => {
      this.#destroyed = ctx.storage.kv.get(TOMBSTONE) !== undefined;
      await this.#alarm.load();
      if (!this.#destroyed) this.#state = OutboxState.load(ctx.storage, this.#id);
      this.restoreAlarm();
    });
  }

  /**
   * Stores batches durably, each batch once. If `begin` is true and no posts are running, also
   * starts to post, without waiting for the posts.
   */
  async enqueue(
    teamId: string,
    batches: readonly NewWebhookBatch[],
    begin = false,
  ): Promise<EnqueueResult> {
    const stored = await this.#commit.run(() => {
      if (this.#destroyed) return 0;
      this.#state ??= OutboxState.open(this.ctx.storage, this.#id, teamId);
      return this.#state.accept(batches, Date.now(), this.#settings.retrySpeedup);
    });
    await crashPoint(this.env.CRASH_POINT_URL, "webhook_after_enqueue");
    if (begin && this.#sender.isIdle && this.waiting() > 0) this.deliver();
    return { stored };
  }

  /** Returns the number of batches that have not ended. */
  waiting(): number {
    return this.#state?.rows.waiting ?? 0;
  }

  /** Sets the alarm if it was lost. An outbox without new batches would never run again. */
  restoreAlarm(): void {
    const now = Date.now();
    this.#alarm.wake(this.#destroyed ? now + TOMBSTONE_MS : this.#nextAlarm(now));
  }

  /** Begins to post due batches. Returns without waiting for them. */
  deliver(): void {
    if (this.#state) this.ctx.waitUntil(this.#run());
  }

  /**
   * Reads the webhook's row after a change, so that the next posts use it. Rejects if the database
   * does not answer. Then the outbox retries the read.
   */
  async changed(): Promise<void> {
    if (!this.#state) return;
    await this.#row.sync();
    this.deliver();
  }

  /**
   * Lists up to `limit` log entries with positions below `before`, newest first. `before` null:
   * begins with the newest entry.
   */
  deliveries(limit: number, before: number | null): WebhookDeliveryEntry[] {
    return this.#state?.log.entries(limit, before, Date.now()) ?? [];
  }

  batch(id: string): StoredWebhookBatch | null {
    return this.#state?.batch(id, Date.now()) ?? null;
  }

  /** Deletes all data of a deleted webhook. The outbox refuses further batches. */
  async destroy(): Promise<void> {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.#alarm.suspend();
    this.#state = undefined;
    this.#row.forget();
    this.#sender.putBack();
    this.ctx.waitUntil(this.#report.send(null, Date.now()));
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.ctx.storage.kv.put(TOMBSTONE, true);
    await this.ctx.storage.setAlarm(Date.now() + TOMBSTONE_MS);
  }

  /**
   * Posts due batches, drops expired batches and deletes old data. Never throws, because the
   * platform drops an alarm after six failures.
   */
  override async alarm(): Promise<void> {
    if (this.#destroyed) return this.ctx.storage.deleteAll();
    this.#alarm.suspend();
    let next: number;
    try {
      await this.#commit.run(() =>
        this.#state?.advanceTime(Date.now(), this.#settings.retrySpeedup),
      );
      this.ctx.waitUntil(this.#report.send(this.#state?.rows.gauges() ?? null, Date.now()));
      if (this.#state) await this.#row.sync();
      next = this.#nextAlarm(Date.now());
    } catch (error) {
      logError("webhook_alarm_failed", error, { webhook_id: this.#id });
      next = Date.now() + RETRY_MS;
    }
    if (this.#destroyed) return;
    this.#alarm.reset();
    this.#alarm.wake(next);
    if (this.#state?.isDue(Date.now())) this.#dispatch();
  }

  get #settings(): Settings {
    return settingsOf(this.env);
  }

  #scope(): Scope {
    if (!this.#state)
      throw new Error(
        "this outbox has never stored a batch, so it does not know its webhook's team",
      );
    return coreFor(this.env, this.#state.teamId);
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
    const state = this.#state;
    if (!state || state.isDisabled || !this.#row.target(now)) return 0;
    if (state.circuit.kind === "closed") return WEBHOOK_CONNECTIONS;
    return state.circuit.kind === "open" && state.circuit.probeAt <= now ? 1 : 0;
  }

  async #post(batch: WaitingWebhookBatch): Promise<PostResult> {
    await crashPoint(this.env.CRASH_POINT_URL, "webhook_after_claim");
    const begun = Date.now();
    const target = this.#row.target(begun);
    // The target is missing if the webhook was deleted in the meantime.
    if (!this.#state || !target) return { isSuccess: false, settled: Promise.resolve() };
    const isProbe = this.#state.circuit.kind === "open";
    const position = this.#state.log.nextPosition(begun);
    const { body, eventId } = requestContent(this.#state.format, batch);
    const delivery = {
      url: target.row.url,
      batchId: batch.id,
      eventId,
      secrets: secretsInForce(target.secrets, begun),
      bodyAt: () => body,
    };
    const attempt = await postSigned(this.#settings, delivery, this.#postCaches);
    await crashPoint(this.env.CRASH_POINT_URL, "webhook_after_post");
    const isSuccess = attempt.kind === "answered" && attempt.isSuccess;
    return {
      isSuccess,
      settled: this.#settlements.add(
        { batch, attempt, begun, position, isProbe },
        // A failure is written at once, because the circuit must change before the next post
        // begins.
        (count) => !isSuccess || count >= this.waiting(),
      ),
    };
  }

  async #settle(ended: readonly EndedPosts[]): Promise<void> {
    const { retrySpeedup } = this.#settings;
    await this.#commit.run(() => this.#state?.settle(ended, Date.now(), retrySpeedup));
    this.#noteSoon();
  }

  /**
   * Sends a queue job, so that another invocation posts the due batches. If the job is lost, the
   * alarm sends a new job.
   */
  #dispatch(): void {
    const { teamId } = this.#state ?? {};
    if (teamId === undefined) return;
    const sent = this.env.WEBHOOK.send({ teamId, webhookId: this.#id });
    const unsent = (error: unknown): void => {
      logError("webhook_job_unsent", error, { webhook_id: this.#id });
      this.deliver();
    };
    this.ctx.waitUntil(sent.then(() => undefined, unsent));
  }

  #applyRow(row: WebhookRow): Promise<StatusChange | null> {
    return this.#commit.run(() => {
      const before = this.#state?.format;
      const change = this.#state?.applyRow(row, Date.now()) ?? null;
      // The batches in memory have the previous format, so they must be read again.
      if (this.#state?.format !== before) this.#sender.putBack();
      return change;
    });
  }

  /** Writes pending changes into the webhook's row if they are due. Otherwise sets the alarm. */
  #noteSoon(): void {
    const now = Date.now();
    const at = this.#state?.noteAt(this.#row.lastDeliveryAt, now) ?? Number.POSITIVE_INFINITY;
    if (at > now) return this.#alarm.wake(at);
    this.ctx.waitUntil(
      this.#row.sync().catch((error: unknown) => {
        logError("webhook_note_failed", error, { webhook_id: this.#id });
        this.#alarm.wake(Date.now() + RETRY_MS);
      }),
    );
  }

  /**
   * Runs at the end of each commit. While deliveries are stopped, forgets the batches whose post
   * has not begun. Sets the alarm to the next time at which the outbox has work.
   */
  #beforeCommit(): void {
    if (!this.#state) return;
    if (this.#state.isStopped) this.#sender.putBack();
    const now = Date.now();
    this.#report.touch(now);
    this.#alarm.wake(
      Math.min(this.#state.wakeAt(now, this.#settings.retrySpeedup), this.#report.dueAt),
    );
  }

  #afterRollback(): void {
    this.#alarm.reset();
    if (this.#destroyed) return;
    try {
      this.#state = OutboxState.load(this.ctx.storage, this.#id);
      this.#alarm.wake(this.#nextAlarm(Date.now()));
    } catch (error) {
      this.ctx.abort(`the outbox could not be reloaded: ${String(error)}`);
    }
  }

  #nextAlarm(now: number): number {
    if (!this.#state) return Number.POSITIVE_INFINITY;
    const noteAt = this.#state.noteAt(this.#row.lastDeliveryAt, now);
    const wakeAt = Math.min(
      this.#state.wakeAt(now, this.#settings.retrySpeedup),
      this.#report.dueAt,
    );
    return Math.max(
      Math.min(wakeAt, noteAt <= now ? now + RETRY_MS : noteAt),
      now + ALARM_SPACING_MS,
    );
  }
}
