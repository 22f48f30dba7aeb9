// Tests the operator API (src/resources/teams, contract.md §Operator API).
import { describe, expect, it } from "vitest";
import { settingsOf } from "../../src/settings.ts";
import {
  askDeployment,
  bindings,
  call,
  fieldsOf,
  makeTeam,
  ok,
  operator,
  statement,
} from "../support/api.ts";
import { makeSendingDomain } from "../support/domain.ts";

describe("the operator API", () => {
  it("makes a team with the default limits and a first full key, shown once", async () => {
    const team = await ok<{ id: string; api_key: { id: string; key: string } }>(
      operator.post("/admin/teams", { name: " Acme " }),
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
      region: null,
      first_mail: null,
      sending: { courier: "gateway", keeps: expect.any(Object) },
      number: expect.any(Number),
      shards: [{ from: new Date(Date.now()).toISOString().slice(0, 10), shards: [0] }],
      created_at: expect.any(String),
      updated_at: expect.any(String),
      api_key: expect.objectContaining({
        name: "First key",
        key_prefix: team.api_key.key.slice(0, 12),
        permissions: "full",
        key: expect.stringMatching(/^ps_[0-9A-Za-z]{40}$/),
      }),
    });
    const stored = await statement("SELECT * FROM api_keys WHERE id = ?", team.api_key.id).first();
    expect(JSON.stringify(stored)).not.toContain(team.api_key.key);
  });

  it("changes only the members that a PATCH names, at once", async () => {
    const team = await makeTeam({ overage_credits: 5, ip_pools: ["a", "b"] });
    await (await team.get("/v1/whoami")).arrayBuffer();
    expect(
      await ok(
        operator.patch(`/admin/teams/${team.id}`, {
          limits: { daily: 3 },
          label_caps: { topic_per_hour: 9 },
          event_retention_days: 7,
          overage_credits: 8,
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
    await operator.patch(`/admin/teams/${team.id}`, { subscription: "inactive" });
    expect((await team.get("/v1/whoami")).status).toBe(402);
  });

  it("shows a team as it was made, without its key", async () => {
    const wish = { name: "Acme", limits: { monthly: 7 }, overage_credits: 3 };
    const made = ok<{ id: string; api_key: unknown }>(operator.post("/admin/teams", wish), 201);
    const { api_key: _, ...team } = await made;
    expect(await ok(operator.get(`/admin/teams/${team.id}`))).toEqual(team);
  });

  it("deletes a team with its keys", async () => {
    const team = await makeTeam();
    expect((await operator.delete(`/admin/teams/${team.id}`)).status).toBe(204);
    expect((await operator.get(`/admin/teams/${team.id}`)).status).toBe(404);
    expect((await operator.delete(`/admin/teams/${team.id}`)).status).toBe(404);
    expect((await call("GET", "/v1/whoami", { key: team.key, ip: "192.0.2.75" })).status).toBe(401);
  });

  it("sets a team's days of content within its retention and the operator's limit", async () => {
    const team = await makeTeam({ event_retention_days: 7 });
    const settings = { content_days: 0, most_content_days: 7, event_retention_days: 7 };
    expect(await ok(team.get("/v1/team"))).toMatchObject({ id: team.id, ...settings });
    for (const content_days of [30, 4, "7"])
      expect(await fieldsOf(team.patch("/v1/team", { content_days }))).toEqual(["content_days"]);
    expect(await ok(team.patch("/v1/team", { content_days: 7 }))).toMatchObject({
      content_days: 7,
    });
    expect(await ok(team.patch("/v1/team", {}))).toMatchObject({ content_days: 7 });
    await operator.patch(`/admin/teams/${team.id}`, { event_retention_days: 3 });
    expect(await ok(team.get("/v1/team"))).toMatchObject({ content_days: 3 });
  });

  it("finds teams by a part of the name or of a domain, and by the id", async () => {
    const mark = crypto.randomUUID().slice(0, 8);
    const [named, owner] = [await makeTeam(), await makeTeam()];
    await ok(operator.patch(`/admin/teams/${named.id}`, { name: `Shop ${mark.toUpperCase()}` }));
    await makeSendingDomain(owner.id, `mail.${mark}.example`);
    const found = async (q: string) =>
      (await ok<{ data: { id: string }[] }>(operator.get(`/admin/teams?q=${q}`))).data.map(
        ({ id }) => id,
      );
    expect(await found(`shop%20${mark}`)).toEqual([named.id]);
    expect(await found(`${mark}.EXAMPLE`)).toEqual([owner.id]);
    expect(await found(owner.id)).toEqual([owner.id]);
    expect(await found(`${mark}.test`)).toEqual([]);
  });

  it("takes names of topics for recipients, all at once", async () => {
    const team = await makeTeam();
    const topic_names = { News: " Weekly news ", "pass.word": "Account" };
    const kept = { topic_names: { news: "Weekly news", "pass.word": "Account" } };
    expect(await ok(team.patch("/v1/team", { topic_names }))).toMatchObject(kept);
    expect(await ok(team.patch("/v1/team", { content_days: 3 }))).toMatchObject(kept);
    for (const [topic, name] of [
      ["*", "All"],
      ["a b", "A"],
      ["news", " "],
      ["news", "x".repeat(101)],
    ] as const)
      expect(await fieldsOf(team.patch("/v1/team", { topic_names: { [topic]: name } }))).toEqual([
        `topic_names.${topic}`,
      ]);
    expect(await ok(team.patch("/v1/team", { topic_names: {} }))).toMatchObject({
      topic_names: {},
    });
  });

  it.each([
    ["", "", [0, 30]],
    ["7", "", [7, 30]],
    ["30", "3", [3, 3]],
  ])("takes the days of content from CONTENT_DAYS %o, at most %o", async (days, most, expected) => {
    const { key: teamKey } = await makeTeam();
    const parts = { CONTENT_DAYS: days, CONTENT_DAYS_MOST: most };
    const team = await ok<Record<string, number>>(askDeployment(parts, "GET", "/v1/team", teamKey));
    expect([team["content_days"], team["most_content_days"]]).toEqual(expected);
    const wrong = { ...bindings, CONTENT_DAYS: "5" };
    expect(() => settingsOf(wrong)).toThrow("setting CONTENT_DAYS must be one of 0, 3, 7, 30");
  });

  it.each([
    [{}, "name"],
    [{ name: "x", limits: { daily: -1 } }, "limits.daily"],
    [{ name: "x", limits: { delivery_rate_per_minute: 0 } }, "limits.delivery_rate_per_minute"],
    [{ name: "x", label_caps: { tags_per_hour: 1.5 } }, "label_caps.tags_per_hour"],
    [{ name: "x", event_retention_days: 8 }, "event_retention_days"],
    [{ name: "x", subscription: "maybe" }, "subscription"],
    [{ name: "x", overage_credits: "many" }, "overage_credits"],
    [{ name: "x", ip_pools: ["Bad Pool"] }, "ip_pools.0"],
  ])("answers 422 to %j on %s", async (body, path) => {
    expect(await fieldsOf(operator.post("/admin/teams", body))).toContain(path);
  });
});
