// The operator's shards (src/resources/shards, docs/scaling.md): which shard a new team is put on.
import { describe, expect, it } from "vitest";
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { app } from "../../src/api/app.ts";
import { type Env, settingsOf } from "../../src/env.ts";
import { emptiest } from "../../src/resources/teams/shards.ts";
import { ADMIN_TOKEN, bindings, call, makeTeam } from "../support/api.ts";

const key = ADMIN_TOKEN;

/** A team made by a deployment whose setting that is. */
async function teamMadeWith(newTeams: string | undefined): Promise<{ id: string; shards: { from: string; shards: number[] }[] }> {
  const { SHARDS_FOR_NEW_TEAMS: _, ...others } = bindings;
  const env = (newTeams === undefined ? others : { ...others, SHARDS_FOR_NEW_TEAMS: newTeams }) as Env;
  const request = new Request("https://api.postern.test/admin/teams", {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Somebody" }),
  });
  const context = createExecutionContext();
  const response = await app.fetch(request, env, context);
  await waitOnExecutionContext(context);
  expect(response.status).toBe(201);
  return response.json();
}

describe("a new team", () => {
  it("is put on the shard that the setting names, and its events with it", async () => {
    expect(await teamMadeWith("1")).toMatchObject({ shards: [{ shards: [1] }] });
    expect(await teamMadeWith("0")).toMatchObject({ shards: [{ shards: [0] }] });
  });

  it("is put on the shard with the fewest teams where several take some, or the setting is silent", async () => {
    const before = await shards();
    const fewest = emptiest([0, 1], new Map(before.map(({ shard, teams }) => [shard, teams])));
    expect(await teamMadeWith(" 0, 1")).toMatchObject({ shards: [{ shards: [fewest] }] });
    expect(settingsOf({ ...bindings, SHARDS_FOR_NEW_TEAMS: "" }).newTeamShards).toEqual([0, 1]);
  });

  it.each([
    [[0, 1, 2], { 0: 5, 1: 2, 2: 3 }, 1],
    [[0, 2], { 0: 5, 1: 2, 2: 3 }, 2],
    [[0, 1, 2], { 0: 5 }, 2],
    [[0, 1], { 0: 4, 1: 4 }, 1],
  ])("of %j with %j teams goes to %i: the fewest, then the newest", (open, teams, expected) => {
    expect(emptiest(open, new Map(Object.entries(teams).map(([shard, count]) => [Number(shard), count])))).toBe(expected);
  });

  it.each(["2", "1,2", "x", "1,", "-1"])("stops the deployment when the setting is %s", (wrong) => {
    expect(() => settingsOf({ ...bindings, SHARDS_FOR_NEW_TEAMS: wrong })).toThrow("SHARDS_FOR_NEW_TEAMS");
  });
});

async function shards(): Promise<{ shard: number; teams: number; takes_new_teams: boolean }[]> {
  const response = await call("GET", "/admin/shards", { key });
  expect(response.status).toBe(200);
  return (await response.json<{ shards: { shard: number; teams: number; takes_new_teams: boolean }[] }>()).shards;
}

describe("GET /admin/shards", () => {
  it("counts each shard's teams and says which take new ones", async () => {
    const [before] = await shards();
    await makeTeam();
    expect(await shards()).toEqual([
      { shard: 0, teams: (before?.teams ?? 0) + 1, takes_new_teams: true },
      { shard: 1, teams: expect.any(Number), takes_new_teams: false },
    ]);
  });

  it("is the operator's alone", async () => {
    const team = await makeTeam();
    expect((await call("GET", "/admin/shards", { key: team.key, ip: "203.0.113.240" })).status).toBe(401);
  });
});
