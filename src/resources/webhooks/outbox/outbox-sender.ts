// Posts the due batches of one webhook, a few at a time (docs/architecture.md §Events to webhooks).
// Takes the next due batch when a further post may run. Stores running posts only in memory,
// because a restart ends them anyway. After a restart, every batch that has not ended is due again.
import { logError } from "../../../lib/log.ts";
import type { WaitingWebhookBatch } from "./outbox-schema.ts";

/**
 * Maximum number of posts in one invocation. Each post is a subrequest, and the platform limits
 * subrequests per invocation.
 */
const POSTS_PER_RUN = 500;
/**
 * Maximum number of ended posts whose results are not on disk yet. The outbox writes a result while
 * it posts the next batch. At this number, the next post waits for the disk.
 */
const UNSETTLED = 200;
const CLAIMED_AT_ONCE = 100;
/** The pause after a fault of the service itself. */
const FAULT_PAUSE_MS = 10_000;

/** A post's result. `settled` resolves when it is on disk, and rejects if the write fails. */
export interface PostResult {
  readonly isSuccess: boolean;
  readonly settled: Promise<void>;
}

interface SenderDependencies {
  /** Returns the maximum number of posts that may now run in parallel. */
  readonly room: () => number;
  /**
   * Returns batches that may be posted now, except batches with the given keys. Returns at most
   * `limit` batches, or fewer if they are large.
   */
  readonly claim: (exclude: ReadonlySet<number>, limit: number) => readonly WaitingWebhookBatch[];
  /** Posts a batch. Rejects only for a fault of the service itself. */
  readonly post: (batch: WaitingWebhookBatch) => Promise<PostResult>;
  /** Starts another invocation. It is called when this invocation has made its maximum of posts. */
  readonly handOver: () => void;
}

export class OutboxSender {
  readonly #using: SenderDependencies;
  /** The keys of batches whose post has begun, and whose result is not on disk yet. */
  readonly #claimed = new Set<number>();
  #ready: readonly WaitingWebhookBatch[] = [];
  #posting = 0;
  #left = 0;
  #pausedUntil = 0;
  #idle = Promise.withResolvers<void>();

  constructor(using: SenderDependencies) {
    this.#using = using;
  }

  get isIdle(): boolean {
    return this.#claimed.size === 0;
  }

  /** Begins or continues to post. Resolves when all posts have ended. */
  run(): Promise<void> {
    if (this.isIdle) {
      this.#idle = Promise.withResolvers();
      // The batches in memory may have ended since the previous run.
      this.putBack();
    }
    this.#left = POSTS_PER_RUN;
    this.#fill();
    if (this.isIdle) this.#idle.resolve();
    return this.#idle.promise;
  }

  /** Forgets the batches whose post has not begun, because they must not be posted now. */
  putBack(): void {
    this.#ready = [];
  }

  #fill(): void {
    if (Date.now() < this.#pausedUntil) return;
    while (this.#left > 0 && this.#posting < this.#using.room() && this.#claimed.size < UNSETTLED) {
      if (this.#ready.length === 0) this.#ready = this.#using.claim(this.#claimed, CLAIMED_AT_ONCE);
      const [batch, ...rest] = this.#ready;
      if (!batch) return;
      this.#ready = rest;
      this.#claimed.add(batch.seq);
      this.#posting += 1;
      void this.#deliver(batch);
      this.#left -= 1;
      if (this.#left === 0) this.#using.handOver();
    }
  }

  async #deliver(batch: WaitingWebhookBatch): Promise<void> {
    let isSuccess = false;
    try {
      const posted = await this.#using.post(batch);
      // After a failure, the slot stays occupied until the circuit has decided whether another post
      // may begin.
      isSuccess = posted.isSuccess;
      if (isSuccess) this.#freeSlot();
      await posted.settled;
    } catch (error) {
      this.#pausedUntil = Date.now() + FAULT_PAUSE_MS;
      logError("webhook_delivery_fault", error, { batch_id: batch.id });
    }
    this.#claimed.delete(batch.seq);
    if (!isSuccess) this.#freeSlot();
    else this.#fill();
    if (this.isIdle) this.#idle.resolve();
  }

  #freeSlot(): void {
    this.#posting -= 1;
    this.#fill();
  }
}
