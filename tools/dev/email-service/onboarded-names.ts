// The names that were onboarded to the Email Service's double, with the times. They survive a
// restart.
import { StateMirror } from "../state-file.ts";

/** Milliseconds for which a new name may not send yet, with the switch `late_start`. */
const LATE_MS = 30_000;

export class OnboardedNames {
  readonly #file: StateMirror;
  readonly #speedup: number;
  readonly #at: Map<string, number>;

  /** `speedup` is the divisor of the time for which a new name may not send. */
  constructor(path: string, speedup: number) {
    this.#file = new StateMirror(path, () => Object.fromEntries(this.#at));
    this.#speedup = speedup;
    this.#at = new Map(Object.entries((this.#file.read() ?? {}) as Record<string, number>));
  }

  add(name: string, now: number): void {
    if (this.#at.has(name)) return;
    this.#at.set(name, now);
    this.#file.keep();
  }

  has(name: string): boolean {
    return this.#at.has(name);
  }

  /**
   * Tells whether the name is below an onboarded name. Onboarding applies only to the exact name.
   */
  isBelow(name: string): boolean {
    return [...this.#at.keys()].some((one) => name.endsWith(`.${one}`));
  }

  anyMaySend(now: number): boolean {
    return [...this.#at.keys()].some((name) => !this.isNew(name, now));
  }

  /** Tells whether the name was onboarded so recently that it may not send yet. */
  isNew(name: string, now: number): boolean {
    const at = this.#at.get(name);
    return at !== undefined && now < at + LATE_MS / this.#speedup;
  }
}
