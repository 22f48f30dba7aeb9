// Tests how ids and numbers name a core shard (src/db/core-shards.ts, decision 0032), and where a
// new team is placed (src/resources/shards/choose-core.ts).
import { describe, expect, it, vi } from "vitest";
import {
  CORE_SHARDS,
  coresOfNumber,
  coreShardOf,
  coreWith,
  eachCore,
  newIdOn,
  teamNumbersOf,
} from "../../../src/db/core-shards.ts";
import { isDatabaseAway } from "../../../src/db/database-away.ts";
import type { Env } from "../../../src/env.ts";
import { isUuid, newId } from "../../../src/lib/ids.ts";
import { chooseCore } from "../../../src/resources/shards/choose-core.ts";

const shards = Array.from({ length: CORE_SHARDS }, (_, shard) => shard);

/** A core database with so many teams. Null: it does not answer. */
const coreOf = (counted: { teams: number; highest: number } | null) => ({
  prepare: () => ({
    first: () => (counted ? Promise.resolve(counted) : Promise.reject(new Error("away"))),
  }),
});

const teams = (count: number, highest = count) => coreOf({ teams: count, highest });

async function chosenOf(...cores: readonly object[]): Promise<number> {
  const [DB, ...others] = cores;
  const named = Object.fromEntries(others.map((core, index) => [`CORE_${index + 1}`, core]));
  return (await chooseCore({ DB, ...named } as unknown as Env)).shard;
}

describe("an id", () => {
  it.each(shards)("of core shard %i names it, and is a UUID after its prefix", (shard) => {
    for (const prefix of ["team", "domain"] as const) {
      const id = newIdOn(shard, prefix);
      expect(coreShardOf(id)).toBe(shard);
      expect(isUuid(id.slice(prefix.length + 1))).toBe(true);
    }
  });

  it("of an earlier version is on core shard 0, as is a text that is not an id", () => {
    const ids = Array.from({ length: 100 }, () => newId("team"));
    expect(new Set([...ids, "", "team_", "nonsense"].map(coreShardOf))).toEqual(new Set([0]));
  });

  it("of a shard that is not bound is refused, so that its team does not look deleted", () => {
    const env = { DB: {} } as unknown as Env;
    expect(() => coreWith(env, newIdOn(3, "team"))).toThrow("CORE_3");
  });
});

describe("the numbers of teams", () => {
  it("are divided among the shards without a gap, and lead to their shard", () => {
    const names = shards.slice(1).map((shard) => `CORE_${shard}`);
    const env = Object.fromEntries(["DB", ...names].map((name) => [name, name])) as unknown as Env;
    let next = 1;
    for (const shard of shards) {
      const { first, last } = teamNumbersOf(shard);
      expect(first).toBe(next);
      for (const number of [first, last])
        expect(coresOfNumber(env, number)[0]).toBe(shard === 0 ? "DB" : `CORE_${shard}`);
      next = last + 1;
    }
    expect(next).toBe(2 ** 21);
  });
});

describe("a new team", () => {
  it("goes to the core shard with the fewest teams, among equals to the newest", async () => {
    expect(await chosenOf(teams(3))).toBe(0);
    expect(await chosenOf(teams(3), teams(0))).toBe(1);
    expect(await chosenOf(teams(3), teams(3), teams(3))).toBe(2);
    expect(await chosenOf(teams(2), teams(3))).toBe(0);
  });

  it("goes to no shard that does not answer or has used its numbers", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    expect(await chosenOf(teams(3), coreOf(null))).toBe(0);
    expect(await chosenOf(teams(3), teams(1, teamNumbersOf(1).last))).toBe(0);
  });

  it("stays on shard 0 if that gave out numbers of the other shards", async () => {
    expect(await chosenOf(teams(3, teamNumbersOf(1).first), teams(0))).toBe(0);
  });
});

it("a round over the core databases goes on after a failure, and throws at its end", async () => {
  const env = { DB: "a", CORE_1: "b", CORE_2: "c" } as unknown as Env;
  const seen: unknown[] = [];
  const work = (db: unknown) => {
    seen.push(db);
    return db === "a" ? Promise.reject(new Error("away")) : Promise.resolve();
  };
  await expect(eachCore(env, work)).rejects.toThrow(AggregateError);
  expect(seen).toEqual(["a", "b", "c"]);
});

it.each([
  [true, new Error("D1_ERROR: Network connection lost.")],
  [true, new Error("Network connection lost.")],
  [true, new Error("Failed query", { cause: new Error("D1_ERROR: D1 DB is overloaded.") })],
  [false, new Error("D1_ERROR: UNIQUE constraint failed: teams.id: SQLITE_CONSTRAINT")],
  [false, new Error("D1_ERROR: no such table: teams: SQLITE_ERROR")],
  [false, new TypeError("x is undefined")],
])("isDatabaseAway() is %s for %s", (isAway, error) => {
  expect(isDatabaseAway(error)).toBe(isAway);
});
