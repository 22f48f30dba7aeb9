// Holds one webhook's outbox on disk, and changes it when batches arrive, attempts end, the
// webhook's row changes or time passes. Every method is one synchronous step inside a transaction.
// The pure files beside it have the rules of circuit and retries.
import { logWarning } from "../../../lib/log.ts";
import { HOUR_MS, WEBHOOK_STOPPED_MS } from "../../../limits.ts";
import {
  afterAttempt,
  afterTime,
  type Circuit,
  CLOSED,
  isStopped,
  outageEnd,
  reconcile,
  type CircuitState,
  statusOf,
} from "./circuit.ts";
import type {
  WebhookDeliveryError,
  StoredWebhookBatch,
  NewWebhookBatch,
} from "../../../rpc/outbox-calls.ts";
import { isInWebhookBatchRow, type LogEntry, OutboxLog } from "./outbox-log.ts";
import { OutboxFormat } from "./outbox-format.ts";
import { EXPIRIES_PER_ROUND, OutboxRows } from "./outbox-rows.ts";
import { openTables, type WaitingWebhookBatch } from "./outbox-schema.ts";
import type { PostAttempt } from "../post.ts";
import { nextAttempt, retriesEnd } from "./retry.ts";
import type { StatusChange } from "./webhook-row-cache.ts";
import { requestContent } from "../single-events.ts";
import type { WebhookRow } from "../store.ts";

/** If a batch has been due for this long and is not being posted, its queue job was lost. */
const JOB_WAIT_MS = 30_000;
const SWEEP_EVERY_MS = HOUR_MS;
/**
 * Minimum time between two updates of the time of the last delivery in the webhook's row. Also the
 * wait before a failed update is tried again.
 */
const NOTE_EVERY_MS = 60_000;
const STATE = "state";
const INITIAL_STATE: CircuitState = { circuit: CLOSED, published: true, url: null, status: null };

/** The state that is stored under STATE from the arrival of the first batch on. */
interface State {
  readonly teamId: string;
  readonly circuitState: CircuitState;
}

/** A post that has ended. */
export interface EndedPosts {
  readonly batch: WaitingWebhookBatch;
  readonly attempt: PostAttempt;
  /** Unix milliseconds. */
  readonly begun: number;
  /** The position of the attempt's entry in the log. */
  readonly position: number;
  /** True if the post began while the circuit was open. */
  readonly isProbe: boolean;
}

export class OutboxState {
  readonly teamId: string;
  readonly #webhookId: string;
  readonly #storage: DurableObjectStorage;
  readonly rows: OutboxRows;
  readonly log: OutboxLog;
  readonly #format: OutboxFormat;
  #circuitState: CircuitState;
  #lastDeliveryAt: number;
  #sweepAt: number | undefined;

  private constructor(
    storage: DurableObjectStorage,
    webhookId: string,
    { teamId, circuitState }: State,
  ) {
    this.teamId = teamId;
    this.#webhookId = webhookId;
    this.#storage = storage;
    openTables(storage.sql);
    this.rows = new OutboxRows(storage);
    this.log = new OutboxLog(storage);
    this.#format = new OutboxFormat(storage, this.rows);
    this.#circuitState = circuitState;
    this.#lastDeliveryAt = this.log.lastDelivery() ?? 0;
  }

  /** Loads the outbox. Undefined: nothing was ever stored. */
  static load(storage: DurableObjectStorage, webhookId: string): OutboxState | undefined {
    const state = storage.kv.get<State>(STATE);
    return state && new OutboxState(storage, webhookId, state);
  }

  static open(storage: DurableObjectStorage, webhookId: string, teamId: string): OutboxState {
    const state = { teamId, circuitState: INITIAL_STATE };
    storage.kv.put<State>(STATE, state);
    return new OutboxState(storage, webhookId, state);
  }

  get format(): WebhookRow["format"] {
    return this.#format.current;
  }

  get circuit(): Circuit {
    return this.#circuitState.circuit;
  }

  /** True if a client of the API has disabled the webhook, as far as the outbox knows. */
  get isDisabled(): boolean {
    return this.#circuitState.status === "disabled";
  }

