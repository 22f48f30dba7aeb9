// How long a bench runs: every bench is given these by bench/main.ts, from its flags.

export interface BenchOptions {
  /** Alternating rounds of every side. */
  readonly rounds: number;
  /** Seconds of load in one round of one side, where a round is as long as its load. */
  readonly seconds: number;
  /** Messages in one round of one side, where a round is as long as its messages take. */
  readonly messages: number;
  /** Of load, where a bench is one long round. */
  readonly minutes: number;
}
