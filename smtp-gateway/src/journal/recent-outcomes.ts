// What became of each attempt a moment ago that is not in the journal, so that a second asker of
// one attempt is told what the first was told (docs/egress-protocol.md). The journal keeps for a
// day what lies behind a final dot; this keeps the rest for as long as a worker that was granted
// the attempt may still come to ask.
import type { EgressOutcome } from "../outbound/outcome.ts";

/**
 * Longer than the worker's consumers live, 15 minutes: one that claimed the attempt just before its
 * outcome may ask just before its own end.
 */
const KEPT_MS = 20 * 60_000;
const KEPT_BYTES = 64 * 1024 * 1024;
/** What an entry costs beside its texts. */
const ENTRY_BYTES = 300;

interface Entry {
  readonly outcome: EgressOutcome;
  /** Milliseconds of the process. */
  readonly until: number;
  readonly bytes: number;
}

export class RecentOutcomes {
  readonly #now: () => number;
  readonly #mostBytes: number;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(now: () => number = () => performance.now(), mostBytes = KEPT_BYTES) {
    this.#now = now;
    this.#mostBytes = mostBytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: string): EgressOutcome | undefined {
    this.#expire();
    return this.#entries.get(key)?.outcome;
  }

  /** Where there is no room, the oldest go first. */
  keep(key: string, outcome: EgressOutcome): void {
    this.#drop(key);
    const bytes =
      ENTRY_BYTES +
      2 * (key.length + (outcome.kind === "reply" ? outcome.text : outcome.detail).length);
    this.#entries.set(key, { outcome, until: this.#now() + KEPT_MS, bytes });
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
