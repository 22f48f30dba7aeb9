// The operator's shards (src/resources/shards, docs/scaling.md): which one a new team is put on,
// and over which a team is spread.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { app } from "../../src/api/app.ts";
import type { ShardSpan } from "../../src/db/shards.ts";
import { type Env, settingsOf } from "../../src/env.ts";
import { sortByTeams } from "../../src/resources/shards/choose.ts";
import { teamByNumber, teamFor } from "../../src/resources/teams/team-cache.ts";
import { ADMIN_TOKEN, bindings, call, type ErrorBody, makeTeam } from "../support/api.ts";

const key = ADMIN_TOKEN;
const GB = 1_000_000_000;

interface Shard {
  readonly shard: number;
  readonly teams: number;
  readonly size: number | null;
  readonly takes_new_teams: boolean;
}

interface ShownTeam {
  readonly id: string;
  readonly number: number;
  readonly shards: { readonly from: string; readonly shards: readonly number[] }[];
  readonly updated_at: string;
  readonly api_key: { readonly key: string };
}

const shardOf = (number: number) =>
  (bindings as unknown as Record<string, D1Database>)[`SHARD_${number}`] as D1Database;

/**
 * The shard as it would be with so many bytes; null: it does not answer. `asked` counts who wants
 * to know.
 */
function sized(number: number, size: number | null, asked = vi.fn<() => void>()): D1Database {
  const shard = shardOf(number);
  const run = async () => {
    asked();
    if (size === null) throw new Error("the shard is down");
    return { meta: { size_after: size } };
  };
  const prepare = (sql: string) => (sql === "SELECT 1" ? { run } : shard.prepare(sql));
  return {
    prepare,
    batch: (all: D1PreparedStatement[]) => shard.batch(all),
  } as unknown as D1Database;
}

/** A deployment with that setting, whose shards are so large. */
function deployment(newTeams: string | undefined, sizes: readonly (number | null)[] = []): Env {
  const { SHARDS_FOR_NEW_TEAMS: _, ...others } = bindings;
  const measured = Object.fromEntries(
    sizes.map((size, number) => [`SHARD_${number}`, sized(number, size)]),
  );
  return {
    ...others,
    ...measured,
    ...(newTeams === undefined ? {} : { SHARDS_FOR_NEW_TEAMS: newTeams }),
  };
}

