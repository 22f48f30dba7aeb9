// Tests src/resources/events/routes.ts: GET /v1/events.
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import type { ApiRequest, HttpReply } from "../../../../src/endpoint.ts";
import { RefusalError } from "../../../../src/refusal.ts";
import { eventEndpoints } from "../../../../src/resources/events/routes.ts";
import { EventQuery } from "../../../../src/resources/events/wire.ts";
import { anEvent, DAY, env, newTeam, NOON, type SampleTeam, write } from "./sample-events.ts";
import { coreWith } from "../../../../src/db/core-shards.ts";

const pull = eventEndpoints[0]!;
let team: SampleTeam;

beforeEach(() => {
  team = newTeam();
});

/** Calls the endpoint as api/ does, with the parsed query. */
async function get(
  query: Record<string, string> = {},
  {
    after = null,
    limit = 20,
    now = NOON + 1,
  }: { after?: string | null; limit?: number; now?: number } = {},
): Promise<HttpReply> {
  const asked = { query: EventQuery.parse(query), page: { limit, after } };
  const request = { env, caller: { team }, ...asked, now };
  return pull.handle(request as unknown as ApiRequest);
}

async function addDomain(name: string, teamId = team.id): Promise<void> {
  await coreWith(env, teamId)
    .prepare(
      "INSERT INTO domains (id, team_id, name, status, target_label, published_record_ids, " +
        "tracking_status, created_at) VALUES (?1, ?2, ?3, 'pending', ?1, '[]', 'disabled', 0)",
    )
    .bind(newId("domain"), teamId, name)
    .run();
}

describe("GET /v1/events", () => {
  it("returns an empty page for a domain of the team without events, in any spelling", async () => {
    await addDomain("quiet.example");
    await addDomain("xn--mnchen-3ya.example");
    for (const domain of ["quiet.example", "Quiet.EXAMPLE", "münchen.example"]) {
      expect((await get({ domain })).list).toEqual({ data: [], next: null });
    }
  });

  it.each(["nowhere.example", "domain_019f0000-0000-7000-8000-000000000000", "not a host", "\0"])(
    "refuses the unknown domain %j as malformed, naming its field",
    async (domain) => {
      await addDomain("nowhere.example", newTeam().id);
      const other = newTeam();
      await write(other, [anEvent(other.id, { fromDomain: "nowhere.example" })]);
      const error: unknown = await get({ domain }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RefusalError);
      expect((error as RefusalError).refusal).toEqual({
        code: "malformed",
        errors: { domain: ["is not a sending domain of this team"] },
      });
    },
  );

  it("accepts a removed domain as long as that domain has events, whatever the other filters", async () => {
    const labels = { fromDomain: "gone.example", topic: "receipts" };
    await write(team, [anEvent(team.id, { ...labels, occurredAt: NOON - 20 * DAY })]);
    for (const [query, count] of [
      [{}, 0],
      [{ topic: "security", start: "2026-09-25" }, 0],
      [{ topic: "receipts", start: "2026-09-25" }, 1],
    ] as const)
      expect((await get({ domain: "gone.example", ...query })).list?.data).toHaveLength(count);
    team = { ...team, eventRetentionDays: 7 };
    await expect(get({ domain: "gone.example" })).rejects.toThrow("malformed");
  });
});
