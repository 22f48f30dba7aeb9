// The options that say how much work a bench does. tools/bench/main.ts reads them from the command
// line.

/**
 * `smoke` shows that a bench still runs. `quick` shows that the bench can measure. Only `full`
 * gives figures for comparison.
 */
export type BenchSize = "full" | "quick" | "smoke";

export interface BenchOptions {
  readonly size: BenchSize;
  /** Factor for every duration that a bench sets itself. It makes a smoke run short. */
  readonly timeFactor: number;
  /** Number of rounds. Every side runs once in each round. */
  readonly rounds: number;
  /** Seconds of load in one round of one side, for rounds of a fixed duration. */
  readonly seconds: number;
  /** Messages in one round of one side, for rounds with a fixed number of messages. */
  readonly messages: number;
  /** Minutes of load, for a bench with one long round. */
  readonly minutes: number;
}
