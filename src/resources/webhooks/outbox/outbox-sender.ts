// Posts the due batches of one receiver, a few at once (docs/architecture.md §Events to webhooks):
// takes batches as long as there is room, and the next one when a post is over. The posts under way
// are kept in memory alone, since the sender dies with this memory: after a restart every batch
// that has not ended is due again.
import { logError } from "../../../lib/log.ts";
import type { WaitingBatch } from "./outbox-schema.ts";

/** How many posts one invocation begins: each is a subrequest of it, and those are limited. */
const POSTS_PER_RUN = 500;
/**
 * A batch is settled while the next is under way; with so many that are not, the disk has the word.
 */
const UNSETTLED = 200;
const CLAIMED_AT_ONCE = 100;
/** After a fault of ours. */
const FAULT_PAUSE_MS = 10_000;

/** What became of a post. `settled`: it is noted on disk; rejects when it is not. */
export interface Posted {
  readonly isSuccess: boolean;
  readonly settled: Promise<void>;
}

interface Hooks {
  /** How many posts may be under way now. */
  readonly room: () => number;
  /**
   * What may be posted now, but for the batches of those numbers; at most `limit`, and fewer large
   * ones.
   */
  readonly claim: (exclude: ReadonlySet<number>, limit: number) => readonly WaitingBatch[];
  /** Rejects for a fault of ours alone. */
  readonly post: (batch: WaitingBatch) => Promise<Posted>;
  /** This invocation has done its share, and more is due. */
  readonly handOver: () => void;
}

export class OutboxSender {
  readonly #hooks: Hooks;
  /** Batches from the beginning of their post until they are settled. */
  readonly #claimed = new Set<number>();
  #ready: readonly WaitingBatch[] = [];
  #posting = 0;
  #left = 0;
  #pausedUntil = 0;
  #idle = Promise.withResolvers<void>();

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  get isIdle(): boolean {
    return this.#claimed.size === 0;
  }

  /** Begins to post, or goes on. Resolves when nothing is under way any more. */
  run(): Promise<void> {
    if (this.isIdle) {
      this.#idle = Promise.withResolvers();
      // What was claimed some time ago may have ended since.
      this.putBack();
    }
    this.#left = POSTS_PER_RUN;
    this.#fill();
    if (this.isIdle) this.#idle.resolve();
    return this.#idle.promise;
  }

  /** What was claimed and has not begun is no longer to be posted, or not yet. */
  putBack(): void {
    this.#ready = [];
  }

  #fill(): void {
    if (Date.now() < this.#pausedUntil) return;
    while (this.#left > 0 && this.#posting < this.#hooks.room() && this.#claimed.size < UNSETTLED) {
      if (this.#ready.length === 0) this.#ready = this.#hooks.claim(this.#claimed, CLAIMED_AT_ONCE);
      const [batch, ...rest] = this.#ready;
      if (!batch) return;
      this.#ready = rest;
      this.#claimed.add(batch.seq);
      this.#posting += 1;
      void this.#deliver(batch);
      this.#left -= 1;
      if (this.#left === 0) this.#hooks.handOver();
    }
  }

  async #deliver(batch: WaitingBatch): Promise<void> {
    let isSuccess = false;
    try {
      const posted = await this.#hooks.post(batch);
      // After a failure the circuit decides first whether there is another.
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
