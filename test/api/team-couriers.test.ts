// Tests the operator's choice of a team's courier (src/resources/team-settings/courier-choice.ts).
// The operator always sees the courier. The team sees it only where the courier does not keep a
// rule of the contract.
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { TeamResource } from "../../src/resources/teams/wire.ts";
import { fieldsOf, makeTeam, ok, operator, type TestTeam } from "../support/api.ts";
import { ofEachTest } from "../support/before-tests.ts";

const team = ofEachTest(makeTeam);

type Team = z.output<typeof TeamResource>;

const patch = (id: string, body: object) => ok<Team>(operator.patch(`/admin/teams/${id}`, body));

const whoami = (of: TestTeam) => ok<Record<string, unknown>>(of.get("/v1/whoami"));

describe("a team's courier", () => {
  it("is the deployment's courier until the operator names one, and again after the choice is removed", async () => {
    const expected = { courier: null, sending: { courier: "gateway" } };
    expect(await ok(operator.get(`/admin/teams/${team.id}`))).toMatchObject(expected);
    const facts = { courier: "smtp", sending: { courier: "smtp" } };
    expect(await patch(team.id, { courier: "smtp" })).toMatchObject(facts);
    expect(await patch(team.id, { name: "Other" })).toMatchObject({ courier: "smtp" });
    const sending = { courier: "gateway" };
    expect(await patch(team.id, { courier: null })).toMatchObject({ courier: null, sending });
  });

  it("can be named when the team is made", async () => {
    const response = await operator.post("/admin/teams", {
      name: "Relayed",
      courier: "cloudflare",
    });
    const expected = { courier: "cloudflare", sending: { courier: "cloudflare" } };
    expect(await response.json()).toMatchObject(expected);
  });

  it.each(["pigeon", "Gateway", "", 7, []])("is not %j", async (courier) => {
    expect(await fieldsOf(operator.patch(`/admin/teams/${team.id}`, { courier }))).toEqual([
      "courier",
    ]);
    expect(await fieldsOf(operator.post("/admin/teams", { name: "x", courier }))).toEqual([
      "courier",
    ]);
  });

  it("can't be one without IP pools for a team with pools, and such a team can't get pools", async () => {
    const pooled = await makeTeam({ ip_pools: ["receipts"] });
    expect(
      await fieldsOf(operator.patch(`/admin/teams/${pooled.id}`, { courier: "smtp" })),
    ).toEqual(["courier"]);
    expect(await patch(pooled.id, { courier: "smtp", ip_pools: [] })).toMatchObject({
      courier: "smtp",
    });
    expect(
      await fieldsOf(operator.patch(`/admin/teams/${pooled.id}`, { ip_pools: ["receipts"] })),
    ).toEqual(["ip_pools"]);
    expect(
      await fieldsOf(
        operator.post("/admin/teams", { name: "x", courier: "cloudflare", ip_pools: ["a"] }),
      ),
    ).toEqual(["courier"]);
    expect(await patch(pooled.id, { courier: null, ip_pools: ["receipts"] })).toMatchObject({
      courier: null,
    });
  });
});

describe("whoami", () => {
  it.each([
    [
      "smtp",
      {
        dkim_signature: "up_to_relay",
        message_id: "up_to_relay",
        return_path: "up_to_relay",
        ip_pool: "lost",
        server_reply: "lost",
      },
    ],
    [
      "cloudflare",
      {
        dkim_signature: "lost",
        message_id: "lost",
        return_path: "kept",
        ip_pool: "lost",
        server_reply: "kept",
      },
    ],
  ])("says at once which rules of the contract %s can't keep", async (courier, keeps) => {
    expect(await whoami(team)).not.toHaveProperty("sending");
    await patch(team.id, { courier });
    const expected = { team: { id: team.id }, sending: { courier, keeps } };
    expect(await whoami(team)).toMatchObject(expected);
    await patch(team.id, { courier: null });
    expect(await whoami(team)).not.toHaveProperty("sending");
  });
});
