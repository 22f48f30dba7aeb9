// Knows whether the team's courier takes copies (docs/architecture.md §Release). While it takes
// none, only a few jobs are released, as a probe; all other mail waits in the backlog, where it
// costs neither queue messages nor attempts. The first copy that a courier takes, and the first
// answer of a gateway, end the outage. A restart forgets it, and two more failures begin it again.
import type { Waits } from "./job-waits.ts";

/** Number of consumers that find the courier down, one after the other, before an outage begins. */
const FAILURES = 2;
/** Number of jobs that are released to see whether the courier is up again. */
const PROBES = 5;

export class CourierOutage {
  readonly #probeMs: number;
  #failures = 0;
  #probeAt = 0;

  /** The wait between two probes is that of a job that no courier took for the first time. */
  constructor({ postponedMs }: Pick<Waits, "postponedMs">) {
    this.#probeMs = postponedMs;
  }

  get isOn(): boolean {
    return this.#failures >= FAILURES;
  }

  /** The time of the next probe, Unix milliseconds; 0: the courier takes copies. */
  get probeAt(): number {
    return this.isOn ? this.#probeAt : 0;
  }

  /** Notes that a consumer found the courier down. */
  noteDown(now: number): void {
    this.#failures += 1;
    if (this.#failures === FAILURES) this.#probeAt = now + this.#probeMs;
  }

  /** Notes that the courier is up. Returns whether this ends an outage. */
  noteUp(): boolean {
    const wasOn = this.isOn;
    this.#failures = 0;
    return wasOn;
  }

  /** Returns how many jobs may be released now. After a probe, no job may be released for a while. */
  allowance(now: number): number {
    if (!this.isOn) return Number.POSITIVE_INFINITY;
    if (now < this.#probeAt) return 0;
    this.#probeAt = now + this.#probeMs;
    return PROBES;
  }
}
