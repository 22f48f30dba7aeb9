// The calls of a webhook's outbox, with their arguments and results.

/** A request's body. It is made once, and every attempt sends these bytes. */
export interface NewWebhookBatch {
  /**
   * Has at most 64 characters. A batch with the same id is the same batch, however often it is
   * handed over.
   */
  readonly id: string;
  readonly eventCount: number;
  readonly body: string;
}

export interface Enqueued {
  /** Number of batches that were new. */
  readonly stored: number;
}

export type WebhookDeliveryOutcome = "delivered" | "failed" | "dropped";

/** Why no response was completed, or why a batch was given up. */
export type WebhookDeliveryError = "unreachable" | "timed_out" | "expired" | "backlog_full";

/** An entry of the delivery log: an attempt, or the end of a batch that was given up. */
export interface WebhookDeliveryEntry {
  /** Orders the entries by the time of their attempts; unique within the webhook. */
  readonly position: number;
  readonly batchId: string;
  /** Counted from 1; for a dropped batch, the number of its attempts. */
  readonly attempt: number;
  /** Unix milliseconds. */
  readonly attemptedAt: number;
  readonly outcome: WebhookDeliveryOutcome;
  readonly statusCode: number | null;
  readonly latencyMs: number | null;
  readonly error: WebhookDeliveryError | null;
  readonly eventCount: number;
  /** Unix milliseconds; null: no attempt is planned. */
  readonly nextAttemptAt: number | null;
}

/** An entry of the delivery log with the receiver's reply. */
export interface WebhookDeliveryReply extends WebhookDeliveryEntry {
  /** The start of the reply's body. Null for a delivered batch, or without a reply. */
  readonly reply: string | null;
}

/** A batch as far as the outbox keeps it. */
export interface StoredWebhookBatch {
  readonly eventCount: number;
  /** Null after the batch's end. */
  readonly body: string | null;
  /** Oldest first. */
  readonly entries: readonly WebhookDeliveryReply[];
}

/** One webhook's outbox: the batches that are still to be sent to it. */
export interface WebhookOutboxCalls {
  /**
   * Stores each batch once, however often it is handed over; the answer means that they are on
   * disk. `begin`: starts to post them too, without waiting for it.
   */
  enqueue(teamId: string, batches: readonly NewWebhookBatch[], begin?: boolean): Promise<Enqueued>;
  /** Returns how many batches are neither delivered nor given up. */
  waiting(): number;
  /** Sets a lost alarm again. */
  restoreAlarm(): void;
  /** Starts to post what is due; returns at once. */
  deliver(): void;
  /** Reads the webhook's row again after a change. Rejects when the database does not answer. */
  changed(): Promise<void>;
  /**
   * Returns up to `limit` entries of the delivery log before a position, newest first; null: from
   * the newest.
   */
  deliveries(limit: number, before: number | null): WebhookDeliveryEntry[];
  /** Returns a batch with its entries of the log, or null for an id that is not kept. */
  batch(id: string): StoredWebhookBatch | null;
  /** Deletes everything, because the webhook is deleted. Later batches are refused. */
  destroy(): Promise<void>;
}
