// Models how long a send waits for other places (docs/near-its-users.md): the isolate near the
// caller reads the core database for a key that it does not know, and calls the team's ledger once.
// Pure.
import { LATENCIES, OCEAN_MS } from "../../harness/latencies.ts";

/** The shortest and the longest time in milliseconds. */
type Delay = readonly [least: number, most: number];

interface Places {
  /** The region of the caller, and so of the isolate. */
  readonly caller: Region;
  readonly database: Region;
  readonly ledger: Region;
}

/** Three regions with an ocean between any two of them. */
export const SEND_REGIONS = ["weur", "enam", "apac"] as const;
type Region = (typeof SEND_REGIONS)[number];

/** An isolate that does not know the key reads the key with its team, then the domain. */
const QUERIES_OF_UNKNOWN = 2;

/** `isKnown`: the isolate has taken a send with this key and from this domain within a minute. */
export function sendDelay({ caller, database, ledger }: Places, isKnown: boolean): Delay {
  const queries = isKnown ? [] : Array<Region>(QUERIES_OF_UNKNOWN).fill(database);
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
