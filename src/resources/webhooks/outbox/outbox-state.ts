// Stores one webhook's outbox on disk. Changes it when batches arrive, when attempts end, when the
// webhook's row changes, and when time passes. Every method is one synchronous step of a
// transaction. circuit.ts and retry.ts have the rules.
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

/** If a due batch is not posted within this time, its queue job was lost. */
const JOB_WAIT_MS = 30_000;
const SWEEP_EVERY_MS = HOUR_MS;
/**
 * Minimum time between two updates of the last delivery's time in the webhook's row. A failed
 * update is also retried after this time.
 */
const NOTE_EVERY_MS = 60_000;
const STATE = "state";
const INITIAL_STATE: CircuitState = { circuit: CLOSED, published: true, url: null, status: null };

/** The value that is stored by the name STATE from the first batch on. */
interface State {
  readonly teamId: string;
  readonly circuitState: CircuitState;
}

export interface EndedPosts {
  readonly batch: WaitingWebhookBatch;
  readonly attempt: PostAttempt;
  /** Unix milliseconds. */
  readonly begun: number;
  /** The position of the attempt's log entry. */
  readonly position: number;
  /** True: the post began while the circuit was open. */
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

  /** Loads the outbox. Returns undefined if no batch was ever stored. */
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

  /** True if the last read of the webhook's row showed that a client has disabled the webhook. */
  get isDisabled(): boolean {
    return this.#circuitState.status === "disabled";
  }

  /** True while deliveries are stopped. Then the outbox sends only probes of an open circuit. */
  get isStopped(): boolean {
    return isStopped(this.#circuitState);
  }

  /** Adds arrived batches. Returns the number of new batches. */
  accept(batches: readonly NewWebhookBatch[], now: number, speedup: number): number {
    const expiresAt = now + divide(WEBHOOK_STOPPED_MS, speedup);
    const isTaken = (batch: NewWebhookBatch) => this.#acceptOne(batch, now, expiresAt);
    return batches.filter((batch) => this.#format.arriving(batch).filter(isTaken).length > 0)
      .length;
  }

  /**
   * Returns batches that may be posted now, except batches in `exclude`. If the circuit is not
   * closed, returns only the oldest batch, as a probe.
   */
  claim(now: number, exclude: ReadonlySet<number>, limit: number): readonly WaitingWebhookBatch[] {
    if (this.circuit.kind === "closed")
      return this.#format.claimed(this.rows.due(now, exclude, limit), now, limit);
    const oldest = this.rows.oldest(now);
    return oldest && !exclude.has(oldest.seq) ? this.#format.claimed([oldest], now, 1) : [];
  }

  /** Returns a batch with its log entries, or null if no batch with this id is stored. */
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
   * row, or null if it needs no changes.
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
   * Returns when a change must be written into the webhook's row, Unix milliseconds, or Infinity if
   * no change is pending. `known` is the last delivery's time in the row.
   */
  noteAt(known: number | null, now: number): number {
    if (!this.#circuitState.published) return now;
    return this.#lastDeliveryAt > (known ?? 0)
      ? Math.max(now, (known ?? 0) + NOTE_EVERY_MS)
      : Number.POSITIVE_INFINITY;
  }

  /** Gives up an outage that lasted too long. Drops expired batches and old log entries. */
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
    // If more expired batches are left, the next sweep follows soon.
    this.#sweepAt =
      expired.length < EXPIRIES_PER_ROUND ? now + divide(SWEEP_EVERY_MS, speedup) : undefined;
  }

  /**
   * Returns the time of the next alarm, or Infinity. Does not include changes to the webhook's row
   * (noteAt()). Batches that are due now should be posted before this time.
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

  /** Returns whether a batch may be posted now. */
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
   * Changes the circuit. If the circuit opens or closes, the webhook's row must show this change.
   * If it closes, waiting batches go out.
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
   * Returns the time of the batch's next attempt, or null. While the circuit is open, only the
   * probe's batch has a planned attempt.
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
