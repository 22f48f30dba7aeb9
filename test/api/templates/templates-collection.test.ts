// Tests a team's templates through the worker's fetch handler (src/resources/templates, contract.md
// §Templates): names, copies, the limit on their number, lists, and that other teams cannot see
// them.
import { describe, expect, it } from "vitest";
import { busyTeam, call, errorsOf, fieldsOf, ok, type Page, statement } from "../../support/api.ts";
import type { TestTemplate } from "../../support/templates.ts";
import { at, create, fill, get, HTML_BYTES, patchDraft, publish } from "../../support/templates.ts";
import { everyCore } from "../../support/every-core.ts";
import { ofEachTest, ofFile } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

const one = ofFile(busyTeam);

describe("creating and renaming", () => {
  it.each([
    [{}, ["name"]],
    [{ name: "x", kind: "text" }, ["kind"]],
    [{ name: "x", markdown: "m" }, ["markdown"]],
    [{ name: "x", kind: "markdown" }, ["markdown"]],
    [{ name: "x", html: 5 }, ["html"]],
    [{ name: "x", html: "{{#each}}" }, ["html"]],
  ])("refuses to make a template of %j", async (body, paths) => {
    expect(await fieldsOf(one.post("/v1/templates", body))).toEqual(paths);
  });

  it("stores nothing of a template that it refuses", async () => {
    await fieldsOf(team.post("/v1/templates", { name: "x", html: "{{#each}}" }));
    expect((await get<Page<TestTemplate>>(team, "/v1/templates")).data).toEqual([]);
  });

  it("keeps names unique in the team, but not across teams", async () => {
    const other = await busyTeam();
    const made = await create(team, { name: "Same" });
    const response = await team.post("/v1/templates", { name: "Same", html: "x" });
    expect(await fieldsOf(response)).toEqual(["name"]);
    await create(other, { name: "Same" });
    await create(team, { name: "same" });
    const second = await create(team, { name: "Other" });
    const rename = (id: string, name: string) => team.patch(at(id), { name });
    expect(await fieldsOf(rename(second.id, "Same"))).toEqual(["name"]);
    expect(await ok(rename(second.id, "Third"))).toMatchObject({ id: second.id, name: "Third" });
    expect(await ok(rename(made.id, "Same"))).toMatchObject({ name: "Same" });
  });

  it("makes one template of a name, however many requests come at once", async () => {
    const bodies = Array.from({ length: 10 }, (_, n) => ({ name: "Race", html: `<p>${n}</p>` }));
    const responses = await Promise.all(bodies.map((body) => team.post("/v1/templates", body)));
    expect(responses.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 422),
    ]);
    expect((await get<Page<TestTemplate>>(team, "/v1/templates")).data).toHaveLength(1);
    const drafts = await everyCore
      .prepare(
        "SELECT count(*) AS n FROM template_drafts WHERE template_id NOT IN (SELECT id FROM " +
          "templates)",
      )
      .first("n");
    expect(drafts).toBe(0);
  });

  it("refuses the content's members in a change of the template itself", async () => {
    const { id } = await create(one, { name: "Before" });
    const members = "subject html text markdown kind from reply_to fallbacks".split(" ");
    for (const member of members) {
      const response = await one.patch(at(id), { name: "After", [member]: "html" });
      expect(await fieldsOf(response)).toEqual([member]);
    }
    expect((await get<TestTemplate>(one, at(id))).name).toBe("Before");
  });

  it("accepts halves of surrogate pairs and NULs in content, and stores neither", async () => {
    const { id } = await create(team, { subject: "s\u0000\ud800", html: "<p>a\u0000b\udfff</p>" });
    const expected = { subject: "s\ufffd", html: "<p>a\ufffdb\ufffd</p>" };
    expect(await get(team, at(id, "/draft"))).toMatchObject(expected);
  });
});