async function ask(env: Env, method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const request = new Request(`https://api.postern.test${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const context = createExecutionContext();
  const response = await app.fetch(request, env, context);
  await waitOnExecutionContext(context);
  return response;
}

async function teamMadeIn(env: Env): Promise<ShownTeam> {
  const response = await ask(env, "POST", "/admin/teams", { name: "Somebody" });
  expect(response.status).toBe(201);
  return response.json();
}

async function shards(env: Env = bindings): Promise<Shard[]> {
  const response = await ask(env, "GET", "/admin/shards");
  expect(response.status).toBe(200);
  return (await response.json<{ shards: Shard[] }>()).shards;
}

const shown = async (id: string): Promise<ShownTeam> =>
  (await call("GET", `/admin/teams/${id}`, { key })).json();
const dayShown = (ms: number) => new Date(ms).toISOString().slice(0, 10);

afterEach(() => {
  vi.useRealTimers();
});

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

  it("is put on the shard with the fewest teams where several take some, or the setting is silent", async () => {
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
  ])("of %j with %j teams goes to %i: the fewest, then the newest", (open, teams, expected) => {
    expect(
      sortByTeams(
        open,
        new Map(Object.entries(teams).map(([shard, count]) => [Number(shard), count])),
      )[0],
    ).toBe(expected);
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
    "is not put, of shards with %j bytes, where there is no room or no answer, but on %i",
    async (sizes, expected) => {
      const full = deployment("0,1", sizes);
      for (let time = 0; time < 2; time += 1)
        expect(await teamMadeIn(full)).toMatchObject({ shards: [{ shards: [expected] }] });
    },
  );

  it("is put somewhere all the same where every shard is full or silent", async () => {
    for (const sizes of [
      [8 * GB, 9 * GB],
      [null, null],
    ])
      expect((await teamMadeIn(deployment("0,1", sizes))).shards[0]?.shards).toHaveLength(1);
  });

  it("has a shard asked for its size once a minute", async () => {
    const asked = vi.fn<() => void>();
    const env = { ...deployment("0,1"), SHARD_1: sized(1, GB, asked) } as unknown as Env;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    for (let time = 0; time < 3; time += 1) await teamMadeIn(env);
    vi.setSystemTime(Date.now() + 59_000);
    await teamMadeIn(env);
    expect(asked).toHaveBeenCalledTimes(1);
    vi.setSystemTime(Date.now() + 1_000);
    await teamMadeIn(env);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it.each(["2", "1,2", "x", "1,", "-1"])("stops the deployment when the setting is %s", (wrong) => {
    expect(() => settingsOf({ ...bindings, SHARDS_FOR_NEW_TEAMS: wrong })).toThrow(
      "SHARDS_FOR_NEW_TEAMS",
    );
  });
});

describe("a team's number", () => {
  it("is the next one, also for teams that are made at once", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => teamMadeIn(bindings)));
    const numbers = made.map(({ number }) => number).toSorted((left, right) => left - right);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index));
    expect(numbers[0]).toBeGreaterThan(0);
  });

  it("leads to the team, and to none once it is deleted", async () => {
    const { id, number } = await teamMadeIn(bindings);
    expect(await teamByNumber(bindings, number, Date.now())).toMatchObject({ id, number });
    expect((await call("DELETE", `/admin/teams/${id}`, { key })).status).toBe(204);
    expect(await teamByNumber(bindings, number, Date.now())).toBeUndefined();
    expect(await teamByNumber(bindings, 2_097_151, Date.now())).toBeUndefined();
  });

  it("never comes again: pages that a deleted team has left are read by no other", async () => {
    const first = await teamMadeIn(bindings);
    await call("DELETE", `/admin/teams/${first.id}`, { key });
    expect((await teamMadeIn(bindings)).number).toBeGreaterThan(first.number);
  });

  it("ends at 2,097,151, which 21 bits hold", async () => {
    const { id } = await teamMadeIn(bindings);
    const set = (number: number) =>
      bindings.DB.prepare("UPDATE teams SET number = ?2 WHERE id = ?1").bind(id, number).run();
    await expect(set(2_097_152)).rejects.toThrow("CHECK constraint failed");
    await set(2_097_151);
    expect((await shown(id)).number).toBe(2_097_151);
    expect(
      await bindings.DB.prepare("DELETE FROM teams WHERE id = ?").bind(id).run(),
    ).toMatchObject({ success: true });
  });
});

describe("GET /admin/shards", () => {
  it("counts each shard's teams, says how large it is and which take new ones", async () => {
    const [before] = await shards();
    await makeTeam();
    expect(await shards()).toEqual([
      {
        shard: 0,
        teams: (before?.teams ?? 0) + 1,
        size: expect.any(Number),
        takes_new_teams: true,
      },
      { shard: 1, teams: expect.any(Number), size: expect.any(Number), takes_new_teams: false },
    ]);
  });

  it("has no size of a shard that does not answer", async () => {
    expect((await shards(deployment("0", [null, 5 * GB]))).map(({ size }) => size)).toEqual([
      null,
      5 * GB,
    ]);
  });

  it("counts a team on each shard of today's span, and not on those to come", async () => {
    const team = await makeTeam();
    const before = await shards();
    const spans: ShardSpan[] = [
      { from: "20200101", shards: [0, 1] },
      { from: "20990101", shards: [1] },
    ];
    await bindings.DB.prepare("UPDATE teams SET shards = ?2 WHERE id = ?1")
      .bind(team.id, JSON.stringify(spans))
      .run();
    const after = await shards();
    expect(after.map(({ teams }, index) => teams - (before[index]?.teams ?? 0))).toEqual([0, 1]);
  });

  it("is the operator's alone", async () => {
    const team = await makeTeam();
    expect(
      (await call("GET", "/admin/shards", { key: team.key, ip: "203.0.113.240" })).status,
    ).toBe(401);
  });
});

describe("POST /admin/teams/{id}/shards", () => {
  const widen = (id: string, body?: unknown) =>
    call("POST", `/admin/teams/${id}/shards`, { key, body });
  const spansIn = async (response: Response) => (await response.json<{ shards: unknown }>()).shards;
  /** The midnight from which a widening counts. */
  const begins = () => dayShown(Math.ceil((Date.now() + 3_600_000) / 86_400_000) * 86_400_000);

  it("adds the emptiest other shard from the next midnight on, once, however often it is called", async () => {
    const team = await teamMadeIn(bindings);
    const spans = [...team.shards, { from: begins(), shards: [0, 1] }];
    for (const body of [undefined, {}]) {
      const response = await widen(team.id, body);
      expect([response.status, await spansIn(response)]).toEqual([200, spans]);
    }
    expect((await shown(team.id)).shards).toEqual(spans);
    expect(
      (await teamFor(bindings, team.id, Date.now()))?.shards.map(({ shards: on }) => on),
    ).toEqual([[0], [0, 1]]);
  });

  it("takes the shards that are named, in that order, in the place of what was to come", async () => {
    const team = await teamMadeIn(bindings);
    await widen(team.id, { shards: [1, 0] });
    expect(await spansIn(await widen(team.id, { shards: [1] }))).toEqual([
      ...team.shards,
      { from: begins(), shards: [1] },
    ]);
    expect(await spansIn(await widen(team.id, { shards: [0] }))).toEqual(team.shards);
    expect((await shown(team.id)).shards).toEqual(team.shards);
  });

  it("changes nothing in a dry run", async () => {
    const team = await teamMadeIn(bindings);
    const before = await shown(team.id);
    expect(await spansIn(await widen(team.id, { dry_run: true }))).toEqual([
      ...team.shards,
      { from: begins(), shards: [0, 1] },
    ]);
    expect(await shown(team.id)).toEqual(before);
  });

  it.each([
    [undefined, [8 * GB, GB], [1]],
    [[0, 1], [8 * GB, GB], [1]],
    [
      [1, 0],
      [8 * GB, 9 * GB],
      [1, 0],
    ],
    [
      [0, 1],
      [null, GB],
      [0, 1],
    ],
  ])(
    "leaves out, of %j with %j bytes, shards that are full while there are others: %j",
    async (named, sizes, expected) => {
      const team = await teamMadeIn(bindings);
      const response = await ask(deployment("0", sizes), "POST", `/admin/teams/${team.id}/shards`, {
        shards: named,
      });
      const [first, ...next] = (await spansIn(response)) as ShownTeam["shards"];
      expect(first).toEqual(team.shards[0]);
      expect(next.at(-1)?.shards ?? first?.shards).toEqual(expected);
    },
  );

  it("keeps one answer where several come at once", async () => {
    const team = await teamMadeIn(bindings);
    const answers = await Promise.all(
      [[1], [0, 1], [1, 0], [1]].map(async (named) =>
        spansIn(await widen(team.id, { shards: named })),
      ),
    );
    expect(answers).toContainEqual((await shown(team.id)).shards);
  });

  it.each([
    [{ shards: [] }, "shards", "must name a shard"],
    [{ shards: [0, 7] }, "shards", "7 is not; there are 0, 1"],
    [{ shards: [-1] }, "shards", "-1 is not"],
    [{ shards: [1, 0, 1] }, "shards", "1 is named twice"],
    [{ shards: "1" }, "shards", ""],
    [{ shards: [0.5] }, "shards.0", ""],
    [{ dry_run: "yes" }, "dry_run", ""],
  ])("answers 422 to %j on %s", async (body, field, words) => {
    const response = await widen((await makeTeam()).id, body);
    expect(response.status).toBe(422);
    expect((await response.json<ErrorBody>()).error.errors?.[field]?.join()).toContain(words);
  });

  it("answers 422 where each other shard is full", async () => {
    const team = await teamMadeIn(bindings);
    const response = await ask(
      deployment("0", [GB, 8 * GB]),
      "POST",
      `/admin/teams/${team.id}/shards`,
      {},
    );
    expect(response.status).toBe(422);
    expect((await response.json<ErrorBody>()).error.errors?.["shards"]?.join()).toContain(
      "the other bound shards are full (1)",
    );
  });

  it("answers 422 where there is no shard to add", async () => {
    const team = await teamMadeIn(bindings);
    const spans: ShardSpan[] = [{ from: "20200101", shards: [1, 0] }];
    await bindings.DB.prepare("UPDATE teams SET shards = ?2 WHERE id = ?1")
      .bind(team.id, JSON.stringify(spans))
      .run();
    const response = await widen(team.id);
    expect(response.status).toBe(422);
    expect((await response.json<ErrorBody>()).error.errors?.["shards"]?.join()).toContain(
      "the team is already on every bound shard (0, 1)",
    );
  });

  it("answers 404 to an unknown team, and 401 to a team", async () => {
    expect((await widen("team_00000000-0000-7000-8000-000000000000")).status).toBe(404);
    const team = await makeTeam();
    expect(
      (await call("POST", `/admin/teams/${team.id}/shards`, { key: team.key, ip: "203.0.113.241" }))
        .status,
    ).toBe(401);
  });
});

describe("a team's suppressions", () => {
  it("lie on its first shard, and stay there when its events go to another", async () => {
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
    expect(
      (await call("POST", "/v1/suppressions", { key: own, body: { email: "ann@example.org" } }))
        .status,
    ).toBe(201);
    expect(await rows()).toEqual([[], [["ann@example.org"]]]);
    expect(
      (await call("POST", `/admin/teams/${team.id}/shards`, { key, body: { shards: [0] } })).status,
    ).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * 86_400_000 });
    expect(
      (await call("POST", "/v1/suppressions", { key: own, body: { email: "bob@example.org" } }))
        .status,
    ).toBe(201);
    expect(await rows()).toEqual([[], [["ann@example.org"], ["bob@example.org"]]]);
    expect((await call("GET", "/v1/suppressions/ann@example.org", { key: own })).status).toBe(200);
  });
});
