// Tests the operator API (src/resources/teams, contract.md §Operator API).
import { describe, expect, it } from "vitest";
import { ADMIN_TOKEN, call, fieldsOf, makeTeam, ok, statement } from "../support/api.ts";

const key = ADMIN_TOKEN;

describe("the operator API", () => {
  it("makes a team with the default limits and a first full key, shown once", async () => {
    const team = await ok<{ id: string; api_key: { id: string; key: string } }>(
      call("POST", "/admin/teams", { key, body: { name: " Acme " } }),
      201,
    );
    expect(team).toEqual({
      id: expect.stringMatching(/^team_[0-9a-f-]{36}$/),
      name: "Acme",
      limits: {
        daily: 10_000,
        monthly: 100_000,
        delivery_rate_per_minute: 600,
        requests_per_second: 10,
      },
      label_caps: {
        tags_per_hour: 1_000,
        topic_per_hour: 100,
        campaign_per_hour: 200,
        campaign_per_72_hours: 1_000,
      },
      event_retention_days: 30,
      subscription: "active",
      overage_credits: 0,
      ip_pools: [],
      courier: null,
      sending: { courier: "gateway", keeps: expect.any(Object) },
      number: expect.any(Number),
      shards: [{ from: new Date(Date.now()).toISOString().slice(0, 10), shards: [0] }],
      created_at: expect.any(String),
      updated_at: expect.any(String),
      api_key: {
        id: expect.stringMatching(/^key_[0-9a-f-]{36}$/),
        name: "First key",
        key_prefix: team.api_key.key.slice(0, 12),
        permissions: "full",
        allowed_domains: null,
        allowed_ips: null,
        last_used_at: null,
        created_at: expect.any(String),
        key: expect.stringMatching(/^ps_[0-9A-Za-z]{40}$/),
      },
    });
    const stored = await statement("SELECT * FROM api_keys WHERE id = ?", team.api_key.id).first();
    expect(JSON.stringify(stored)).not.toContain(team.api_key.key);
  });

  it("changes only the members that a PATCH names, at once", async () => {
    const team = await makeTeam({ overage_credits: 5, ip_pools: ["a", "b"] });
    await (await team.get("/v1/whoami")).arrayBuffer();
    expect(
      await ok(
        call("PATCH", `/admin/teams/${team.id}`, {
          key,
          body: {
            limits: { daily: 3 },
            label_caps: { topic_per_hour: 9 },
            event_retention_days: 7,
            overage_credits: 8,
          },
        }),
      ),
    ).toMatchObject({
      limits: { daily: 3, monthly: 100_000 },
      label_caps: { topic_per_hour: 9, tags_per_hour: 1_000 },
      event_retention_days: 7,
      overage_credits: 8,
      ip_pools: ["a", "b"],
    });
    expect(await ok(team.get("/v1/whoami"))).toMatchObject({ limits: { daily: 3 } });
    await call("PATCH", `/admin/teams/${team.id}`, { key, body: { subscription: "inactive" } });
    expect((await team.get("/v1/whoami")).status).toBe(402);
  });

  it("shows a team as it was made, without its key", async () => {
    const request = { key, body: { name: "Acme", limits: { monthly: 7 }, overage_credits: 3 } };
    const made = await call("POST", "/admin/teams", request);
    const { api_key: _, ...team } = await made.json<{ id: string; api_key: unknown }>();
    expect(await ok(call("GET", `/admin/teams/${team.id}`, { key }))).toEqual(team);
  });

  it("deletes a team with its keys", async () => {
    const team = await makeTeam();
    expect((await call("DELETE", `/admin/teams/${team.id}`, { key })).status).toBe(204);
    expect((await call("GET", `/admin/teams/${team.id}`, { key })).status).toBe(404);
    expect((await call("DELETE", `/admin/teams/${team.id}`, { key })).status).toBe(404);
    expect((await call("GET", "/v1/whoami", { key: team.key, ip: "192.0.2.75" })).status).toBe(401);
  });

  it.each([
    [{}, "name"],
    [{ name: "" }, "name"],
    [{ name: 7 }, "name"],
    [{ name: "a\u0000b" }, "name"],
    [{ name: "\ud800" }, "name"],
    [{ name: "x", limits: { daily: -1 } }, "limits.daily"],
    [{ name: "x", limits: { delivery_rate_per_minute: 0 } }, "limits.delivery_rate_per_minute"],
    [{ name: "x", limits: [] }, "limits"],
    [{ name: "x", label_caps: { tags_per_hour: 1.5 } }, "label_caps.tags_per_hour"],
    [{ name: "x", event_retention_days: 8 }, "event_retention_days"],
    [{ name: "x", subscription: "maybe" }, "subscription"],
    [{ name: "x", overage_credits: "many" }, "overage_credits"],
    [{ name: "x", ip_pools: ["Bad Pool"] }, "ip_pools.0"],
  ])("answers 422 to %j on %s", async (body, path) => {
    expect(await fieldsOf(call("POST", "/admin/teams", { key, body }))).toContain(path);
  });
});
