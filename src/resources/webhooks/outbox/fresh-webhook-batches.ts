// Keeps newly arrived batches in memory, because most batches are posted immediately
// (docs/storage.md §A webhook's batch). The row of a fresh batch is not in the index of due batches
// (outbox-schema.ts). So most batches cost only two row writes: at arrival and at delivery. A batch
// that is not posted immediately is added to the index.
import { keyAt, type WaitingWebhookBatch } from "./outbox-schema.ts";

/**
 * Maximum number of batches, and of their characters, in memory. The limits are low, because few
 * posts run at the same time. All other batches are read from their rows.
 */
const FRESH_BATCHES = 1_000;
const FRESH_CHARACTERS = 1024 * 1024;
/**
 * The name of a stored value: the key below which no batch is fresh. The object saves the value
 * every ROWS_PER_SAVE rows. After a restart, it reads all rows from this key on.
 */
const FRESH_FROM = "fresh_from";
const ROWS_PER_SAVE = 1_000;
const FRESH = "seq >= ? AND due_at IS NULL AND ended_at IS NULL";

export class FreshWebhookBatches {
  readonly #sql: SqlStorage;
  readonly #kv: SyncKvStorage;
  /** The batches in memory by key, in the order of their keys. */
  readonly #batches = new Map<number, WaitingWebhookBatch>();
  #characters = 0;
  /** Number of rows written since FRESH_FROM was last saved. */
  #unsavedRows = 0;

  /** Indexes the batches that were in memory before a restart. `lastKey`: key of the last batch. */
  constructor({ sql, kv }: DurableObjectStorage, lastKey: number) {
    this.#sql = sql;
    this.#kv = kv;
    const from = kv.get<number>(FRESH_FROM) ?? 0;
    this.#indexFrom(from);
    const behind = "SELECT count(*) AS count FROM batches WHERE seq >= ?";
    this.#unsavedRows = sql.exec<{ count: number }>(behind, from).one().count;
    if (this.#unsavedRows >= ROWS_PER_SAVE) this.#saveFrom(lastKey);
  }

  get count(): number {
    return this.#batches.size;
  }

  /** The key of the oldest batch in memory. Infinity: no batch is in memory. */
  get firstKey(): number {
    return this.#batches.keys().next().value ?? Number.POSITIVE_INFINITY;
  }

  /** When the oldest batch in memory is due, Unix milliseconds. Infinity: no batch is in memory. */
  get firstDueAt(): number {
    return this.#batches.values().next().value?.dueAt ?? Number.POSITIVE_INFINITY;
  }

  hasRoomFor(body: string): boolean {
    return this.#batches.size < FRESH_BATCHES && this.#characters + body.length <= FRESH_CHARACTERS;
  }

  keep(batch: WaitingWebhookBatch): void {
    this.#batches.set(batch.seq, batch);
    this.#characters += batch.body.length;
  }

  /**
   * Counts the row of a new batch. Must be called for every new batch, even if it is not in memory.
   */
  countRow(lastKey: number): void {
    this.#unsavedRows += 1;
    if (this.#unsavedRows >= ROWS_PER_SAVE) this.#saveFrom(lastKey);
  }

  /** Removes a batch from memory. Returns false if the batch was not in memory. */
  forget(seq: number): boolean {
    this.#characters -= this.#batches.get(seq)?.body.length ?? 0;
    return this.#batches.delete(seq);
  }

  /** Returns up to `limit` of the oldest batches in memory, except those in `exclude`. */
  list(exclude: ReadonlySet<number>, limit: number): WaitingWebhookBatch[] {
    const found: WaitingWebhookBatch[] = [];
    for (const batch of this.#batches.values()) {
      if (found.length === limit) break;
      if (!exclude.has(batch.seq)) found.push(batch);
    }
    return found;
  }

  /**
   * Removes all batches from memory, and adds them to the index of due batches, because they are
   * not posted immediately.
   */
  indexAll(): void {
    if (this.#batches.size === 0) return;
    this.#indexFrom(this.firstKey);
    this.#batches.clear();
    this.#characters = 0;
  }

  #indexFrom(key: number): void {
    const found = this.#sql.exec(
      `INSERT INTO bodies SELECT seq, body FROM batches WHERE ${FRESH}`,
      key,
    );
    if (found.rowsWritten > 0)
      this.#sql.exec(
        `UPDATE batches SET due_at = seq / ${keyAt(1)}, body = NULL WHERE ${FRESH}`,
        key,
      );
  }

  #saveFrom(lastKey: number): void {
    this.#kv.put(FRESH_FROM, this.#batches.size === 0 ? lastKey + 1 : this.firstKey);
    this.#unsavedRows = 0;
  }
}
