// A team whose first shard is not the first that is bound (docs/scaling.md §A team on several
// shards): a bounce suppresses there, and a delivery looks there.
import { expect, it } from "vitest";
import { forgetCredentials } from "../../src/resources/api-keys/credentials.ts";
import { forgetTeam } from "../../src/resources/team-settings/team-cache.ts";
import { bindings } from "../support/api.ts";
import { DELIVERED } from "../support/fake-egress.ts";
import type { ShardSpan } from "../../src/contracts/shard-types.ts";
import { someone, Harness, typesOf } from "../support/harness.ts";

const shards = bindings as unknown as Record<"SHARD_0" | "SHARD_1", D1Database>;

async function standOn(shard: number): Promise<Harness> {
  const stand = await Harness.make();
  const spans: ShardSpan[] = [{ from: "20200101", shards: [shard] }];
  await bindings.DB.prepare("UPDATE teams SET shards = ?2 WHERE id = ?1")
    .bind(stand.team.id, JSON.stringify(spans))
    .run();
  forgetCredentials(stand.team.id);
  forgetTeam(stand.team.id);
  return stand;
}

it("keeps mail from an address whose bounce it has recorded", async () => {
  const stand = await standOn(1);
  const to = someone();
  stand.egress.replies(to, {
    ...DELIVERED,
    code: 550,
    enhanced: "5.1.1",
    text: "no such user",
    stage: "rcpt",
  });
  const first = await stand.send({ to: [to], text: "Hi" });
  expect(typesOf(await stand.history(first, 2))).toEqual(["email.sent", "email.bounced"]);
  await expect
    .poll(() =>
      shards.SHARD_1.prepare("SELECT count(*) AS n FROM suppressions WHERE email = ?")
        .bind(to)
        .first("n"),
    )
    .toBe(1);
  const second = await stand.send({ to: [to], text: "Hi" });
  expect(typesOf(await stand.history(second, 1))).toEqual(["email.suppressed"]);
  expect(stand.egress.to(to)).toHaveLength(1);
  expect(
    await shards.SHARD_0.prepare("SELECT count(*) AS n FROM suppressions WHERE email = ?")
      .bind(to)
      .first("n"),
  ).toBe(0);
});
