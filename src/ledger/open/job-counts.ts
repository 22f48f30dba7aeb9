// Counts the jobs in each state as they change, so that metrics need not read every row
// (docs/metrics-and-alerts.md §Metrics). Pure.
import type { Job, Jobs } from "./job.ts";

export class JobCounts {
  readonly #counts: Record<Job["state"], number> = {
    leased: 0,
    waiting: 0,
    awaiting: 0,
    done: 0,
  };

  /** Adds the jobs of a message that was read from storage. */
  add(jobs: Jobs): void {
    for (const { state } of Object.values<Job>(jobs)) this.#counts[state] += 1;
  }

  /** Counts a change of some of a message's jobs. */
  change(before: Jobs, changed: Jobs): void {
    for (const [index, { state }] of Object.entries<Job>(changed)) {
      const old = before[Number(index)];
      if (old) this.#counts[old.state] -= 1;
      this.#counts[state] += 1;
    }
  }

  /**
   * The number of leased jobs. The number of done jobs is not reported, because jobs are removed
   * together with their finished message.
   */
  get leased(): number {
    return this.#counts.leased;
  }

  get waiting(): number {
    return this.#counts.waiting;
  }

  get awaiting(): number {
    return this.#counts.awaiting;
  }
}
