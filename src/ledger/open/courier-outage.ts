// Knows whether the team's courier takes copies (docs/architecture.md §Release). The ledger
// releases only a few jobs during an outage, as a probe. All other mail waits in the backlog, where
// it costs no queue messages and no attempts. An outage ends with the first copy that a courier
// takes, or the first response of a gateway. A restart forgets the outage, and two failures begin
// it again.
import type { Waits } from "./job-waits.ts";

/** Number of consecutive consumers that must find the courier down before an outage begins. */
const FAILURES = 2;
/** Number of jobs that are released to see whether the courier is up again. */
const PROBES = 5;

export class CourierOutage {
  readonly #probeMs: number;
  #failures = 0;
  #probeAt = 0;

  /** The wait between two probes equals the first wait of a job that no courier took. */
  constructor({ postponedMs }: Pick<Waits, "postponedMs">) {
    this.#probeMs = postponedMs;
  }

  get isOn(): boolean {
    return this.#failures >= FAILURES;
  }

  /** The time of the next probe, in Unix milliseconds. 0 means that the courier takes copies. */
  get probeAt(): number {
    return this.isOn ? this.#probeAt : 0;
  }

  /** Records that a consumer found the courier down. */
  noteDown(now: number): void {
    this.#failures += 1;
    if (this.#failures === FAILURES) this.#probeAt = now + this.#probeMs;
  }

  /** Records that the courier is up. Returns whether this ends an outage. */
  noteUp(): boolean {
    const wasOn = this.isOn;
    this.#failures = 0;
    return wasOn;
  }

  /**
   * Returns how many jobs may be released now. No job may be released between two probes of an
   * outage.
   */
  allowance(now: number): number {
    if (!this.isOn) return Number.POSITIVE_INFINITY;
    if (now < this.#probeAt) return 0;
    this.#probeAt = now + this.#probeMs;
    return PROBES;
  }
}
