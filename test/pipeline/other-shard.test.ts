// Tests a team whose home shard is not the first shard (docs/scaling.md §A team on several shards):
// a bounce suppresses on the home shard, and deliveries look there.
import { expect, it } from "vitest";
import { forgetTeam } from "../../src/resources/api-keys/credentials.ts";
import { bindings, statement } from "../support/api.ts";
import { DELIVERED } from "../support/fakes/fake-egress.ts";
import type { ShardSpan } from "../../src/rpc/shard-types.ts";
import { someone, Harness, kindsOf } from "../support/harness.ts";

const shards = bindings as unknown as Record<"SHARD_0" | "SHARD_1", D1Database>;

async function makeHarnessOn(shard: number): Promise<Harness> {
  const harness = await Harness.make();
  const spans: ShardSpan[] = [{ from: "20200101", shards: [shard] }];
  await statement(
    "UPDATE teams SET shards = ?2 WHERE id = ?1",
    harness.id,
    JSON.stringify(spans),
  ).run();
  forgetTeam(harness.id);
  return harness;
}

it("a bounce on the home shard suppresses the address for later mail", async () => {
  const harness = await makeHarnessOn(1);
  const to = someone();
  const reply = { ...DELIVERED, code: 550, enhanced: "5.1.1", text: "no such user", stage: "rcpt" };
  harness.egress.replies(to, reply);
  const first = await harness.send({ to: [to], text: "Hi" });
  expect(kindsOf(await harness.history(first, 2))).toBe("sent bounced");
  await expect
    .poll(() =>
      shards.SHARD_1.prepare("SELECT count(*) AS n FROM suppressions WHERE email = ?")
        .bind(to)
        .first("n"),
    )
    .toBe(1);
  const second = await harness.send({ to: [to], text: "Hi" });
  expect(kindsOf(await harness.history(second, 1))).toBe("suppressed");
  expect(harness.egress.to(to)).toHaveLength(1);
  expect(
    await shards.SHARD_0.prepare("SELECT count(*) AS n FROM suppressions WHERE email = ?")
      .bind(to)
      .first("n"),
  ).toBe(0);
});
