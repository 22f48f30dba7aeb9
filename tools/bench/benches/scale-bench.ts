// `npm run bench scale`: computes which resource is used up first when 10,000 teams send 100
// million messages a day (docs/scaling.md), and how long a send waits for calls to other regions
// (docs/near-its-users.md). It takes the limits from scale/platform-limits.ts, so the result is the
// same on every machine. Pure.
import { LATENCIES, OCEAN_MS } from "../../harness/latencies.ts";
import type { BenchResult, BenchRow } from "../harness/bench-result.ts";
import { ASSUMED } from "../scale/platform-limits.ts";
import {
  largestTeamPerDay,
  type Load,
  peakPerSecond,
  type Resource,
  saturatesAt,
  simulateDay,
  WORST_MINUTE,
} from "../scale/model.ts";

type Region = "weur" | "enam" | "apac";
/** The shortest and the longest time in milliseconds. */
type Delay = readonly [least: number, most: number];
type Knowledge = keyof typeof READS;

const LOAD: Load = { teams: 10_000, messagesPerDay: 100_000_000, exponent: 1 };
const DAY_SECONDS = 86_400;
/**
 * Matches the rows that are not the first resource to be used up, because an operator can avoid
 * their limits.
 */
const OTHER_MEANS = /^Email Service|without replicas|^busier/;
const BESIDE_TWO = /^Email Service|without replicas|^core database/;
/**
 * The isolate's knowledge from the last minute, and where it reads the core database:
 * - `key known`: it has accepted a send with this key.
 * - `key new`: it has read other keys, so it reads this key from the nearest replica.
 * - `isolate new`: it has read nothing from the core database. It asks the primary whether the
 *   key's use is to be recorded, and then for the key.
 */
const READS = {
  "key known": [],
  "key new": ["caller"],
  "isolate new": ["database", "database"],
} as const;

export async function scale(): Promise<BenchResult> {
  return scaleResult();
}

export function scaleResult(): BenchResult {
  const demands = simulateDay(LOAD)
    .map((demand) => ({ ...demand, saturates: saturatesAt(LOAD, demand.resource) }))
    .toSorted((left, right) => left.saturates - right.saturates);
  const firstBut = (others: RegExp): string => {
    const { resource, saturates } = demands.find((one) => !others.test(one.resource.name))!;
    return `${resource.name}, at ${count(saturates)} messages a day`;
  };
  const { teams, messagesPerDay, exponent } = LOAD;
  return {
    notes: [
      `${count(teams)} teams (Zipf, exponent ${exponent}), ${count(messagesPerDay)} messages ` +
        `a day: ${count(messagesPerDay / DAY_SECONDS)}/s on average, ` +
        `${count(peakPerSecond(messagesPerDay))}/s in the worst minute`,
      "measured: what the load needs of a resource. against: what one unit of the resource " +
        "can do. ratio: how many units the load needs. goal: how many units are possible. The " +
        "first row is used up first. The last rows add up what a send waits for other places " +
        "(docs/near-its-users.md)",
      `assumed: ${ASSUMED.queryMilliseconds} ms for a query of D1, ${ASSUMED.batchMessages} ` +
        `messages in a batch of the queue, ${ASSUMED.transactionSeconds} s for a transaction, ` +
        `${ASSUMED.isolates} isolates; further assumptions are in ` +
        "tools/bench/scale/platform-limits.ts",
      `used up first by one's own gateways, with replicas of the core database: ` +
        `${firstBut(OTHER_MEANS)}; with two core databases: ${firstBut(BESIDE_TWO)}, if the ` +
        "shares of teams and minutes stay the same",
      `a team with its own shard can send ${count(largestTeamPerDay(1))} messages every day; ` +
        `a team with eight shards: ${count(largestTeamPerDay(8))}`,
    ],
    rows: [
      ...demands.map(({ resource, needed, saturates }) => rowOf(resource, needed, saturates)),
      // One caller is on the continent of the primary, and the other one across an ocean.
      ...(["weur", "apac"] as const).flatMap((caller) =>
        (Object.keys(READS) as Knowledge[]).map((knows) => delayRow(caller, knows)),
      ),
    ],
  };
}

/** Returns how long a send waits: for the isolate's reads, and once for the team's ledger. */
export function sendDelay(
  places: Readonly<Record<"caller" | "database" | "ledger", Region>>,
  knows: Knowledge,
): Delay {
  const delayTo = (kind: "database" | "object", place: Region): Delay => {
    const ocean = places.caller === place ? 0 : OCEAN_MS;
    return [LATENCIES[kind][0] + ocean, LATENCIES[kind][1] + ocean];
  };
  return READS[knows]
    .map((place) => delayTo("database", places[place]))
    .reduce<Delay>(
      ([least, most], read) => [least + read[0], most + read[1]],
      delayTo("object", places.ledger),
    );
}

/**
 * Compares a ledger near its first sender with one that a cron trigger made across an ocean. The
 * core database is in Western Europe.
 */
function delayRow(caller: Region, knows: Knowledge): BenchRow {
  const places = { caller, database: "weur" } as const;
  const [least, most] = sendDelay({ ...places, ledger: caller }, knows);
  const [farLeast, farMost] = sendDelay({ ...places, ledger: "enam" }, knows);
  return {
    work: `a send from ${caller}, ${knows}`,
    measured: `${least} to ${most} ms away`,
    against: `${farLeast} to ${farMost} ms with the ledger across an ocean`,
    ratio: (least + most) / (farLeast + farMost),
  };
}

function rowOf(resource: Resource, needed: number, saturates: number): BenchRow {
  const { name, unit, limit, available, remedy, hasMinute } = resource;
  const measured = `${count(needed)} ${unit}${hasMinute ? ` at ${clock(WORST_MINUTE)}` : ""}`;
  if (limit === null) return { work: name, measured, against: "no limit is published" };
  const enough = Number.isFinite(saturates) ? `, ${count(saturates)}/day` : "";
  const most = Number.isFinite(available) ? `≤ ${available}` : "any number";
  return {
    work: name,
    measured,
    against: `${count(limit)} ${unit}${available === 1 ? enough : ""}`,
    ratio: needed / limit,
    goal: `${most}: ${remedy}${available === 1 ? "" : enough}`,
    met: needed / limit <= available,
  };
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/** Formats a number with three significant figures. */
function count(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US");
}
