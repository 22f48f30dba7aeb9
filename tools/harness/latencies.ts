// The shortest and the longest time in milliseconds until a call reaches another service of the
// platform within one region (docs/real-platform.md). Pure.

export const LATENCIES = { object: [10, 30], database: [20, 50], queue: [60, 100] } as const;

/** Milliseconds that an ocean adds to a call. D1 then takes up to 200 ms instead of 50 ms. */
export const OCEAN_MS = 150;
