// Tests the aliases of templates through the worker's fetch handler (contract.md §Aliases).
import { describe, expect, it } from "vitest";
import type { Page } from "../../support/api.ts";
import { busyTeam, call, errorsOf, fieldsOf, ok } from "../../support/api.ts";
import type { TestTemplate } from "../../support/templates.ts";
import { at, create, get, patchDraft, publish } from "../../support/templates.ts";
import { anEvent, write } from "../../unit/resources/events/sample-events.ts";
import { numbered } from "../../support/shard-bindings.ts";
import { ofEachTest } from "../../support/before-tests.ts";
import { TestSender } from "../../support/test-sender.ts";

const TAKEN = ["is taken by another template"];

const team = ofEachTest(TestSender.make);

const patch = (named: string, body: unknown) => team.patch(at(named), body);

async function published(alias: string, subject: string): Promise<TestTemplate> {
  await create(team, { alias, subject, html: `<p>${subject}</p>` });
  return ok<TestTemplate>(publish(team, alias));
}

describe("an alias", () => {
  it("is refused if it looks like an id or a path, and the previous alias stays", async () => {
    const { id } = await create(team, { alias: "before" });
    for (const alias of ["", "a b", "preview", "template_1", crypto.randomUUID(), 7]) {
      const body = { name: "x", alias };
      const made = await team.post("/v1/templates", body);
      expect(await fieldsOf(made)).toEqual(["alias"]);
      expect(await fieldsOf(patch(id, { alias }))).toEqual(["alias"]);
    }
    expect((await get<TestTemplate>(team, at("before"))).id).toBe(id);
  });

  it("is null at first, is set and cleared by PATCH, and is free again without its template", async () => {
    const { id, alias } = await create(team);
    expect(alias).toBeNull();
    expect(await ok(patch(id, { alias: "welcome" }))).toMatchObject({ alias: "welcome" });
    const expected = { name: "Renamed", alias: "welcome" };
    expect(await ok(patch("welcome", { name: "Renamed" }))).toMatchObject(expected);
    expect((await get<Page<TestTemplate>>(team, "/v1/templates")).data).toMatchObject([
      { id, alias: "welcome" },
    ]);
    expect(await ok(patch("welcome", { alias: null }))).toMatchObject({ id, alias: null });
    await errorsOf(team.get(at("welcome")), 404);
    await ok(patch(id, { alias: "welcome" }));
    expect((await team.delete(at("welcome"))).status).toBe(204);
    await errorsOf(team.get(at(id)), 404);
    expect((await create(team, { alias: "welcome" })).id).not.toBe(id);
  });

  it("is unique in its team, is case-sensitive, and may be used by another team", async () => {
    const first = await create(team, { name: "First", alias: "welcome" });
    const body = { name: "Second", alias: "welcome" };
    const again = await team.post("/v1/templates", body);
    expect(await errorsOf(again)).toEqual({ alias: TAKEN });
    const both = await team.post("/v1/templates", { name: "First", alias: "welcome" });
    expect(await errorsOf(both)).toEqual({ name: TAKEN, alias: TAKEN });
    const second = await create(team, { name: "Second", alias: "Welcome" });
    const change = { name: "Third", alias: "welcome" };
    expect(await errorsOf(patch(second.id, change))).toEqual({ alias: TAKEN });
    expect(await get(team, at(second.id))).toMatchObject({ name: "Second", alias: "Welcome" });
    expect(await ok(patch(first.id, { alias: "welcome" }))).toMatchObject({ alias: "welcome" });
    const other = await busyTeam();
    await errorsOf(other.get(at("welcome")), 404);
    await create(other, { alias: "welcome" });
  });

  it("goes to one template, however many requests name it at once", async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => create(team)));
    const responses = await Promise.all(made.map(({ id }) => patch(id, { alias: "race" })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 422, 422, 422,
    ]);
  });

  it("stands for the id in every path, and is not copied", async () => {
    const { id } = await create(team, { alias: "order", subject: "S", html: "<p>h</p>" });
    expect(await get(team, at("order", "/draft"))).toMatchObject({ subject: "S" });
    expect(await ok(patchDraft(team, "order", { subject: "T" }))).toMatchObject({ subject: "T" });
    expect(await ok(publish(team, "order"))).toMatchObject({ id, subject: "T" });
    await ok(patchDraft(team, id, { subject: "U" }));
    expect((await team.delete(at("order", "/draft"))).status).toBe(204);
    const copy = await team.post(at("order", "/duplicate"));
    expect(await ok(copy, 201)).toMatchObject({ alias: null });
    for (const [method, rest] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/duplicate"],
      ["GET", "/draft"],
      ["PATCH", "/draft"],
      ["DELETE", "/draft"],
      ["POST", "/publish"],
    ] as const) {
      const body = method === "PATCH" ? { body: { name: "x" } } : {};
      await errorsOf(call(method, at("unknown", rest), { key: team.key, ...body }), 404);
    }
  });

  it("finds the template's events", async () => {
    const { id } = await create(team, { alias: "order" });
    const [mine, other] = [id, `template_${crypto.randomUUID()}`].map((templateId) =>
      anEvent(team.id, { templateId, occurredAt: Date.now() - 1_000 }),
    );
    await write(await numbered(team.id), [mine!, other!]);
    const find = (named: string) =>
      get<Page<TestTemplate>>(team, `/v1/events?template_id=${named}`).then(({ data }) =>
        data.map((event) => event.id),
      );
    const expected = [[mine!.id], [mine!.id], []];
    expect([await find("order"), await find(id), await find("unknown")]).toEqual(expected);
  });
});

describe("a send by alias", () => {
  const send = (more: object) => team.send({ subject: undefined, text: undefined, ...more });

  async function messageOf(response: Response) {
    const { id } = await ok<{ id: string }>(response, 202);
    return get<{ subject: string; template_id: string }>(team, `/v1/email/${id}`);
  }

  it("uses the template that has the alias at its acceptance, and stores that template's id", async () => {
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const one = await published("order", "One");
    const two = await published("later", "Two");
    const first = await send({ template_id: "order", scheduled_at });
    await ok(patch(one.id, { alias: null }));
    expect(await errorsOf(send({ template_id: "order" }), 400)).toEqual({
      template_id: ["is not a published template of this team"],
    });
    await ok(patch("later", { alias: "order" }));
    const second = await send({ template_id: "order" });
    expect([await messageOf(first), await messageOf(second)]).toMatchObject([
      { subject: "One", template_id: one.id },
      { subject: "Two", template_id: two.id },
    ]);
    await team.delete(at(two.id));
    await errorsOf(send({ template_id: "order" }), 400);
  });

  it("may be an entry of a batch, or its defaults", async () => {
    const { id } = await published("order", "One");
    await create(team, { alias: "unpublished", html: "x" });
    const { from, to } = team.mail();
    const batch = (body: object) => team.post("/v1/email/batch", body);
    const emails = [{ to }, { to, template_id: id }];
    expect((await batch({ defaults: { from, template_id: "order" }, emails })).status).toBe(202);
    const refused = await batch({ emails: [{ from, to, template_id: "unpublished" }] });
    expect(await errorsOf(refused, 400)).toEqual({
      "emails.0.template_id": [
        "is not a published template of this team: it was never published. " +
          "Publish its draft first: POST /v1/templates/unpublished/publish",
      ],
    });
  });
});
