// Reports a Durable Object's gauges to the Metrics object. The object's alarm reports at most every
// 30 seconds, and only if the gauges changed. When the object becomes empty, it reports once more.
// An object that is empty at all of its alarms reports and writes nothing. This saves calls,
// because most objects are empty most of the time.
import type { Env } from "../env.ts";
import { logWarning } from "../lib/log.ts";
import { HOUR_MS } from "../limits.ts";
import { type Gauges, METRICS_OBJECT } from "../rpc/metrics-calls.ts";
import { objectOf } from "../object-of.ts";

const REPORT_EVERY_MS = 30_000;
const REPEAT_AFTER_MS = HOUR_MS;
const REPORTED = "reported";

export class GaugeSender {
  readonly #source: string;
  readonly #env: () => Env;
  readonly #kv: SyncKvStorage;
  /**
   * True: the Metrics object may have a report of this object. The flag is stored, so it survives a
   * restart.
   */
  #isReported: boolean;
  #lastText = "";
  #lastAt = Number.NEGATIVE_INFINITY;
  /** When the last report became outdated, Unix milliseconds. Null: it is up to date. */
  #outdatedAt: number | null = null;

  constructor(source: string, env: () => Env, kv: SyncKvStorage) {
    this.#source = source;
    this.#env = env;
    this.#kv = kv;
    this.#isReported = kv.get(REPORTED) !== undefined;
    // A restart may have lost the alarm that would have reported the latest changes, so the next
    // alarm always reports.
    if (this.#isReported) this.#outdatedAt = 0;
  }

  /** Marks the last report as outdated, because something changed at `now`. */
  touch(now: number): void {
    if (this.#isReported) this.#outdatedAt ??= now;
  }

  /**
   * When the object needs an alarm to report again, Unix milliseconds. Infinity: the last report is
   * up to date.
   */
  get dueAt(): number {
    return this.#outdatedAt === null
      ? Number.POSITIVE_INFINITY
      : this.#outdatedAt + REPORT_EVERY_MS;
  }

  /**
   * Reports the gauges if a report is due. `gauges` is null if the object is empty. Never rejects:
   * if a report fails, the next call reports again.
   */
  async send(gauges: Gauges | null, now: number): Promise<void> {
    const text = JSON.stringify(gauges);
    const age = now - this.#lastAt;
    if (gauges === null ? !this.#isReported : age < REPORT_EVERY_MS) return;
    this.#outdatedAt = null;
    if (text === this.#lastText && age < REPEAT_AFTER_MS) return;
    if (gauges !== null) this.#setReported(true);
    try {
      await objectOf(this.#env(), "METRICS", METRICS_OBJECT).report(this.#source, gauges, now);
      this.#lastText = text;
      this.#lastAt = gauges === null ? Number.NEGATIVE_INFINITY : now;
      if (gauges === null) this.#setReported(false);
    } catch (error) {
      this.touch(now);
      logWarning("gauges_not_reported", { source: this.#source, error: String(error) });
    }
  }

  #setReported(isReported: boolean): void {
    if (isReported === this.#isReported) return;
    this.#isReported = isReported;
    if (isReported) this.#kv.put(REPORTED, true);
    else this.#kv.delete(REPORTED);
  }
}
