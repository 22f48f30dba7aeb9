// Tests /v1/webhooks through the worker's fetch handler: listing, reading and deleting webhooks
// (src/resources/webhooks, contract.md §Webhooks).
import { describe, expect, it } from "vitest";
import { bindings, busyTeam, errorsOf, everyPage, type TestTeam } from "../../support/api.ts";
import {
  CHANGE,
  create,
  get,
  list,
  MEMBERS,
  patch,
  remove,
  rotate,
  type Webhook,
  WISH,
} from "../../support/test-webhooks.ts";
import { coreWith } from "../../../src/db/core-shards.ts";

describe("listing webhooks", () => {
  it("pages from the newest to the oldest without gaps or repeats, though webhooks are added meanwhile", async () => {
    const team = await busyTeam();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1)
      made.unshift((await create(team, { ...WISH, name: `no. ${index}` })).id);
    let isLate = false;
    const seen = await everyPage<Webhook>("/v1/webhooks?limit=2", team.key, async () => {
      if (!isLate) await create(team, { ...WISH, name: "late" });
      isLate = true;
    });
    expect(seen.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
    const times = seen.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().toReversed());
    for (const webhook of seen) expect(Object.keys(webhook)).toEqual(MEMBERS);
  });

  it("keeps its order and its pages among webhooks of one instant", async () => {
    const team = await busyTeam();
    await coreWith(bindings, team.id)
      .prepare(
        `INSERT INTO webhooks (id, team_id, name, url, events, status, secret_prefix, secret_encrypted, created_at)
       SELECT 'wh_' || ?1 || value, ?1, 'same', 'https://hooks.example.com/', '["email.sent"]', 'active', 'whsec_', 'x', 1 FROM json_each(?2)`,
      )
      .bind(team.id, JSON.stringify(Array.from({ length: 45 }, (_, index) => 100 + index)))
      .run();
    const seen = await everyPage<Webhook>("/v1/webhooks", team.key);
    expect(seen.map(({ id }) => id.slice(-3))).toEqual(
      Array.from({ length: 45 }, (_, index) => String(144 - index)),
    );
  });
});

describe("one webhook", () => {
  const everything = (team: TestTeam, id: string) => [
    () => get(team, id),
    () => patch(team, id, CHANGE),
    () => rotate(team, id),
    () => remove(team, id),
  ];

  it("is gone once it is deleted, and only one of many deletions succeeds", async () => {
    const team = await busyTeam();
    const { id } = await create(team);
    const deletions = await Promise.all(Array.from({ length: 5 }, () => remove(team, id)));
    expect(deletions.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      204, 404, 404, 404, 404,
    ]);
    expect(await deletions.find(({ status }) => status === 204)?.text()).toBe("");
    for (const request of everything(team, id)) await errorsOf(request(), 404);
    expect((await list(team)).data).toEqual([]);
  });
});
