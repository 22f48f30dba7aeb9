// The messages of a webhook outbox's queue, and the arguments and results of WebhookOutbox's RPC
// methods.

/** A job names only the outbox, which knows what is due. */
export interface WebhookJob {
  readonly teamId: string;
  readonly webhookId: string;
}

/** A request's body. It is made once, and every attempt sends these bytes. */
export interface NewBatch {
  /**
   * Has at most 64 characters. A batch with the same id is the same batch, however often it is handed
   * over.
   */
  readonly id: string;
  readonly eventCount: number;
  readonly body: string;
}

export interface Enqueued {
  /** Number of batches that were new. */
  readonly stored: number;
}

export type DeliveryOutcome = "delivered" | "failed" | "dropped";

/** Why no response was completed, or why a batch was given up. */
export type DeliveryError = "unreachable" | "timed_out" | "expired" | "backlog_full";

/** An entry of the delivery log: an attempt, or the end of a batch that was given up. */
export interface LoggedDelivery {
  /** Orders the entries by the time of their attempts; unique within the webhook. */
  readonly position: number;
  readonly batchId: string;
  /** Counted from 1; for a dropped batch, the number of its attempts. */
  readonly attempt: number;
  /** Unix milliseconds. */
  readonly attemptedAt: number;
  readonly outcome: DeliveryOutcome;
  readonly statusCode: number | null;
  readonly latencyMs: number | null;
  readonly error: DeliveryError | null;
  readonly eventCount: number;
  /** Unix milliseconds; null: no attempt is planned. */
  readonly nextAttemptAt: number | null;
}
