// The amount of work of a bench. tools/bench/main.ts reads it from the command line.

/**
 * `smoke` shows that a bench still runs. `quick` shows that the bench measures. Only `full` gives
 * figures for comparison.
 */
export type BenchSize = "full" | "quick" | "smoke";

export interface BenchOptions {
  readonly size: BenchSize;
  /** Multiplies the durations that a bench's own code fixes, so that a smoke run is short. */
  readonly timeFactor: number;
  /** Number of rounds. In each round, every side runs once. */
  readonly rounds: number;
  /** Seconds of load in one round of one side, for rounds of a fixed duration. */
  readonly seconds: number;
  /** Messages in one round of one side, for rounds with a fixed number of messages. */
  readonly messages: number;
  /** Minutes of load, for a bench with one long round. */
  readonly minutes: number;
}
