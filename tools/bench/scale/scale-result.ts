// Computes the rows of `bench scale`: what 10,000 teams with 100 million messages a day use up first
// (docs/scaling.md). Pure.
import type { BenchResult, BenchRow } from "../harness/bench-result.ts";
import { ASSUMED } from "./platform-limits.ts";
import { KNOWLEDGE, SEND_REGIONS, sendDelay } from "./send-delays.ts";
import {
  type Demand,
  largestTeamPerDay,
  type Load,
  meanPerSecond,
  peakPerSecond,
  saturatesAt,
  simulateDay,
} from "./model.ts";

export function scaleResult(load: Load): BenchResult {
  const demands = simulateDay(load)
    .map((demand) => ({ demand, saturates: saturatesAt(load, demand.resource) }))
    .toSorted((left, right) => left.saturates - right.saturates);
  const [first] = demands;
  const firstOf = (others: RegExp) =>
    demands.find(({ demand }) => !others.test(demand.resource.name));
  const [one, two] = [firstOf(OTHER_MEANS), firstOf(BESIDE_TWO)];
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
        `messages a day; by one's own gateways, with replicas of the core database: ${one?.demand.resource.name}, at ` +
        `${count(one?.saturates ?? 0)} messages a day; with two core databases: ` +
        `${two?.demand.resource.name}, at ${count(two?.saturates ?? 0)}, if the shares of teams ` +
        "and minutes stay the same",
      `a team with its own shard can send ${count(largestTeamPerDay(1))} messages every day; ` +
        `a team with eight shards: ${count(largestTeamPerDay(8))}`,
    ],
    rows: [
      ...demands.map(({ demand, saturates }) => rowOf(demand, saturates)),
      ...CALLERS.flatMap((caller) => KNOWLEDGE.map((knows) => delayRow(caller, knows))),
    ],
  };
}

/** The regions of two callers: one on the continent of the primary, and one across an ocean. */
const CALLERS = ["weur", "apac"] as const;

/**
 * Matches rows of the table that are skipped: resources that an operator can avoid, and rows with
 * another number of isolates than the assumed one.
 */
const OTHER_MEANS = /^Email Service|without replicas|replica, (?!100 )|^busier/;
const BESIDE_TWO = /^Email Service|without replicas|replica, (?!100 )|^core database/;

/**
 * Compares a ledger near its first sender with one that a cron trigger made across an ocean. The
 * core database is in Western Europe.
 */
function delayRow(
  caller: (typeof SEND_REGIONS)[number],
  knows: (typeof KNOWLEDGE)[number],
): BenchRow {
  const elsewhere = SEND_REGIONS.find((region) => region !== caller)!;
  const [near, far] = [caller, elsewhere].map((ledger) =>
    sendDelay({ caller, database: "weur", ledger }, knows),
  );
  const [least, most] = near!;
  const [farLeast, farMost] = far!;
  return {
    work: `a send from ${caller}, ${knows}`,
    measured: `${least} to ${most} ms away`,
    against: `${farLeast} to ${farMost} ms with the ledger across an ocean`,
    ratio: (least + most) / (farLeast + farMost),
    goal: null,
    met: null,
  };
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
