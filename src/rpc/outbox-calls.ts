// The calls of a webhook's outbox, with their arguments and results.

/** A request's body. It is made once, and every attempt sends the same bytes. */
export interface NewWebhookBatch {
  /**
   * The batch's id, of at most 64 characters. A batch whose id is already known is not stored
   * again.
   */
  readonly id: string;
  readonly eventCount: number;
  readonly body: string;
}

export interface EnqueueResult {
  /** Number of batches that were new. */
  readonly stored: number;
}

export type WebhookDeliveryOutcome = "delivered" | "failed" | "dropped";

/** The reason why a response was not completed, or why a batch was dropped. */
export type WebhookDeliveryError = "unreachable" | "timed_out" | "expired" | "backlog_full";

/** An entry of the delivery log: an attempt, or the drop of a batch. */
export interface WebhookDeliveryEntry {
  /**
   * Entries are sorted by this number, in the order of their attempts. It is unique within the
   * webhook.
   */
  readonly position: number;
  readonly batchId: string;
  /** The attempt's number, counted from 1. For a dropped batch: the number of its attempts. */
  readonly attempt: number;
  /** Unix milliseconds. */
  readonly attemptedAt: number;
  readonly outcome: WebhookDeliveryOutcome;
  readonly statusCode: number | null;
  readonly latencyMs: number | null;
  readonly error: WebhookDeliveryError | null;
  readonly eventCount: number;
  /** When the next attempt is planned, Unix milliseconds. Null: no attempt is planned. */
  readonly nextAttemptAt: number | null;
}

/** An entry of the delivery log, with the receiver's reply. */
export interface WebhookDeliveryReply extends WebhookDeliveryEntry {
  /** The beginning of the reply's body. Null for a delivered batch, or if there was no reply. */
  readonly reply: string | null;
}

/** The facts that the outbox keeps about a batch. */
export interface StoredWebhookBatch {
  readonly eventCount: number;
  /** The body of the batch's requests. Null: the batch has ended. */
  readonly body: string | null;
  /** Oldest first. */
  readonly entries: readonly WebhookDeliveryReply[];
}

/** One webhook's outbox: it keeps the batches that must still be sent to the webhook. */
export interface WebhookOutboxCalls {
  /**
   * Stores batches. A batch that is passed again is stored only once. The batches are on disk when
   * this resolves. `begin`: also starts to post them, without waiting for the posts.
   */
  enqueue(
    teamId: string,
    batches: readonly NewWebhookBatch[],
    begin?: boolean,
  ): Promise<EnqueueResult>;
  /** Returns the number of batches that are neither delivered nor dropped. */
  waiting(): number;
  /** Sets the outbox's alarm again if it was lost. */
  restoreAlarm(): void;
  /** Starts to post due batches. Returns at once. */
  deliver(): void;
  /** Reads the webhook's row again after a change. Rejects if the database does not answer. */
  changed(): Promise<void>;
  /**
   * Returns up to `limit` entries of the delivery log before the position `before`, newest first.
   * `before` null: begins with the newest entry.
   */
  deliveries(limit: number, before: number | null): WebhookDeliveryEntry[];
  /** Returns a batch with its log entries. Null: no batch with this id is kept. */
  batch(id: string): StoredWebhookBatch | null;
  /** Deletes everything, because the webhook is deleted. Later batches are refused. */
  destroy(): Promise<void>;
}
