// /v1/webhooks through the worker's own fetch: listing, reading and deleting webhooks
// (src/resources/webhooks, contract.md §Webhooks).
import { describe, expect, it } from "vitest";
import { bindings, call, type TestTeam } from "../../support/api.ts";
import {
  busyTeam,
  CHANGE,
  create,
  errorsOf,
  get,
  list,
  MEMBERS,
  patch,
  post,
  remove,
  rotate,
  shown,
  type Webhook,
  type WebhookList,
  WISH,
} from "../../support/test-webhooks.ts";

describe("listing webhooks", () => {
  it("pages from the newest to the oldest without gaps or repeats, though webhooks are added meanwhile", async () => {
    const team = await busyTeam();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1)
      made.unshift((await create(team, { ...WISH, name: `no. ${index}` })).id);
    const seen: Webhook[] = [];
    for (let after: string | null = ""; after !== null;) {
      const page: WebhookList = await list(team, `limit=2${after && `&after=${after}`}`);
      expect(page.has_more).toBe(page.next_cursor !== null);
      seen.push(...page.data);
      if (seen.length === 2) await create(team, { ...WISH, name: "late" });
      after = page.next_cursor;
    }
    expect(seen.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
    const times = seen.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted().toReversed());
    for (const webhook of seen) expect(Object.keys(webhook)).toEqual(MEMBERS);
  });

  it("keeps its order and its pages among webhooks of one instant", async () => {
    const team = await busyTeam();
    await bindings.DB.prepare(
      `INSERT INTO webhooks (id, team_id, name, url, events, status, secret_prefix, secret_encrypted, created_at)
       SELECT 'wh_' || ?1 || value, ?1, 'same', 'https://hooks.example.com/', '["email.sent"]', 'active', 'whsec_', 'x', 1 FROM json_each(?2)`,
    )
      .bind(team.id, JSON.stringify(Array.from({ length: 45 }, (_, index) => 100 + index)))
      .run();
    const seen: string[] = [];
    for (let after: string | null = ""; after !== null;) {
      const page: WebhookList = await list(team, after && `after=${after}`);
      seen.push(...page.data.map(({ id }) => id.slice(-3)));
      after = page.next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => String(144 - index)));
  });

  it("refuses a limit outside 1 to 100 and a cursor of another team or endpoint", async () => {
    const [team, other] = [await busyTeam(), await busyTeam()];
    for (const owner of [team, other])
      for (let index = 0; index < 2; index += 1) await create(owner);
    await call("POST", "/v1/api-keys", { key: team.key, body: { name: "x", permissions: "full" } });
    const foreign = (await list(other, "limit=1")).next_cursor;
    const keys: WebhookList = await (
      await call("GET", "/v1/api-keys?limit=1", { key: team.key })
    ).json();
    for (const query of [
      "limit=0",
      "limit=101",
      "limit=x",
      "after=x",
      `after=${foreign}`,
      `after=${keys.next_cursor}`,
    ]) {
      const errors = await errorsOf(
        await call("GET", `/v1/webhooks?${query}`, { key: team.key }),
        422,
      );
      expect(Object.keys(errors)).toEqual([query.split("=")[0]]);
    }
  });
});

describe("one webhook", () => {
  const NOBODYS = [
    "wh_00000000-0000-4000-8000-000000000000",
    "wh_nonsense",
    "%00",
    "x".repeat(2_000),
    "a%2Fb",
    "%zz",
    "%F0%9F%99%82",
  ];

  const everything = (team: TestTeam, id: string) => [
    () => get(team, id),
    () => patch(team, id, CHANGE),
    () => rotate(team, id),
    () => remove(team, id),
  ];

  it("is the same 404 under an unknown id, an ill-formed one or another team's, which stays as it is", async () => {
    const [owner, other] = [await busyTeam(), await busyTeam()];
    const { signing_secret: _secret, ...made } = await create(owner);
    const bodies = new Set<string>();
    for (const id of [...NOBODYS, made.id]) {
      for (const request of everything(other, id)) {
        const response = await request();
        expect([id, response.status]).toEqual([id, 404]);
        bodies.add(await response.text());
      }
    }
    expect([...bodies]).toEqual([
      '{"error":{"type":"not_found","message":"No resource with this id or name was found. A ' +
        'key sees only the resources of its team."}}',
    ]);
    expect(await shown(owner, made.id)).toEqual(made);
    expect((await list(other)).data).toEqual([]);
  });

  it("is gone once it is deleted, and only one of many deletions succeeds", async () => {
    const team = await busyTeam();
    const { id } = await create(team);
    const deletions = await Promise.all(Array.from({ length: 5 }, () => remove(team, id)));
    expect(deletions.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      204, 404, 404, 404, 404,
    ]);
    expect(await deletions.find(({ status }) => status === 204)?.text()).toBe("");
    for (const request of everything(team, id)) await errorsOf(await request(), 404);
    expect((await list(team)).data).toEqual([]);
  });

  it("is for full keys alone", async () => {
    const team = await busyTeam();
    const { id } = await create(team);
    const sender = await call("POST", "/v1/api-keys", {
      key: team.key,
      body: { name: "x", permissions: "send_only" },
    });
    const { key } = await sender.json<{ key: string }>();
    const limited = { ...team, key };
    for (const request of [
      ...everything(limited, id),
      () => post(limited, WISH),
      () => call("GET", "/v1/webhooks", { key }),
    ])
      expect((await request()).status).toBe(403);
    expect((await call("GET", "/v1/webhooks", { ip: "203.0.113.220" })).status).toBe(401);
    expect(
      (await call("POST", `/v1/webhooks/${id}/rotate-secret`, { ip: "203.0.113.220" })).status,
    ).toBe(401);
    expect((await shown(team, id)).status).toBe("active");
  });

  it("answers a wrong method with those that there are", async () => {
    const { key } = await busyTeam();
    expect((await call("PUT", "/v1/webhooks/wh_x", { key })).headers.get("Allow")).toBe(
      "GET, PATCH, DELETE",
    );
    expect(
      (await call("GET", "/v1/webhooks/wh_x/rotate-secret", { key })).headers.get("Allow"),
    ).toBe("POST");
    expect((await call("DELETE", "/v1/webhooks", { key })).status).toBe(405);
  });
});
