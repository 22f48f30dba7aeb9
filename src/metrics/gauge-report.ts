// How a Durable Object tells the Metrics object what it holds: from its alarm, at most every 30
// seconds, only what changed; and once, that it holds nothing any more. An object that never held
// anything when its alarm went off says nothing and writes nothing: that is most of them, most of
// the time.
import type { Env } from "../env.ts";
import { logWarning } from "../lib/log.ts";
import { HOUR_MS } from "../limits.ts";
import { type Gauges, METRICS_OBJECT } from "../contracts/metrics-contract.ts";

export const REPORT_EVERY_MS = 30_000;
const REPEAT_AFTER_MS = HOUR_MS;
const REPORTED = "reported";

export class GaugeReport {
  readonly #source: string;
  readonly #env: () => Env;
  readonly #kv: SyncKvStorage;
  /** The Metrics object may have a report of this one; it outlives a restart. */
  #standing: boolean;
  #lastText = "";
  #lastAt = Number.NEGATIVE_INFINITY;
  /** When what it says was found to be out of date, Unix milliseconds; null: it is not. */
  #outdatedAt: number | null = null;

  constructor(source: string, env: () => Env, kv: SyncKvStorage) {
    this.#source = source;
    this.#env = env;
    this.#kv = kv;
    this.#standing = kv.get(REPORTED) !== undefined;
  }

  /** Something changed at `now`. */
  touch(now: number): void {
    if (this.#standing) this.#outdatedAt ??= now;
  }

  /**
   * When to report again though nothing else may be due then, Unix milliseconds; Infinity: what was
   * reported still holds.
   */
  get dueAt(): number {
    return this.#outdatedAt === null
      ? Number.POSITIVE_INFINITY
      : this.#outdatedAt + REPORT_EVERY_MS;
  }

  /**
   * `gauges` null: this object holds nothing. Never rejects: what is not told now is told the next
   * time.
   */
  async send(gauges: Gauges | null, now: number): Promise<void> {
    const text = JSON.stringify(gauges);
    const age = now - this.#lastAt;
    if (gauges === null ? !this.#standing : age < REPORT_EVERY_MS) return;
    this.#outdatedAt = null;
    if (text === this.#lastText && age < REPEAT_AFTER_MS) return;
    if (gauges !== null) this.#mark(true);
    try {
      await this.#env().METRICS.getByName(METRICS_OBJECT).report(this.#source, gauges, now);
      this.#lastText = text;
      this.#lastAt = gauges === null ? Number.NEGATIVE_INFINITY : now;
      if (gauges === null) this.#mark(false);
    } catch (error) {
      this.touch(now);
      logWarning("gauges_not_reported", { source: this.#source, error: String(error) });
    }
  }

  #mark(standing: boolean): void {
    if (standing === this.#standing) return;
    this.#standing = standing;
    if (standing) this.#kv.put(REPORTED, true);
    else this.#kv.delete(REPORTED);
  }
}
