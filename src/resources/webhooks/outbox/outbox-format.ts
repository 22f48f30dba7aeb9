// Keeps the format in which a webhook's outbox posts (contract.md §Formats): whole batches, or each
// event by itself. A batch that was taken in one format is split when it is claimed in the other,
// and is recognised in both, so a change of the format neither loses an event nor doubles one.
import type { NewWebhookBatch } from "../../../rpc/outbox-calls.ts";
import { splitIntoEvents } from "../single-events.ts";
import type { WebhookRow } from "../store.ts";
import type { OutboxRows } from "./outbox-rows.ts";
import type { WaitingBatch } from "./outbox-schema.ts";

type Format = WebhookRow["format"];

const FORMAT = "format";

export class OutboxFormat {
  readonly #storage: DurableObjectStorage;
  readonly #rows: OutboxRows;
  /** Undefined: the webhook never had another format than `batch`. */
  #kept: Format | undefined;

  constructor(storage: DurableObjectStorage, rows: OutboxRows) {
    this.#storage = storage;
    this.#rows = rows;
    this.#kept = storage.kv.get<Format>(FORMAT);
  }

  get current(): Format {
    return this.#kept ?? "batch";
  }

  change(format: Format): void {
    if (format === this.current) return;
    this.#kept = format;
    this.#storage.kv.put<Format>(FORMAT, format);
  }

  /** Returns what to store of a batch that is handed over: nothing if it came before. */
  arriving(batch: NewWebhookBatch): readonly NewWebhookBatch[] {
    if (this.#kept === undefined) return [batch];
    const events = splitIntoEvents(batch);
    const forms = [batch, ...events.slice(0, 1)];
    if (forms.some(({ id }) => this.#rows.has(id))) return [];
    return this.current === "resend" ? events : [batch];
  }

  /** Returns up to `limit` requests to post for batches that may be posted now. */
  claimed(batches: readonly WaitingBatch[], now: number, limit: number): readonly WaitingBatch[] {
    if (this.current === "batch") return batches;
    const requests: WaitingBatch[] = [];
    for (const batch of batches) {
      if (requests.length >= limit) break;
      requests.push(...(batch.eventCount === 1 ? [batch] : this.#split(batch, now)));
    }
    return requests.slice(0, limit);
  }

  #split(batch: WaitingBatch, now: number): readonly WaitingBatch[] {
    return this.#storage.transactionSync(() =>
      this.#rows.replace(batch, splitIntoEvents(batch), now),
    );
  }
}
