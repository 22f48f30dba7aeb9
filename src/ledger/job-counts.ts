// Counts the jobs in each state, in step with the rows in memory, so that no reader has to go
// through them (docs/operating.md §Metrics). Pure.
import type { Job, Jobs } from "./job.ts";

export class JobCounts {
  readonly #counts: Record<Job["state"], number> = { leased: 0, waiting: 0, done: 0 };

  /** A message's jobs as they are found. */
  add(jobs: Jobs): void {
    for (const { state } of Object.values<Job>(jobs)) this.#counts[state] += 1;
  }

  /** Some of a message's jobs change. */
  change(before: Jobs, changed: Jobs): void {
    for (const [index, { state }] of Object.entries<Job>(changed)) {
      const old = before[Number(index)];
      if (old) this.#counts[old.state] -= 1;
      this.#counts[state] += 1;
    }
  }

  /** Jobs that are done leave with their message, uncounted. */
  get leased(): number {
    return this.#counts.leased;
  }

  get waiting(): number {
    return this.#counts.waiting;
  }
}
