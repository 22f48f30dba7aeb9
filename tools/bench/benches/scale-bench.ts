// `npm run bench scale`: computes which resource is used up first when 10,000 teams send 100
// million messages a day (docs/scaling.md). It computes from the limits in scale/platform-limits.ts
// and sends nothing. It takes a few seconds and prints the same on every machine.
import type { BenchResult, BenchRow } from "../harness/bench-result.ts";
import { ASSUMED } from "../scale/platform-limits.ts";
import { RESOURCES } from "../scale/resources.ts";
import { SEND_REGIONS, sendDelay } from "../scale/send-delays.ts";
import {
  type Demand,
  largestTeamPerDay,
  type Load,
  meanPerSecond,
  peakPerSecond,
  saturatesAt,
  simulateDay,
} from "../scale/model.ts";

const LOAD: Load = { teams: 10_000, messagesPerDay: 100_000_000, exponent: 1 };

export async function scale(): Promise<BenchResult> {
  return scaleResult(LOAD);
}

export function scaleResult(load: Load): BenchResult {
  const demands = simulateDay(load)
    .map((demand) => ({ demand, saturates: saturatesAt(load, demand.resource) }))
    .toSorted((left, right) => left.saturates - right.saturates);
  const [first] = demands;
  const next = demands.find(({ demand }) => !demand.resource.name.startsWith("Email Service"));
  const { teams, messagesPerDay, exponent } = load;
  return {
    notes: [
      `${count(teams)} teams (Zipf, exponent ${exponent}), ${count(messagesPerDay)} messages ` +
        `a day: ${count(meanPerSecond(messagesPerDay))}/s on average, ` +
        `${count(peakPerSecond(messagesPerDay))}/s in the worst minute`,
      "measured: what the load needs of a resource. against: what one unit of the resource " +
        "can do. ratio: how many units the load needs. goal: how many units are possible. The " +
        "first row is used up first. The last rows add up what a send waits for other places " +
        "(docs/near-its-users.md)",
      `assumed: ${ASSUMED.queryMilliseconds} ms for a query of D1, ${ASSUMED.batchMessages} ` +
        `messages in a batch of the queue, ${ASSUMED.transactionSeconds} s for a transaction, ` +
        `${ASSUMED.isolates} isolates; further assumptions are in ` +
        "tools/bench/scale/platform-limits.ts",
      `used up first: ${first?.demand.resource.name}, at ${count(first?.saturates ?? 0)} ` +
        `messages a day; by one's own gateways: ${next?.demand.resource.name}, at ` +
        `${count(next?.saturates ?? 0)} messages a day, if the shares of teams and minutes stay ` +
        "the same",
      `the core database is used up at ${ISOLATES.map(
        (isolates) => `${count(coreEnd({ ...load, isolates }))} messages a day by ${isolates}`,
      ).join(", ")} isolates`,
      `a team with its own shard can send ${count(largestTeamPerDay(1))} messages every day; ` +
        `a team with eight shards: ${count(largestTeamPerDay(8))}`,
    ],
    rows: [
      ...demands.map(({ demand, saturates }) => rowOf(demand, saturates)),
      ...SEND_REGIONS.flatMap((caller) => [delayRow(caller, true), delayRow(caller, false)]),
    ],
  };
}

/**
 * Compares a ledger near its first sender with one that a cron trigger made elsewhere. The core
 * database is in Western Europe.
 */
function delayRow(caller: (typeof SEND_REGIONS)[number], isKnown: boolean): BenchRow {
  const elsewhere = SEND_REGIONS.find((region) => region !== caller)!;
  const [near, far] = [caller, elsewhere].map((ledger) =>
    sendDelay({ caller, database: "weur", ledger }, isKnown),
  );
  const [least, most] = near!;
  const [farLeast, farMost] = far!;
  return {
    work: `a send from ${caller}, its key ${isKnown ? "known" : "new"} to the isolate`,
    measured: `${least} to ${most} ms away`,
    against: `${farLeast} to ${farMost} ms with the ledger across an ocean`,
    ratio: (least + most) / (farLeast + farMost),
    goal: null,
    met: null,
  };
}

/** Numbers of isolates that take sends: from few places, and from many. */
const ISOLATES = [25, 100, 400];

/** Returns the messages a day at which the core database is used up. */
function coreEnd(load: Load): number {
  return saturatesAt(
    load,
    RESOURCES.find(({ name }) => name === "core database")!,
  );
}

function rowOf({ resource, needed, minute }: Demand, saturates: number): BenchRow {
  const { name, unit, limit, available, remedy } = resource;
  const ratio = limit === null ? null : needed / limit;
  const at = minute === null ? "" : ` at ${clock(minute)}`;
  const enough = Number.isFinite(saturates) ? `, ${count(saturates)}/day` : "";
  const most = Number.isFinite(available) ? `≤ ${available}` : "any number";
  return {
    work: name,
    measured: `${count(needed)} ${unit}${at}`,
    against:
      limit === null
        ? "no limit is published"
        : `${count(limit)} ${unit}${available === 1 ? enough : ""}`,
    ratio,
    goal:
      ratio === null
        ? null
        : `${most}${remedy === "" ? "" : `: ${remedy}`}${available === 1 ? "" : enough}`,
    met: ratio === null ? null : ratio <= available,
  };
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/** Formats a number with three significant figures. */
function count(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US");
}
