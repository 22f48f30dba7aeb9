// Tests the operator's endpoints for shards (src/resources/shards, docs/scaling.md): listing the
// shards, and spreading a team's events over several of them.
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Shards } from "../../../src/resources/shards/wire.ts";
import { coreShardOf } from "../../../src/db/core-shards.ts";
import { teamFor } from "../../../src/resources/team-settings/team-cache.ts";
import type { ShardSpan } from "../../../src/rpc/shard-types.ts";
import { bindings, errorsOf, makeTeam, ok, operator, statement } from "../../support/api.ts";
import {
  GB,
  type ShownTeam,
  deployment,
  ask,
  teamMadeIn,
  shards,
  shown,
  dayShown,
} from "./shard-deployment.ts";

type CoreShard = z.output<typeof Shards>["core_shards"][number];

const spread = (id: string, spans: readonly ShardSpan[]) =>
  statement("UPDATE teams SET shards = ?2 WHERE id = ?1", id, JSON.stringify(spans)).run();

describe("GET /admin/shards", () => {
  it("shows each shard's teams and size, and whether it takes new teams", async () => {
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

  it("shows the core shards, of which the one with the fewest teams takes the next", async () => {
    const read = async () =>
      (await ok<{ core_shards: CoreShard[] }>(operator.get("/admin/shards"))).core_shards;
    const before = await read();
    expect(before.map(({ core_shard: shard }) => shard)).toEqual([0, 1]);
    const open = before.findIndex(({ takes_new_teams: isOpen }) => isOpen);
    const { id } = await makeTeam();
    expect(coreShardOf(id)).toBe(open);
    const after = await read();
    expect(after[open]).toMatchObject({
      teams: Number(before[open]!.teams) + 1,
      size: expect.any(Number),
    });
  });

  it("shows a null size for a shard that does not answer", async () => {
    const sizes = (await shards(deployment("0", [null, 5 * GB]))).map(({ size }) => size);
    expect(sizes).toEqual([null, 5 * GB]);
  });

  it("counts a team on each shard of today's span, and not on shards of later spans", async () => {
    const team = await makeTeam();
    const before = await shards();
    await spread(team.id, [
      { from: "20200101", shards: [0, 1] },
      { from: "20990101", shards: [1] },
    ]);
    const after = await shards();
    expect(after.map(({ teams }, index) => teams - (before[index]?.teams ?? 0))).toEqual([0, 1]);
  });
});

describe("POST /admin/teams/{id}/shards", () => {
  const widen = (id: string, body?: unknown) => operator.post(`/admin/teams/${id}/shards`, body);
  const spansIn = async (response: Response) => (await response.json<{ shards: unknown }>()).shards;
  /** The next midnight in UTC. From then on, the added shard is used. */
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

  it("uses the named shards in their order, instead of a span that has not begun", async () => {
    const team = await teamMadeIn(bindings);
    await widen(team.id, { shards: [1, 0] });
    const expected = [...team.shards, { from: begins(), shards: [1] }];
    expect(await spansIn(await widen(team.id, { shards: [1] }))).toEqual(expected);
    expect(await spansIn(await widen(team.id, { shards: [0] }))).toEqual(team.shards);
    expect((await shown(team.id)).shards).toEqual(team.shards);
  });

  it("changes nothing in a dry run", async () => {
    const team = await teamMadeIn(bindings);
    const before = await shown(team.id);
    const expected = [...team.shards, { from: begins(), shards: [0, 1] }];
    expect(await spansIn(await widen(team.id, { dry_run: true }))).toEqual(expected);
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
    "with shards %j of %j bytes, leaves out full shards while others have room: %j",
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

  it("applies one of several concurrent calls", async () => {
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
    [{ shards: [0, 7] }, "shards", "7 is not one; there are 0, 1"],
    [{ shards: [-1] }, "shards", "-1 is not"],
    [{ shards: [1, 0, 1] }, "shards", "1 is named twice"],
    [{ shards: "1" }, "shards", ""],
    [{ shards: [0.5] }, "shards.0", ""],
    [{ dry_run: "yes" }, "dry_run", ""],
  ])("answers 422 to %j on %s", async (body, field, words) => {
    const errors = await errorsOf(widen((await makeTeam()).id, body));
    expect(errors[field]?.join()).toContain(words);
  });

  it("answers 422 when every other shard is full", async () => {
    const team = await teamMadeIn(bindings);
    const large = deployment("0", [GB, 8 * GB]);
    const errors = await errorsOf(ask(large, "POST", `/admin/teams/${team.id}/shards`, {}));
    expect(errors["shards"]?.join()).toContain(
      "the shards that the team is not on are full (1): add a shard first, by npm run shard -- add",
    );
  });

  it("answers 422 when no shard is left to add", async () => {
    const team = await teamMadeIn(bindings);
    await spread(team.id, [{ from: "20200101", shards: [1, 0] }]);
    expect((await errorsOf(widen(team.id)))["shards"]?.join()).toContain(
      "already on all shards (0, 1): add a shard first, by npm run shard -- add",
    );
  });
});
