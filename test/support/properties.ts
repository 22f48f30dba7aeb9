// fast-check with the seed of the run, so that a property's cases are the same on every machine. A
// seed of one's own looks for other cases: PROPERTY_SEED=7 npm test -- test/unit/lib.
import { configureGlobal } from "fast-check";
import { inject } from "vitest";

export * as fc from "fast-check";

declare module "vitest" {
  export interface ProvidedContext {
    /** The seed of all properties of the run. */
    propertySeed: number;
  }
}

// Each run tests the same cases, so a run with another seed shows more than a longer list of cases.
configureGlobal({ seed: inject("propertySeed"), numRuns: 40 });
