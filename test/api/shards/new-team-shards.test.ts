// Tests which shard and number a new team gets, and which shard holds its suppressions
// (src/resources/shards, docs/scaling.md).
import { sortByTeams } from "../../../src/resources/shards/choose.ts";
import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import { teamByNumber } from "../../../src/resources/team-settings/team-cache.ts";
import { settingsOf } from "../../../src/settings.ts";
import { bindings, call, statement } from "../../support/api.ts";
import {
  key,
  GB,
  shardOf,
  sized,
  deployment,
  teamMadeIn,
  shards,
  shown,
  dayShown,
} from "./shard-deployment.ts";

describe("a new team", () => {
  it("is put on the shard that the setting names, from its first day on", async () => {
    const today = dayShown(Date.now());
    expect(await teamMadeIn(deployment("1"))).toMatchObject({
      shards: [{ from: today, shards: [1] }],
    });
    expect(await teamMadeIn(deployment("0"))).toMatchObject({
      shards: [{ from: today, shards: [0] }],
    });
  });

  it("is put on the shard with the fewest teams among those in the setting, or among all", async () => {
    for (const setting of [" 0, 1", undefined]) {
      const before = await shards();
      const [fewest] = sortByTeams(
        [0, 1],
        new Map(before.map(({ shard, teams }) => [shard, teams])),
      );
      expect(await teamMadeIn(deployment(setting))).toMatchObject({
        shards: [{ shards: [fewest] }],
      });
    }
    expect(settingsOf({ ...bindings, SHARDS_FOR_NEW_TEAMS: "" }).newTeamShards).toEqual([0, 1]);
  });

  it.each([
    [[0, 1, 2], { 0: 5, 1: 2, 2: 3 }, 1],
    [[0, 2], { 0: 5, 1: 2, 2: 3 }, 2],
    [[0, 1, 2], { 0: 5 }, 2],
    [[0, 1], { 0: 4, 1: 4 }, 1],
  ])("goes to the emptiest, newest shard: of %j with %j, to %i", (open, teams, expected) => {
    const counts = new Map(Object.entries(teams).map(([shard, count]) => [Number(shard), count]));
    expect(sortByTeams(open, counts)[0]).toBe(expected);
  });

  it.each([
    [[7.1 * GB, 6.9 * GB], 1],
    [[6.9 * GB, 7.1 * GB], 0],
    [[7 * GB, 7 * GB + 1], 0],
    [[null, 1 * GB], 1],
    [[1 * GB, null], 0],
    [[9 * GB, null], 0],
    [[null, 9 * GB], 1],
  ])(
    "with shards of %j bytes, is not put on a full or silent shard, but on %i",
    async (sizes, expected) => {
      const full = deployment("0,1", sizes);
      for (let time = 0; time < 2; time += 1)
        expect(await teamMadeIn(full)).toMatchObject({ shards: [{ shards: [expected] }] });
    },
  );

  it("is put on a shard even when every shard is full or silent", async () => {
    for (const sizes of [
      [8 * GB, 9 * GB],
      [null, null],
    ])
      expect((await teamMadeIn(deployment("0,1", sizes))).shards[0]?.shards).toHaveLength(1);
  });

  it("makes the worker ask for a shard's size at most once a minute", async () => {
    const asked = vi.fn<() => void>();
    const env = { ...deployment("0,1"), SHARD_1: sized(1, GB, asked) } as unknown as Env;
    vi.setSystemTime(Date.now());
    for (let time = 0; time < 3; time += 1) await teamMadeIn(env);
    vi.setSystemTime(Date.now() + 59_000);
    await teamMadeIn(env);
    expect(asked).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Date.now() + 1_000);
    await teamMadeIn(env);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it.each(["2", "1,2", "x", "1,", "-1"])("needs valid shards in the setting, not %s", (wrong) => {
    expect(() => settingsOf({ ...bindings, SHARDS_FOR_NEW_TEAMS: wrong })).toThrow(
      "SHARDS_FOR_NEW_TEAMS",
    );
  });
});

describe("a team's number", () => {
  it("is the next number, also for teams that are made at once", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => teamMadeIn(bindings)));
    const numbers = made.map(({ number }) => number).toSorted((left, right) => left - right);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index));
    expect(numbers[0]).toBeGreaterThan(0);
  });

  it("finds the team until it is deleted", async () => {
    const { id, number } = await teamMadeIn(bindings);
    expect(await teamByNumber(bindings, number, Date.now())).toMatchObject({ id, number });
    expect((await call("DELETE", `/admin/teams/${id}`, { key })).status).toBe(204);
    expect(await teamByNumber(bindings, number, Date.now())).toBeUndefined();
    expect(await teamByNumber(bindings, 2_097_151, Date.now())).toBeUndefined();
  });

  it("is never reused, so no other team reads the chunks of a deleted team", async () => {
    const first = await teamMadeIn(bindings);
    await call("DELETE", `/admin/teams/${first.id}`, { key });
    expect((await teamMadeIn(bindings)).number).toBeGreaterThan(first.number);
  });

  it("is at most 2,097,151, the largest number of 21 bits", async () => {
    const { id } = await teamMadeIn(bindings);
    const set = (number: number) =>
      statement("UPDATE teams SET number = ?2 WHERE id = ?1", id, number).run();
    await expect(set(2_097_152)).rejects.toThrow("CHECK constraint failed");
    await set(2_097_151);
    expect((await shown(id)).number).toBe(2_097_151);
    expect(await statement("DELETE FROM teams WHERE id = ?", id).run()).toMatchObject({
      changes: 1,
    });
  });
});

describe("a team's suppressions", () => {
  it("are on its first shard, and stay there when its events go to another shard", async () => {
    const team = await teamMadeIn(deployment("1"));
    const { key: own } = team.api_key;
    const rows = async () =>
      Promise.all(
        [0, 1].map((number) =>
          shardOf(number)
            .prepare("SELECT email FROM suppressions WHERE team_id = ?")
            .bind(team.id)
            .raw(),
        ),
      );
    const request = { key: own, body: { email: "ann@example.org" } };
    expect((await call("POST", "/v1/suppressions", request)).status).toBe(201);
    expect(await rows()).toEqual([[], [["ann@example.org"]]]);
    expect(
      (await call("POST", `/admin/teams/${team.id}/shards`, { key, body: { shards: [0] } })).status,
    ).toBe(200);
    vi.setSystemTime(Date.now() + 2 * 86_400_000);
    const taken = { key: own, body: { email: "bob@example.org" } };
    expect((await call("POST", "/v1/suppressions", taken)).status).toBe(201);
    expect(await rows()).toEqual([[], [["ann@example.org"], ["bob@example.org"]]]);
    expect((await call("GET", "/v1/suppressions/ann@example.org", { key: own })).status).toBe(200);
  });
});
