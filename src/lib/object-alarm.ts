// Sets the alarm of a Durable Object when something is due earlier than the alarm that is set, or
// when that alarm is lost (lost-alarm.ts). It remembers the alarm's time, so that most calls touch
// no storage.
import { alarmToSet } from "./lost-alarm.ts";

export class ObjectAlarm {
  readonly #storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">;
  /** The time of the alarm that is set, Unix milliseconds; null: no alarm is set. */
  #setTo: number | null = null;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">) {
    this.#storage = storage;
  }

  /** Reads which alarm is set. Must run before everything else. */
  async load(): Promise<void> {
    this.#setTo = await this.#storage.getAlarm();
  }

  /** Suspends wake(): the alarm runs and sets the next one itself, or the object sets none. */
  suspend(): void {
    this.#setTo = Number.NEGATIVE_INFINITY;
  }

  /** Forgets the alarm that was set, so that the next wake() sets one. */
  reset(): void {
    this.#setTo = null;
  }

  /** Makes sure that an alarm goes off by `at`, Unix milliseconds. Infinity: nothing is due. */
  wake(at: number): void {
    const next = alarmToSet(this.#setTo, at, Date.now());
    if (next === null) return;
    this.#setTo = next;
    void this.#storage.setAlarm(next);
  }
}
