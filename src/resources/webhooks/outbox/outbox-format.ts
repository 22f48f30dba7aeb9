// Stores the format in which a webhook's outbox posts (contract.md §Formats): whole batches, or one
// event per request. If the format changes after a batch arrived, the batch is split before it is
// posted. The outbox recognises a repeated batch in both formats. So a change of the format does
// not lose or duplicate events.
import type { NewWebhookBatch } from "../../../rpc/outbox-calls.ts";
import { splitIntoEvents } from "../single-events.ts";
import type { WebhookRow } from "../store.ts";
import type { OutboxRows } from "./outbox-rows.ts";
import type { WaitingWebhookBatch } from "./outbox-schema.ts";

type Format = WebhookRow["format"];

const FORMAT = "format";

export class OutboxFormat {
  readonly #storage: DurableObjectStorage;
  readonly #rows: OutboxRows;
  /** The format in which the outbox posts. Undefined: the webhook always had the format `batch`. */
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

  /** Returns the batches to store for an arriving batch: none if it was stored before. */
  arriving(batch: NewWebhookBatch): readonly NewWebhookBatch[] {
    if (this.#kept === undefined) return [batch];
    const events = splitIntoEvents(batch);
    const forms = [batch, ...events.slice(0, 1)];
    if (forms.some(({ id }) => this.#rows.has(id))) return [];
    return this.current === "resend" ? events : [batch];
  }

  /**
   * Converts batches that may be posted now to requests in the current format. Returns at most
   * `limit` requests.
   */
  claimed(
    batches: readonly WaitingWebhookBatch[],
    now: number,
    limit: number,
  ): readonly WaitingWebhookBatch[] {
    if (this.current === "batch") return batches;
    const requests: WaitingWebhookBatch[] = [];
    for (const batch of batches) {
      if (requests.length >= limit) break;
      requests.push(...(batch.eventCount === 1 ? [batch] : this.#split(batch, now)));
    }
    return requests.slice(0, limit);
  }

  #split(batch: WaitingWebhookBatch, now: number): readonly WaitingWebhookBatch[] {
    return this.#storage.transactionSync(() =>
      this.#rows.replace(batch, splitIntoEvents(batch), now),
    );
  }
}
