// The calls of a webhook's outbox, with their arguments and results.

/** A webhook batch to send. Every attempt sends the same body. */
export interface NewWebhookBatch {
  /**
   * The batch's id, of at most 64 characters. The outbox ignores a batch whose id it already knows.
   */
  readonly id: string;
  readonly eventCount: number;
  readonly body: string;
}

export interface EnqueueResult {
  /** Number of new batches, which the outbox stored. */
  readonly stored: number;
}

/** The reason why an attempt got no complete response, or why a batch was dropped. */
export type WebhookDeliveryError = "unreachable" | "timed_out" | "expired" | "backlog_full";

/** An entry of the delivery log: an attempt, or the drop of a batch. */
export interface WebhookDeliveryEntry {
  /** The entry's number in the order of the attempts, unique within the webhook. */
  readonly position: number;
  readonly batchId: string;
  /**
   * The attempt's number, counted from 1. The entry of a dropped batch has the number of attempts
   * made.
   */
  readonly attempt: number;
  /** Unix milliseconds. */
  readonly attemptedAt: number;
  readonly outcome: "delivered" | "failed" | "dropped";
  readonly statusCode: number | null;
  readonly latencyMs: number | null;
  readonly error: WebhookDeliveryError | null;
  readonly eventCount: number;
  /** When the next attempt is planned, Unix milliseconds. Null: no attempt is planned. */
  readonly nextAttemptAt: number | null;
}

/** An entry of the delivery log, with the response's body. */
export interface WebhookDeliveryReply extends WebhookDeliveryEntry {
  /**
   * The beginning of the response's body. Null: the batch was delivered, or the endpoint did not
   * respond.
   */
  readonly reply: string | null;
}

/** A batch in the outbox. */
export interface StoredWebhookBatch {
  readonly eventCount: number;
  /** The body of the batch's requests. Null: the batch was delivered or dropped. */
  readonly body: string | null;
  /** Oldest first. */
  readonly entries: readonly WebhookDeliveryReply[];
}

/** One webhook's outbox: it keeps the batches that must still be sent to the webhook. */
export interface WebhookOutboxCalls {
  /**
   * Stores batches durably, each batch once. If `begin` is true, also starts to post them, without
   * waiting for the posts.
   */
  enqueue(
    teamId: string,
    batches: readonly NewWebhookBatch[],
    begin?: boolean,
  ): Promise<EnqueueResult>;
  /** Returns the number of batches that are neither delivered nor dropped. */
  waiting(): number;
  /** Sets the outbox's alarm if the alarm was lost. */
  restoreAlarm(): void;
  /** Starts to post due batches. Returns at once. */
  deliver(): void;
  /** Reloads the webhook's row after a change. Rejects if the database does not answer. */
  changed(): Promise<void>;
  /**
   * Returns up to `limit` entries of the delivery log with positions below `before`, newest first.
   * If `before` is null, begins with the newest entry.
   */
  deliveries(limit: number, before: number | null): WebhookDeliveryEntry[];
  /** Returns a batch with its log entries, or null if the outbox has no batch with this id. */
  batch(id: string): StoredWebhookBatch | null;
  /** Deletes all data of a webhook that is being deleted. The outbox refuses further batches. */
  destroy(): Promise<void>;
}
