// Tests src/resources/events/routes.ts: GET /v1/events.
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import type { ApiRequest, HttpReply } from "../../../../src/endpoint.ts";
import { RefusalError } from "../../../../src/refusal.ts";
import { eventEndpoints } from "../../../../src/resources/events/routes.ts";
import { EventQuery } from "../../../../src/resources/events/wire.ts";
import { anEvent, DAY, env, newTeam, NOON, type SampleTeam, write } from "./sample-events.ts";

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
  const request = {
    env,
    caller: { team },
    query: EventQuery.parse(query),
    page: { limit, after },
    now,
  };
  return pull.handle(request as unknown as ApiRequest);
}

async function addDomain(name: string, teamId = team.id): Promise<void> {
  await env.DB.prepare(
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
    await write(team, [
      anEvent(team.id, {
        fromDomain: "gone.example",
        occurredAt: NOON - 20 * DAY,
        topic: "receipts",
      }),
    ]);
    expect((await get({ domain: "gone.example" })).list?.data).toEqual([]);
    expect(
      (await get({ domain: "gone.example", topic: "security", start: "2026-09-25" })).list?.data,
    ).toEqual([]);
    expect(
      (await get({ domain: "gone.example", topic: "receipts", start: "2026-09-25" })).list?.data,
    ).toHaveLength(1);
    team = { ...team, eventRetentionDays: 7 };
    await expect(get({ domain: "gone.example" })).rejects.toThrow("malformed");
  });
});
