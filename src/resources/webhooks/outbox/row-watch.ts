// An outbox's view of its webhook's row in D1: where to deliver, signed with what, and whether
// (docs/architecture.md §Events to webhooks). Reads and notes go one after the other, so that the
// last read is never older than the one before.
import type { OpenSecrets } from "../webhook-secret.ts";
import type { WebhookRow } from "../store.ts";

/** How long a row is taken as it was read; a change that the outbox is told of holds at once. */
const FRESH_MS = 10_000;
/** How long it is taken while the database does not answer. */
const USABLE_MS = 60_000;
/** A circuit moves a few times at most while it is being noted. */
const NOTES_AT_ONCE = 3;

/** What the row does not know yet. */
export interface Note {
  /** null: it knows. */
  readonly status: WebhookRow["status"] | null;
  /** Unix milliseconds; null: it knows. */
  readonly lastDeliveryAt: number | null;
}

export interface PostTarget {
  readonly row: WebhookRow;
  readonly secrets: OpenSecrets;
}

interface Hooks {
  /** Undefined: the webhook is deleted. */
  readonly read: () => Promise<WebhookRow | undefined>;
  readonly note: (note: Note) => Promise<WebhookRow | undefined>;
  readonly open: (row: WebhookRow) => Promise<OpenSecrets>;
  /** Heeds the row; returns what it is to be told, null: nothing. */
  readonly applyRow: (row: WebhookRow) => Promise<Note | null>;
  readonly onDeleted: () => Promise<void>;
}

export class RowWatch {
  readonly #hooks: Hooks;
  #target: PostTarget | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #syncing: Promise<void> = Promise.resolve();
  #nextSync: Promise<void> | undefined;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  isFresh(now: number): boolean {
    return this.#target !== undefined && now < this.#readAt + FRESH_MS;
  }

  /** Undefined: it was never read, or too long ago. */
  target(now: number): PostTarget | undefined {
    return now < this.#readAt + USABLE_MS ? this.#target : undefined;
  }

  /** When something was last delivered, as far as the row is known to say. */
  get lastDeliveryAt(): number | null {
    return this.#target?.row.lastDeliveryAt ?? null;
  }

  forget(): void {
    this.#target = undefined;
  }

  /**
   * Reads the row as it is now or later, and notes in it what it does not know. Rejects when the
   * database does not answer.
   */
  sync(): Promise<void> {
    // A reading that has not begun will do for everyone who comes before it does.
    this.#nextSync ??= this.#syncing.then(() => {
      this.#nextSync = undefined;
      return this.#syncOnce();
    });
    this.#syncing = this.#nextSync.catch(() => undefined);
    return this.#nextSync;
  }

  async #syncOnce(): Promise<void> {
    let readAt = Date.now();
    let row = await this.#hooks.read();
    for (let round = 0; ; round += 1) {
      if (!row) return this.#hooks.onDeleted();
      this.#target = { row, secrets: await this.#hooks.open(row) };
      this.#readAt = readAt;
      const note = await this.#hooks.applyRow(row);
      if (!note || round === NOTES_AT_ONCE) return;
      readAt = Date.now();
      row = await this.#hooks.note(note);
    }
  }
}
