// Tests /v1/webhooks through the worker's fetch handler: listing, reading and deleting webhooks
// (src/resources/webhooks, contract.md §Webhooks).
import { describe, expect, it } from "vitest";
import { busyTeam, errorsOf, type TestTeam } from "../../support/api.ts";
import { CHANGE, create, get, list, patch, remove, rotate } from "../../support/test-webhooks.ts";

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
