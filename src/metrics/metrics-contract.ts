// What the Metrics object is told and asked: the arguments and results of its RPC methods.
import type { Samples } from "./definitions.ts";

/**
 * There is one: at one call an isolate in 10 s, and one a busy team in 30 s, it is far from its
 * limit.
 */
export const METRICS_OBJECT = "metrics";

/**
 * What a source holds now. A name that ends in `At` is a time, Unix milliseconds, of which the
 * earliest counts; the others are added up.
 */
export type Gauges = Readonly<Record<string, number>>;

export interface Reading {
  readonly counters: Samples;
  readonly gauges: Gauges;
}
