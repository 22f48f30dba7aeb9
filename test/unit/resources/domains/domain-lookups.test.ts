// Tests how the pipeline looks up domains (src/resources/domains/domain-lookups.ts).
import { describe, expect, it, vi } from "vitest";
import { findSendingDomain } from "../../../../src/resources/domains/domain-lookups.ts";
import { env } from "./calls.ts";
import { outsideOfEachTest } from "./outside.ts";
import { publishDomain, verify } from "./published-domain.ts";
import { watchedDatabase } from "../../../support/fakes/watched-database.ts";
import { coreWith } from "../../../../src/db/core-shards.ts";

const outside = outsideOfEachTest();

describe("the look-up of a sending domain", () => {
  it("asks the database once, and again after a minute", async () => {
    const { team, domain, name } = await publishDomain(outside);
    await verify(team, domain.id);
    const core = coreWith(env, team.team.id);
    const prepare = vi.fn(core.prepare.bind(core));
    const scope = { db: watchedDatabase(prepare), teamId: team.team.id };
    const start = Date.now();
    const clock = vi.spyOn(Date, "now");
    for (const [after, asked] of [
      [0, 1],
      [59_999, 1],
      [60_000, 2],
    ] as const) {
      clock.mockReturnValue(start + after);
      expect(await findSendingDomain(scope, name)).toEqual({ id: domain.id, name });
      expect(prepare).toHaveBeenCalledTimes(asked);
    }
  });
});