describe("duplicating", () => {
  const duplicate = (id: string, body?: unknown) => team.post(at(id, "/duplicate"), body);

  it("copies published content into a draft of an unpublished template", async () => {
    const { id } = await create(team, { name: "Source", subject: "S", html: "<p>h</p>" });
    await publish(team, id);
    await ok(team.patch(at(id), { sensitive: true }));
    const copy = await ok<TestTemplate>(duplicate(id, {}), 201);
    expect(copy).toMatchObject({
      name: "Source (copy)",
      sensitive: true,
      kind: "html",
      subject: null,
      html: null,
      has_draft: true,
      published_at: null,
    });
    expect(copy.id).not.toBe(id);
    const expected = { subject: "S", html: "<p>h</p>", text: "h" };
    expect(await get(team, at(copy.id, "/draft"))).toMatchObject(expected);
  });

  it("prefers the source's draft, its cleared parts included", async () => {
    const { id } = await create(team, { kind: "markdown", subject: "S", markdown: "one" });
    await publish(team, id);
    await patchDraft(team, id, { subject: null, markdown: "two" });
    const copy = await ok<TestTemplate>(duplicate(id), 201);
    const expected = { subject: null, markdown: "two", text: "two" };
    expect(await get(team, at(copy.id, "/draft"))).toMatchObject(expected);
    expect(await get(team, at(id, "/draft"))).toMatchObject({ subject: null, markdown: "two" });
  });

  it("numbers further copies, fills gaps, and cuts long names to fit", async () => {
    const { id } = await create(team, { name: "N" });
    const copies = await Promise.all(
      [1, 2, 3].map(async () => ok<TestTemplate>(duplicate(id), 201)),
    );
    const expected = ["N (copy 2)", "N (copy 3)", "N (copy)"];
    expect(copies.map(({ name }) => name).toSorted()).toEqual(expected);
    const second = copies.find(({ name }) => name === "N (copy 2)");
    await team.delete(at(second?.id ?? ""));
    expect((await ok<TestTemplate>(duplicate(id), 201)).name).toBe("N (copy 2)");
  });

  it("takes a name, which must be free, and a request without a body", async () => {
    const { id } = await create(team, { name: "N" });
    expect((await ok<TestTemplate>(duplicate(id, { name: "Mine" }), 201)).name).toBe("Mine");
    expect(await fieldsOf(duplicate(id, { name: "Mine" }))).toEqual(["name"]);
    expect(await fieldsOf(duplicate(id, { name: 7 }))).toEqual(["name"]);
    expect((await call("POST", at(id, "/duplicate"), { key: team.key, raw: "" })).status).toBe(201);
    expect((await call("POST", at(id, "/duplicate"), { key: team.key, raw: "{" })).status).toBe(
      400,
    );
    await errorsOf(duplicate(`template_${crypto.randomUUID()}`, { name: "Fresh" }), 404);
    await errorsOf(duplicate("nonsense"), 404);
  });
});

describe("the cap of 500", () => {
  it("holds for creating and duplicating, also at once", async () => {
    await fill(team, 496);
    const source = await create(team, { name: "source", html: "x" });
    const work = Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0
        ? team.post("/v1/templates", { name: `new ${n}` })
        : team.post(at(source.id, "/duplicate")),
    );
    const statuses = (await Promise.all(work)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect(statuses.filter((status) => status === 422)).toHaveLength(7);
    const count = await statement(
      "SELECT count(*) AS n FROM templates WHERE team_id = ?",
      team.id,
    ).first("n");
    expect(count).toBe(500);
    const response = await team.post("/v1/templates", { name: "one more" });
    expect(await fieldsOf(response)).toEqual(["templates"]);
    await team.delete(at(source.id));
    await create(team, { name: "one more" });
  });
});

describe("listing", () => {
  it("ends a page early if the answer would exceed a worker's memory", async () => {
    await fill(team, 60);
    await statement(
      "UPDATE templates SET html = ?2 WHERE team_id = ?1",
      team.id,
      "x".repeat(HTML_BYTES),
    ).run();
    const first = await get<Page<TestTemplate>>(team, "/v1/templates?limit=100");
    expect(first.has_more).toBe(true);
    const second = await get<Page<TestTemplate>>(
      team,
      `/v1/templates?limit=100&after=${first.next_cursor}`,
    );
    expect(first.data.length + second.data.length).toBe(60);
    expect(second.has_more).toBe(false);
  });
});
