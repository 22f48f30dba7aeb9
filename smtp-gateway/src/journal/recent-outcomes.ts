// Keeps in memory the recent outcomes that are not in the journal, so that a second request for an
// attempt gets the same answer as the first (docs/egress-protocol.md §Asking twice). The journal
// keeps outcomes after a final dot for a day. This class keeps the others for as long as a worker
// may ask for them.
import type { EndedAttempt } from "../outcome.ts";

/**
 * Longer than the 15 minutes that one run of the worker's consumer may last. A consumer may claim
 * the attempt just before its outcome, and ask at the end of its run.
 */
const OUTCOME_IN_MEMORY_MS = 20 * 60_000;
const OUTCOMES_IN_MEMORY_BYTES = 64 * 1024 * 1024;
/** Memory of an entry beside its texts. */
const ENTRY_OVERHEAD_BYTES = 300;

interface Entry {
  readonly ended: EndedAttempt;
  /** Milliseconds of the process. */
  readonly until: number;
  readonly bytes: number;
}

export class RecentOutcomes {
  readonly #now: () => number;
  readonly #mostBytes: number;
  /** Entries by key, oldest first. */
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

  /** Keeps an outcome. The oldest entries make room for it. */
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
