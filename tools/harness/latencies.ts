// The time until a call reaches another place of the platform (docs/real-platform.md): the shortest
// and the longest in milliseconds, within one region. Pure.

export const LATENCIES = { object: [10, 30], database: [20, 50], queue: [60, 100] } as const;

/** Milliseconds by which a call across an ocean is later: D1 then takes up to 200 instead of 50. */
export const OCEAN_MS = 150;
