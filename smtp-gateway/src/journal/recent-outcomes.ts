// Remembers recent outcomes that are not in the journal. So a second request for the same key gets
// the same answer as the first (docs/egress-protocol.md §Asking twice). The journal keeps each
// outcome after a final dot for a day. This class keeps all other outcomes until no worker asks for
// them any more.
import type { EndedAttempt } from "../outcome.ts";

/**
 * Milliseconds for which an outcome is kept. A run of the worker's queue consumer may last 15
 * minutes. The run may take over an attempt just before the outcome comes, and ask for the outcome
 * only when the run ends.
 */
const OUTCOME_IN_MEMORY_MS = 20 * 60_000;
const OUTCOMES_IN_MEMORY_BYTES = 64 * 1024 * 1024;
/** Bytes of memory that an entry takes in addition to its texts. */
const ENTRY_OVERHEAD_BYTES = 300;

interface Entry {
  readonly ended: EndedAttempt;
  /** Time when the entry expires, in milliseconds of the process's clock. */
  readonly until: number;
  readonly bytes: number;
}

export class RecentOutcomes {
  readonly #now: () => number;
  readonly #mostBytes: number;
  /** The remembered outcomes by key, the oldest entry first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(now: () => number = () => performance.now(), mostBytes = OUTCOMES_IN_MEMORY_BYTES) {
    this.#now = now;
    this.#mostBytes = mostBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: string): EndedAttempt | undefined {
    this.#expire();
    return this.#entries.get(key)?.ended;
  }

  /** Remembers an outcome. If memory is short, drops the oldest outcomes. */
  keep(key: string, ended: EndedAttempt): void {
    this.#drop(key);
    const { outcome } = ended;
    const bytes =
      ENTRY_OVERHEAD_BYTES +
      2 * (key.length + (outcome.kind === "reply" ? outcome.text : outcome.detail).length);
    this.#entries.set(key, { ended, until: this.#now() + OUTCOME_IN_MEMORY_MS, bytes });
    this.#bytes += bytes;
    this.#expire();
  }

  #expire(): void {
    const now = this.#now();
    for (const [key, { until }] of this.#entries) {
      if (until > now && this.#bytes <= this.#mostBytes) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
