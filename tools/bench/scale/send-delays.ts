// Models how long a send waits for calls to other regions (docs/near-its-users.md). The isolate
// near the caller reads the core database, which has replicas, and calls the team's ledger once.
// Pure.
import { LATENCIES, OCEAN_MS } from "../../harness/latencies.ts";

/** The shortest and the longest time in milliseconds. */
type Delay = readonly [least: number, most: number];

interface Places {
  /** The region of the caller and of its isolate. */
  readonly caller: Region;
  readonly database: Region;
  readonly ledger: Region;
}

/** Three regions with an ocean between any two of them. */
export const SEND_REGIONS = ["weur", "enam", "apac"] as const;
type Region = (typeof SEND_REGIONS)[number];

/**
 * The isolate's knowledge from the last minute:
 * - `key known`: it has accepted a send with this key.
 * - `key new`: it has read other keys, so it reads this key from the nearest replica.
 * - `isolate new`: it has read nothing from the core database. It asks the primary whether the
 *   key's use is to be recorded, and then for the key.
 */
export const KNOWLEDGE = ["key known", "key new", "isolate new"] as const;

export function sendDelay(
  { caller, database, ledger }: Places,
  knows: (typeof KNOWLEDGE)[number],
): Delay {
  const read = { "key known": [], "key new": [caller], "isolate new": [database, database] };
  const queries: readonly Region[] = read[knows];
  const calls = [
    ...queries.map((place) => delayBetween("database", caller, place)),
    delayBetween("object", caller, ledger),
  ];
  return [0, 1].map((end) => calls.reduce((sum, call) => sum + call[end]!, 0)) as unknown as Delay;
}

function delayBetween(kind: "database" | "object", from: Region, to: Region): Delay {
  const [least, most] = LATENCIES[kind];
  const ocean = from === to ? 0 : OCEAN_MS;
  return [least + ocean, most + ocean];
}
