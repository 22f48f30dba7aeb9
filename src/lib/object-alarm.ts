// Sets the alarm of a Durable Object if something is due before the current alarm, or if that alarm
// is lost (lost-alarm.ts). Remembers the alarm's time, so that most calls need no storage.
import { alarmToSet } from "./lost-alarm.ts";

export class ObjectAlarm {
  readonly #storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">;
  /** The time of the current alarm, Unix milliseconds. Null: no alarm is set. */
  #setTo: number | null = null;

  constructor(storage: Pick<DurableObjectStorage, "getAlarm" | "setAlarm">) {
    this.#storage = storage;
  }

  /** Reads the current alarm. The other methods may be called only after this one. */
  async load(): Promise<void> {
    this.#setTo = await this.#storage.getAlarm();
  }

  /**
   * Makes wake() do nothing, because the alarm is running and will set the next one, or because the
   * object needs no alarm.
   */
  suspend(): void {
    this.#setTo = Number.NEGATIVE_INFINITY;
  }

  /** Forgets the current alarm, so that the next wake() sets one. */
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
