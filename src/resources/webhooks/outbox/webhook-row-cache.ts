// Keeps an outbox's copy of its webhook's row in D1: the URL, the secrets and the status
// (docs/architecture.md §Events to webhooks). Reads and writes run in sequence, so a read never
// returns an older row than the previous read.
import type { OpenSecrets } from "../webhook-secret.ts";
import type { WebhookRow } from "../store.ts";

/**
 * Time after which the outbox reads the row again. After a change of the row, a call usually makes
 * the outbox read it at once.
 */
const FRESH_MS = 60_000;
/** Time for which the last row that was read may be used if the database does not answer. */
const USABLE_MS = 120_000;
/**
 * Maximum number of status changes that one sync writes. It is low, because the circuit changes
 * only a few times during a sync.
 */
const CHANGES_AT_ONCE = 3;

/** The facts that the outbox writes into its webhook's row. */
export interface StatusChange {
  /** The webhook's status to write. Null: the row already has the right status. */
  readonly status: WebhookRow["status"] | null;
  /** The last delivery's time to write, Unix milliseconds. Null: the row already has it. */
  readonly lastDeliveryAt: number | null;
}

export interface PostTarget {
  readonly row: WebhookRow;
  readonly secrets: OpenSecrets;
}

interface WatchDependencies {
  /** Reads the webhook's row. Returns undefined if the webhook was deleted. */
  readonly read: () => Promise<WebhookRow | undefined>;
  readonly write: (change: StatusChange) => Promise<WebhookRow | undefined>;
  readonly open: (row: WebhookRow) => Promise<OpenSecrets>;
  /** Applies the row to the outbox. Returns the changes to write into the row, or null. */
  readonly applyRow: (row: WebhookRow) => Promise<StatusChange | null>;
  readonly onDeleted: () => Promise<void>;
}

export class WebhookRowCache {
  readonly #using: WatchDependencies;
  #target: PostTarget | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;

  constructor(using: WatchDependencies) {
    this.#using = using;
  }

  isFresh(now: number): boolean {
    return this.#target !== undefined && now < this.#readAt + FRESH_MS;
  }

  /**
   * Returns the row that deliveries use. Returns undefined if the row was never read, or if the
   * last read is too old.
   */
  target(now: number): PostTarget | undefined {
    return now < this.#readAt + USABLE_MS ? this.#target : undefined;
  }

  /** The time of the last delivery in the row at the last read. */
  get lastDeliveryAt(): number | null {
    return this.#target?.row.lastDeliveryAt ?? null;
  }

  forget(): void {
    this.#target = undefined;
  }

  /** Reads the row, and writes pending changes into it. Rejects if the database does not answer. */
  sync(): Promise<void> {
    // Calls that arrive before the next read begins share that read.
    this.#nextSync ??= this.#syncing.then(() => {
      this.#nextSync = undefined;
      return this.#syncOnce();
    });
    this.#syncing = this.#nextSync.catch(() => undefined);
    return this.#nextSync;
  }

  async #syncOnce(): Promise<void> {
    let readAt = Date.now();
    let row = await this.#using.read();
    for (let round = 0; ; round += 1) {
      if (!row) return this.#using.onDeleted();
      this.#target = { row, secrets: await this.#using.open(row) };
      this.#readAt = readAt;
      const change = await this.#using.applyRow(row);
      if (!change || round === CHANGES_AT_ONCE) return;
      readAt = Date.now();
      row = await this.#using.write(change);
    }
  }
}
