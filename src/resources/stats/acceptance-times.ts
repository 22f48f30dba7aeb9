// Counts the times from a message's start to the server's acceptance, in twelve ranges (contract.md
// §Deliverability). Pure.
import { raise } from "./type-counts.ts";

/** The upper limit of each range, in seconds. The last limit is the time for delivery, 72 hours. */
const TIME_STEPS: readonly number[] = [
  1, 2, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 43_200, 259_200,
];

/** The JSON of AcceptanceTimes: the count of each range. */
export type StoredTimes = Readonly<Record<string, number>>;

export class AcceptanceTimes {
  readonly #steps = new Map<number, number>();

  count(ms: number): void {
    const step = TIME_STEPS.findIndex((seconds) => ms <= seconds * 1_000);
    raise(this.#steps, step < 0 ? TIME_STEPS.length - 1 : step, 1);
  }

  add(other: AcceptanceTimes): void {
    for (const [step, count] of other.#steps) raise(this.#steps, step, count);
  }

  load(stored: StoredTimes): void {
    for (const [step, count] of Object.entries(stored)) raise(this.#steps, Number(step), count);
  }

  /**
   * Returns the seconds within which this share of the mail was accepted, rounded up to the limit
   * of a range. Returns null if no mail was accepted.
   */
  within(part: number): number | null {
    let left = Math.ceil(part * [...this.#steps.values()].reduce((sum, count) => sum + count, 0));
    if (left === 0) return null;
    for (const [step, seconds] of TIME_STEPS.entries()) {
      left -= this.#steps.get(step) ?? 0;
      if (left <= 0) return seconds;
    }
    return null;
  }

  toJSON(): StoredTimes {
    return Object.fromEntries(this.#steps);
  }
}