  /** True while deliveries are held. Then only probes of an open circuit may go out. */
  get isStopped(): boolean {
    return isStopped(this.#circuitState);
  }

  /** Adds batches that arrived. Returns how many of them are new. */
  accept(batches: readonly NewWebhookBatch[], now: number, speedup: number): number {
    const expiresAt = now + divide(WEBHOOK_STOPPED_MS, speedup);
    const isTaken = (batch: NewWebhookBatch) => this.#acceptOne(batch, now, expiresAt);
    return batches.filter((batch) => this.#format.arriving(batch).filter(isTaken).length > 0)
      .length;
  }

  /**
   * Returns batches that may be posted now, except those in `exclude`. Unless the circuit is
   * closed, returns only the oldest batch, as a probe.
   */
  claim(now: number, exclude: ReadonlySet<number>, limit: number): readonly WaitingWebhookBatch[] {
    if (this.circuit.kind === "closed")
      return this.#format.claimed(this.rows.due(now, exclude, limit), now, limit);
    const oldest = this.rows.oldest(now);
    return oldest && !exclude.has(oldest.seq) ? this.#format.claimed([oldest], now, 1) : [];
  }

  /** Returns a batch with its log entries. Null: no batch with this id is kept. */
  batch(id: string, now: number): StoredWebhookBatch | null {
    const found = this.rows.find(id);
    if (!found) return null;
    const { events: eventCount, body } = found;
    const sent = body === null ? null : requestContent(this.format, { eventCount, body }).body;
    return { eventCount, body: sent, entries: this.log.entriesOf(id, now) };
  }

  /** Applies the results of posts, in the order in which the posts ended. */
  settle(all: readonly EndedPosts[], now: number, speedup: number): void {
    const delivered: EndedPosts[] = [];
    for (const ended of all) {
      const isSuccess = ended.attempt.kind === "answered" && ended.attempt.isSuccess;
      this.#moveCircuit(
        afterAttempt(this.circuit, isSuccess, ended.isProbe, {
          now,
          random: Math.random(),
          speedup,
        }),
        now,
      );
      if (isSuccess) delivered.push(ended);
      else this.#applyFailure(ended, now, speedup);
    }
    if (delivered.length > 0) this.#applyDelivered(delivered, now);
  }

  /**
   * Applies the state of the webhook's row to the outbox. Returns the changes to write into the
   * row. Null: the row needs no changes.
   */
  applyRow(
    row: Pick<WebhookRow, "url" | "status" | "format" | "lastDeliveryAt">,
    now: number,
  ): StatusChange | null {
    this.#format.change(row.format);
    const { state: circuitState, released } = reconcile(this.#circuitState, row);
    if (JSON.stringify(circuitState) !== JSON.stringify(this.#circuitState))
      this.#saveCircuitState(circuitState);
    if (released) this.rows.release(now);
    const lastDeliveryAt =
      this.#lastDeliveryAt > (row.lastDeliveryAt ?? 0) ? this.#lastDeliveryAt : null;
    const status = circuitState.published ? null : statusOf(circuitState.circuit);
    return status === null && lastDeliveryAt === null ? null : { status, lastDeliveryAt };
  }

  /**
   * When a change must be written into the webhook's row, Unix milliseconds. Infinity: nothing must
   * be written. `known`: the time of the last delivery that the row shows.
   */
  noteAt(known: number | null, now: number): number {
    if (!this.#circuitState.published) return now;
    return this.#lastDeliveryAt > (known ?? 0)
      ? Math.max(now, (known ?? 0) + NOTE_EVERY_MS)
      : Number.POSITIVE_INFINITY;
  }

  /**
   * Applies the passing of time: ends an outage, drops expired batches, and deletes old entries.
   */
  advanceTime(now: number, speedup: number): void {
    this.#moveCircuit(afterTime(this.circuit, now, speedup), now);
    this.rows.indexFresh();
    const expired = this.rows.expired(now);
    if (expired.length > 0) {
      const ended = this.rows.end(expired, now);
      this.#drop(
        expired.filter(({ seq }) => ended.has(seq)),
        "expired",
        now,
      );
    }
    if (now < (this.#sweepAt ?? 0)) return;
    this.log.sweep(now);
    this.rows.sweep(now);
    // If more batches must be dropped, the next sweep follows soon.
    this.#sweepAt =
      expired.length < EXPIRIES_PER_ROUND ? now + divide(SWEEP_EVERY_MS, speedup) : undefined;
  }

  /**
   * When the alarm must call the outbox again, apart from changes to the webhook's row (noteAt()).
   * Infinity: never. Batches that are due now are expected to be posted by that time.
   */
  wakeAt(now: number, speedup: number): number {
    const { circuit } = this;
    const soon = now + divide(JOB_WAIT_MS, speedup);
    const later = (at: number) => (at > now ? at : soon);
    const times = [this.rows.isEmpty ? Number.POSITIVE_INFINITY : later(this.#sweepAt ?? 0)];
    if (circuit.kind === "open") times.push(outageEnd(circuit.since, speedup));
    if (this.rows.waiting > 0 && !this.isDisabled) {
      if (circuit.kind === "closed") times.push(later(this.rows.nextDue()));
      if (circuit.kind === "open") times.push(later(circuit.probeAt));
    }
    return Math.min(...times);
  }

  /** True if something may be posted now. */
  isDue(now: number): boolean {
    if (this.rows.waiting === 0 || this.isDisabled) return false;
    const { circuit } = this;
    return (circuit.kind === "open" ? circuit.probeAt : this.rows.nextDue()) <= now;
  }

  #acceptOne(batch: NewWebhookBatch, now: number, expiresAt: number): boolean {
    const taken = this.rows.insert(batch, now, expiresAt, this.isStopped);
    if (taken === "refused") this.#drop([{ ...batch, attempts: 0 }], "backlog_full", now);
    return taken === "kept";
  }

  #saveCircuitState(circuitState: CircuitState): void {
    this.#circuitState = circuitState;
    if (this.isStopped) this.rows.indexFresh();
    this.#storage.kv.put<State>(STATE, { teamId: this.teamId, circuitState });
  }

  /**
   * Changes the circuit. If the circuit opens or closes, the webhook's row must show that. If it
   * closes, held batches go out.
   */
  #moveCircuit(circuit: Circuit, now: number): void {
    if (circuit === this.circuit) return;
    const isTurned = circuit.kind !== this.circuit.kind;
    this.#saveCircuitState({
      ...this.#circuitState,
      circuit,
      published: this.#circuitState.published && !isTurned,
    });
    if (!isTurned) return;
    logWarning("webhook_circuit", { webhook_id: this.#webhookId, circuit: circuit.kind });
    if (!this.isStopped) this.rows.release(now);
  }

  #applyDelivered(all: readonly EndedPosts[], now: number): void {
    const batches = all.map((one) => ({
      seq: one.batch.seq,
      entry: { ...entryOf(one), outcome: "delivered", nextAttemptAt: null } as const,
    }));
    const ended = this.rows.end(batches, now);
    const apart: LogEntry[] = [];
    for (const { seq, entry } of batches.filter((one) => ended.has(one.seq))) {
      if (isInWebhookBatchRow(seq, entry)) this.log.noteInRow(seq);
      else apart.push(entry);
    }
    this.log.add(apart);
    for (const { batch, begun, attempt } of all)
      if (ended.has(batch.seq))
        this.#lastDeliveryAt = Math.max(this.#lastDeliveryAt, begun + attempt.latencyMs);
  }

  #applyFailure(ended: EndedPosts, now: number, speedup: number): void {
    const { batch } = ended;
    const attempts = batch.attempts + 1;
    const end = attempts === 1 ? retriesEnd(ended.begun, speedup) : batch.expiresAt;
    const next = nextAttempt(attempts, end, now, Math.random(), speedup);
    const wasWaiting =
      next === null
        ? this.rows.end([batch], now).size > 0
        : this.rows.postpone(batch, attempts, next, end);
    if (!wasWaiting) return;
    const nextAttemptAt = next === null ? null : this.#plannedAttempt(ended, next, end);
    const reply = ended.attempt.kind === "answered" ? ended.attempt.preview : null;
    this.log.add([{ ...entryOf(ended), outcome: "failed", nextAttemptAt, reply }]);
    if (next === null) this.#drop([{ ...batch, attempts }], "expired", now);
  }

  /**
   * When the batch is tried next. While the webhook's circuit is open, only the batch that probes
   * the receiver has such a time.
   */
  #plannedAttempt(ended: EndedPosts, next: number, end: number): number | null {
    if (this.circuit.kind === "closed") return next;
    return this.circuit.kind === "open" && ended.isProbe && this.circuit.probeAt <= end
      ? this.circuit.probeAt
      : null;
  }

  #drop(
    batches: readonly Pick<WaitingWebhookBatch, "id" | "eventCount" | "attempts">[],
    error: WebhookDeliveryError,
    now: number,
  ): void {
    this.log.addDropped(batches, error, now);
    for (const { id, attempts } of batches)
      logWarning("webhook_batch_dropped", {
        webhook_id: this.#webhookId,
        batch_id: id,
        attempts,
        error,
      });
  }
}

function entryOf({ batch, attempt, position }: EndedPosts) {
  const answered = attempt.kind === "answered";
  return {
    position,
    batchId: batch.id,
    attempt: batch.attempts + 1,
    statusCode: answered ? attempt.status : null,
    latencyMs: attempt.latencyMs,
    error: answered ? null : attempt.kind,
    eventCount: batch.eventCount,
  };
}

function divide(wait: number, speedup: number): number {
  return Math.max(1, Math.floor(wait / speedup));
}
