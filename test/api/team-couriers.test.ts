// Tests the operator's choice of a team's courier (src/resources/team-settings/courier-choice.ts).
// The operator always sees the courier. The team sees it only where the courier does not keep a
// rule of the contract.
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { TeamResource } from "../../src/resources/teams/wire.ts";
import { ADMIN_TOKEN, call, type ErrorBody, makeTeam, ok } from "../support/api.ts";

const key = ADMIN_TOKEN;

type Team = z.output<typeof TeamResource>;

async function patch(id: string, body: Record<string, unknown>): Promise<Team> {
  return ok<Team>(call("PATCH", `/admin/teams/${id}`, { key, body }));
}

async function refusal(
  method: string,
  path: string,
  body: Record<string, unknown>,
): Promise<string[]> {
  const response = await call(method, path, { key, body });
  expect(response.status).toBe(422);
  return Object.keys((await response.json<ErrorBody>()).error.errors ?? {});
}

async function whoami(teamKey: string): Promise<Record<string, unknown>> {
  return ok<Record<string, unknown>>(call("GET", "/v1/whoami", { key: teamKey }));
}

describe("a team's courier", () => {
  it("is the deployment's courier until the operator names one, and again after the choice is removed", async () => {
    const team = await makeTeam();
    const expected = { courier: null, sending: { courier: "gateway" } };
    expect(await ok(call("GET", `/admin/teams/${team.id}`, { key }))).toMatchObject(expected);
    const facts = { courier: "smtp", sending: { courier: "smtp" } };
    expect(await patch(team.id, { courier: "smtp" })).toMatchObject(facts);
    expect(await patch(team.id, { name: "Other" })).toMatchObject({ courier: "smtp" });
    const sending = { courier: "gateway" };
    expect(await patch(team.id, { courier: null })).toMatchObject({ courier: null, sending });
  });

  it("can be named when the team is made", async () => {
    const request = { key, body: { name: "Relayed", courier: "cloudflare" } };
    const response = await call("POST", "/admin/teams", request);
    const expected = { courier: "cloudflare", sending: { courier: "cloudflare" } };
    expect(await response.json()).toMatchObject(expected);
  });

  it.each(["pigeon", "Gateway", "", 7, []])("is not %j", async (courier) => {
    const team = await makeTeam();
    expect(await refusal("PATCH", `/admin/teams/${team.id}`, { courier })).toEqual(["courier"]);
    expect(await refusal("POST", "/admin/teams", { name: "x", courier })).toEqual(["courier"]);
  });

  it("without IP pools is none for a team that has some, and the other way round", async () => {
    const pooled = await makeTeam({ ip_pools: ["receipts"] });
    expect(await refusal("PATCH", `/admin/teams/${pooled.id}`, { courier: "smtp" })).toEqual([
      "courier",
    ]);
    expect(await patch(pooled.id, { courier: "smtp", ip_pools: [] })).toMatchObject({
      courier: "smtp",
    });
    expect(await refusal("PATCH", `/admin/teams/${pooled.id}`, { ip_pools: ["receipts"] })).toEqual(
      ["ip_pools"],
    );
    expect(
      await refusal("POST", "/admin/teams", { name: "x", courier: "cloudflare", ip_pools: ["a"] }),
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
  ])("says at once what %s can't keep", async (courier, keeps) => {
    const team = await makeTeam();
    expect(await whoami(team.key)).not.toHaveProperty("sending");
    await patch(team.id, { courier });
    const expected = { team: { id: team.id }, sending: { courier, keeps } };
    expect(await whoami(team.key)).toMatchObject(expected);
    await patch(team.id, { courier: null });
    expect(await whoami(team.key)).not.toHaveProperty("sending");
  });
});
