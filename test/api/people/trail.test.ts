// Tests the trail (docs/audit.md): each change leaves one entry, and other requests leave none. An
// entry says who changed which members, through which interface.
import { beforeEach, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { AuditRecord } from "../../../src/resources/audit/wire.ts";
import { endpoints } from "../../../src/api/app.ts";
import { bindings, busyTeam, call, ok, operator, statement } from "../../support/api.ts";
import { idOfDomain, makeSendingDomain } from "../../support/domain.ts";
import { consoleHeaders } from "../console/console-calls.ts";
import { answerForKeys, makeMember, makeOwner, newPerson, page } from "./access.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

type Entry = z.output<typeof AuditRecord>;

async function trailOf(query = ""): Promise<Entry[]> {
  const headers = await consoleHeaders(team.key);
  const read = call("GET", `/console/audit?limit=100${query}`, { headers });
  return (await ok<{ data: Entry[] }>(read)).data;
}

const SETTINGS = { permissions: "full", allowed_domains: null, allowed_ips: null };
const HOOK = { name: "h", url: "https://hook.example.com/x", events: ["email.bounced"] };

/** Makes every change of a team once, and yields its operation. Repeats most without effect. */
async function* changesOf(): AsyncGenerator<string> {
  const key = await ok<{ id: string }>(team.post("/v1/api-keys", { name: "k", ...SETTINGS }), 201);
  yield "api_key.create";
  const renamed = { name: "other", ...SETTINGS };
  await ok(team.patch(`/v1/api-keys/${key.id}`, renamed));
  await ok(team.patch(`/v1/api-keys/${key.id}`, renamed));
  yield "api_key.update";
  await team.delete(`/v1/api-keys/${key.id}`);
  await team.delete(`/v1/api-keys/${key.id}`);
  yield "api_key.delete";
  yield* templateChanges();
  yield* webhookChanges();
  await ok(team.patch("/v1/team", { content_days: 3 }));
  await ok(team.patch("/v1/team", { content_days: 3 }));
  await ok(team.patch("/v1/team", {}));
  yield "team.update";
  yield* mailChanges();
}

async function* templateChanges(): AsyncGenerator<string> {
  const html = "<p>Hi</p>";
  const made = team.post("/v1/templates", { name: "t", subject: "Hi", html });
  const { id } = await ok<{ id: string }>(made, 201);
  await team.post("/v1/templates", { name: "t", html });
  yield "template.create";
  const path = `/v1/templates/${id}`;
  await ok(team.post(`${path}/publish`));
  await team.post(`${path}/publish`);
  yield "template.publish";
  await ok(team.patch(`${path}/draft`, { subject: "Two" }));
  await ok(team.patch(`${path}/draft`, { subject: "Two" }));
  yield "template_draft.update";
  await team.delete(`${path}/draft`);
  await team.delete(`${path}/draft`);
  yield "template_draft.delete";
  await ok(team.post(`${path}/versions/1/restore`));
  await team.post(`${path}/versions/9/restore`);
  yield "template_version.restore";
  await ok(team.post(`${path}/duplicate`), 201);
  yield "template.duplicate";
  await ok(team.patch(path, { name: "renamed" }));
  await ok(team.patch(path, { name: "renamed" }));
  yield "template.update";
  await team.delete(path);
  yield "template.delete";
}

async function* webhookChanges(): AsyncGenerator<string> {
  const { id } = await ok<{ id: string }>(team.post("/v1/webhooks", HOOK), 201);
  yield "webhook.create";
  const path = `/v1/webhooks/${id}`;
  const changed = { ...HOOK, name: "renamed", status: "active" };
  await ok(team.patch(path, changed));
  await ok(team.patch(path, changed));
  yield "webhook.update";
  await ok(team.post(`${path}/rotate-secret`));
  await team.post(`${path}/rotate-secret`);
  yield "webhook.rotate_secret";
  const start = new Date(Date.now() - 60_000).toISOString();
  await ok(team.post(`${path}/replay`, { start }), 202);
  yield "webhook.replay";
  await team.delete(path);
  yield "webhook.delete";
}

async function* mailChanges(): AsyncGenerator<string> {
  const name = await makeSendingDomain(team.id);
  const domain = `/v1/domains/${await idOfDomain(name)}`;
  await ok(team.patch(domain, { tracking: { opens_enabled: true, subdomain: "click" } }));
  await ok(team.patch(domain, { tracking: { opens_enabled: true } }));
  yield "domain.update";
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const mail = { from: `a@${name}`, to: ["b@example.net"], subject: "s", text: "t" };
  const send = (more: object) =>
    ok<{ id: string }>(team.post("/v1/email", { ...mail, scheduled_at: at, ...more }), 202);
  const { id } = await send({});
  const later = new Date(Date.now() + 7_200_000).toISOString();
  await ok(team.patch(`/v1/email/${id}`, { scheduled_at: later }));
  await ok(team.patch(`/v1/email/${id}`, { scheduled_at: later }));
  yield "email.move";
  await ok(team.post(`/v1/email/${id}/cancel`));
  await ok(team.post(`/v1/email/${id}/cancel`));
  yield "email.cancel";
  await send({ campaign: "spring" });
  await ok(team.post("/v1/email/cancel", { campaign: "spring" }));
  await ok(team.post("/v1/email/cancel", { campaign: "spring" }));
  yield "campaign.cancel";
  const kept = await send({ to: ["c@example.net"] });
  await ok(team.post(`/v1/email/${kept.id}/send-again`), 202);
  await team.post("/v1/email/email_x/send-again");
  yield "email.send_again";
  await ok(team.post("/v1/suppressions", { email: "x@example.net" }), 201);
  await team.post("/v1/suppressions", { email: "x@example.net" });
  yield "suppression.create";
  await team.delete("/v1/suppressions/x@example.net");
  await team.delete("/v1/suppressions/x@example.net");
  yield "suppression.delete";
  const csv = { raw: "email\ny@example.net\n", headers: { "Content-Type": "text/csv" } };
  await ok(call("POST", "/v1/suppressions/import", { key: team.key, ...csv }), 202);
  yield "suppression.import";
  await team.delete(domain);
  await team.delete(domain);
  yield "domain.delete";
}

/** Endpoints without an entry: they send, change no row, or mark a reply as seen. */
const WITHOUT_ENTRY = [
  ..."POST /v1/email|POST /v1/email/batch|POST /v1/email/check".split("|"),
  ..."POST /v1/templates/preview|POST /v1/webhooks/:id/test|PATCH /v1/replies/:id".split("|"),
];

/** Operations that need real records in DNS. */
const ELSEWHERE = ["domain.create", "domain.verify"];

describe("the trail", () => {
  beforeEach(() => answerForKeys());

  it("has one entry of each change by each endpoint, and none of a request that changed nothing", async () => {
    const made: string[] = [];
    for await (const operation of changesOf()) made.push(operation);
    const operations = async () => (await trailOf()).map((one) => one.operation).toSorted();
    await expect.poll(operations).toEqual(["team.create", ...made].toSorted());
    const marked = endpoints.filter(({ path, audit }) => path.startsWith("/v1/") && audit);
    const known = new Set(marked.map(({ audit }) => audit?.operation ?? ""));
    expect(new Set([...made, ...ELSEWHERE])).toEqual(known);
  });

  it("has one entry of each change by the operator and by owners, and none of a repetition", async () => {
    const path = `/admin/teams/${team.id}`;
    const ask = (method: string, place: string, body?: object) =>
      call(method, place, { key: operator.key, ...(body && { body }) });
    const twice = async (once: () => Promise<Response>) => {
      expect((await once()).status).toBeLessThan(300);
      await once();
    };
    await twice(() => ask("PATCH", path, { name: "renamed" }));
    await twice(() => ask("POST", `${path}/shards`, { shards: [0, 1] }));
    const headers = await makeOwner(team);
    const member = newPerson();
    await makeMember(headers, { role: "viewer" }, member);
    const { members } = await ok<{ members: { id: string; email: string }[] }>(
      page("GET", "/console/members", { headers }),
    );
    const id = members.find(({ email }) => email === member.email)?.id ?? "";
    const body = { role: "developer" };
    await twice(() => page("PATCH", `/console/members/${id}`, { headers, body }));
    await twice(() => page("DELETE", `/console/members/${id}`, { headers }));
    const [kept, gone] = [`dead_${crypto.randomUUID()}`, `dead_${crypto.randomUUID()}`];
    const letter = bindings.DB.prepare(
      "INSERT INTO dead_letters VALUES (?, 'postern-dns-cleanup', '{\"recordIds\":[]}', 'x', 1, 1, 1)",
    );
    await bindings.DB.batch([kept, gone].map((one) => letter.bind(one)));
    await twice(() => ask("POST", `/admin/dead-letters/${kept}/requeue`));
    await twice(() => ask("DELETE", `/admin/dead-letters/${gone}`));
    const operationsOf = async (actors: string) => {
      const { results } = await statement(
        "SELECT operation FROM audit_entries WHERE (target IN (?1, ?2, ?3) OR team_id = ?1) " +
          `AND actor_kind IN (${actors}) ORDER BY operation`,
        team.id,
        kept,
        gone,
      ).all();
      return results.map(({ operation }) => operation);
    };
    const byPeople = ["invite", "join", "join", "remove", "update"].map((verb) => `member.${verb}`);
    expect(await operationsOf("'person'")).toEqual(byPeople);
    await twice(() => ask("DELETE", path));
    const marked = endpoints.filter(({ path: place, audit }) => !place.startsWith("/v1/") && audit);
    const known = new Set(marked.map(({ audit }) => audit?.operation ?? ""));
    const byOperator = [...known].filter((name) => !byPeople.includes(name));
    expect(await operationsOf("'operator', 'person'")).toEqual(
      [...byOperator, "member.invite"].toSorted(),
    );
  });

  it("has one entry of each change among requests that race", async () => {
    const made = team.post("/v1/templates", { name: "t", html: "<p>x</p>" });
    const { id } = await ok<{ id: string }>(made, 201);
    const path = `/v1/templates/${id}`;
    const race = (ask: () => Promise<Response>) =>
      Promise.all(Array.from({ length: 6 }, async () => (await ask()).status));
    const statuses = [
      ...(await race(() => team.post(`${path}/publish`))),
      ...(await race(() => team.patch(path, { name: crypto.randomUUID() }))),
      ...(await race(() => team.post("/v1/templates", { name: "same" }))),
      ...(await race(() => team.delete(path))),
    ];
    const changes = statuses.filter((status) => status < 300).length;
    expect(await trailOf()).toHaveLength(2 + changes);
  });

  it("misses no endpoint that changes something", () => {
    const unmarked = endpoints
      .filter(({ method, audit, internal }) => method !== "GET" && !audit && !internal)
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => !/\/console\/session|\/admin\/console-links/.test(name));
    expect(unmarked).toEqual(WITHOUT_ENTRY);
  });

  it("says who changed which members, through which interface and in which request", async () => {
    const { id } = await ok<{ id: string }>(team.post("/v1/templates", { name: "a" }), 201);
    const changed = await team.patch(`/v1/templates/${id}`, { name: "b", sensitive: true });
    const [last] = await trailOf(`&target=${id}&operation=template.update`);
    expect(last).toMatchObject({
      actor: { kind: "key", id: team.keyId, name: "First key" },
      via: "api",
      operation: "template.update",
      target: id,
      changed: ["name", "sensitive"],
      request_id: changed.headers.get("X-Request-Id"),
    });
    const headers = { ...(await consoleHeaders(team.key)) };
    await call("DELETE", `/v1/templates/${id}`, { headers });
    const [{ via } = { via: "" }] = await trailOf("&operation=template.delete");
    expect(via).toBe("console");
  });

  it("names the operator and people, and only owners can read it", async () => {
    await ok(operator.patch(`/admin/teams/${team.id}`, { name: "renamed", overage_credits: 5 }));
    await ok(operator.patch(`/admin/teams/${team.id}`, { name: "renamed" }));
    const owner = await makeOwner(team);
    const viewer = await makeMember(owner, { role: "viewer", may_lift_suppressions: true });
    await ok(team.post("/v1/suppressions", { email: "lift@example.net" }), 201);
    await page("DELETE", "/v1/suppressions/lift@example.net", { headers: viewer });
    const read = (headers: Record<string, string>) =>
      page("GET", "/console/audit?limit=100", { headers });
    const { data } = await ok<{ data: Entry[] }>(read(owner));
    const told = data.map(({ actor, operation, changed }) => [actor.kind, operation, changed]);
    expect(told).toContainEqual(["operator", "team.update", ["name", "overage_credits"]]);
    expect(told).toContainEqual(["person", "suppression.delete", []]);
    expect(told.filter(([, operation]) => operation === "team.update")).toHaveLength(1);
    const joined = told.filter(([, operation]) => operation === "member.join");
    expect(joined).toEqual([
      ["person", "member.join", []],
      ["person", "member.join", []],
    ]);
    expect((await read(viewer)).status).toBe(403);
    const byKey = await page("POST", "/console/session", { body: { key: team.key } });
    const cookie = (byKey.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
    expect((await read({ Cookie: cookie })).status).toBe(403);
  });

  it("is read page by page, and by the operator", async () => {
    for (const name of ["a", "b", "c"]) await ok(team.post("/v1/templates", { name }), 201);
    const headers = await consoleHeaders(team.key);
    const first = call("GET", "/console/audit?limit=3", { headers });
    const { data, next_cursor: next } = await ok<{ data: Entry[]; next_cursor: string }>(first);
    const rest = await ok<{ data: Entry[] }>(
      call("GET", `/console/audit?limit=3&after=${encodeURIComponent(next)}`, { headers }),
    );
    expect([...data, ...rest.data].map(({ operation }) => operation)).toEqual([
      "template.create",
      "template.create",
      "template.create",
      "team.create",
    ]);
    const mine = await ok<{ data: Entry[] }>(operator.get(`/admin/audit?target=${team.id}`));
    expect(mine.data.map(({ operation }) => operation)).toEqual(["team.create"]);
  });
});
