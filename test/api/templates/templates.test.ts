// Tests making, changing, publishing and deleting a template through the worker's fetch handler
// (src/resources/templates, contract.md §Drafts and publishing).
import { describe, expect, it } from "vitest";
import { busyTeam, errorsOf, fieldsOf, ok, type Page, statement } from "../../support/api.ts";
import type { TestDraft, TestTemplate } from "../../support/templates.ts";
import { at, create, get, patchDraft, publish, TIME } from "../../support/templates.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

describe("a template's life", () => {
  it("begins unpublished and without a draft when no content is given", async () => {
    const made = await create(team, { name: "Welcome" });
    expect(made).toEqual({
      id: expect.stringMatching(
        /^template_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      name: "Welcome",
      alias: null,
      subject: null,
      kind: "html",
      html: null,
      text: null,
      markdown: null,
      from: null,
      reply_to: null,
      fallbacks: null,
      sensitive: false,
      variables: [],
      has_draft: false,
      published_at: null,
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
    });
    expect((await team.get(at(made.id, "/draft"))).status).toBe(404);
    expect(await get(team, at(made.id))).toEqual(made);
    const { variables: _, ...listed } = made;
    const expected = { data: [listed], has_more: false, next_cursor: null };
    expect(await get<Page<TestTemplate>>(team, "/v1/templates")).toEqual(expected);
  });

  it("keeps content that comes with its creation as its first draft", async () => {
    const made = await create(team, { subject: "Hi {{name}}", html: "<p>Hello {{name}}</p>" });
    const expected = { subject: null, html: null, text: null, has_draft: true, published_at: null };
    expect(made).toMatchObject(expected);
    const draft = await get<TestDraft>(team, at(made.id, "/draft"));
    expect(draft).toEqual({
      subject: "Hi {{name}}",
      html: "<p>Hello {{name}}</p>",
      text: "Hello {{name}}",
      markdown: null,
      from: null,
      reply_to: null,
      fallbacks: null,
      variables: ["name"],
      updated_at: expect.stringMatching(TIME),
    });
  });

  it("shows only published content, which a publication replaces by the draft", async () => {
    const { id } = await create(team, { subject: "One", html: "<p>one</p>" });
    const first = await ok<TestTemplate>(publish(team, id));
    expect(first).toMatchObject({
      subject: "One",
      html: "<p>one</p>",
      text: "one",
      has_draft: false,
      published_at: expect.stringMatching(TIME),
    });
    await ok(patchDraft(team, id, { html: "<p>two</p>" }));
    expect(await get(team, at(id))).toEqual({ ...first, has_draft: true });
    const second = await ok<TestTemplate>(publish(team, id));
    const expected = { subject: "One", html: "<p>two</p>", text: "two", has_draft: false };
    expect(second).toMatchObject(expected);
    expect(await get(team, at(id))).toEqual(second);
    expect((await team.get(at(id, "/draft"))).status).toBe(404);
  });

  it("deletes a template with its draft", async () => {
    const { id } = await create(team, { html: "x" });
    const response = await team.delete(at(id));
    expect([response.status, await response.text()]).toEqual([204, ""]);
    for (const path of [at(id), at(id, "/draft")]) await errorsOf(team.get(path), 404);
    await errorsOf(team.delete(at(id)), 404);
    expect(
      await statement("SELECT count(*) AS n FROM template_drafts WHERE template_id = ?", id).first(
        "n",
      ),
    ).toBe(0);
  });
});

describe("publishing", () => {
  it("needs a draft with a body", async () => {
    const { id } = await create(team);
    expect(await fieldsOf(publish(team, id))).toEqual(["draft"]);
    for (const html of [null, "", " \n\t"]) {
      await patchDraft(team, id, { subject: "S", html });
      expect(await fieldsOf(publish(team, id))).toEqual(["html"]);
    }
    expect(await get(team, at(id))).toMatchObject({ published_at: null, has_draft: true });
    const markdown = await create(team, { kind: "markdown", markdown: " \n" });
    expect(await fieldsOf(publish(team, markdown.id))).toEqual(["markdown"]);
  });

  it("needs no subject, since a send may have its own", async () => {
    const { id } = await create(team, { html: "<img src=x>" });
    const expected = { subject: null, html: "<img src=x>", text: "" };
    expect(await ok(publish(team, id))).toMatchObject(expected);
  });

  it("never publishes half of a concurrent change, and loses no change", async () => {
    const { id } = await create(team, { subject: "0", html: "<p>0</p>" });
    for (let n = 1; n <= 4; n += 1) {
      const publishing = Array.from({ length: 3 }, () => publish(team, id));
      const change = patchDraft(team, id, { subject: `${n}`, html: `<p>${n}</p>` });
      const responses = await Promise.all([
        ...publishing,
        change,
        ...Array.from({ length: 3 }, () => publish(team, id)),
      ]);
      for (const response of responses) expect([200, 422]).toContain(response.status);
      const template = await get<TestTemplate>(team, at(id));
      expect(template.html).toBe(`<p>${template.subject}</p>`);
      // A change made before the publication is published. A later change is still in the draft.
      expect(
        template.has_draft ? await get<TestDraft>(team, at(id, "/draft")) : template,
      ).toMatchObject({ subject: `${n}`, html: `<p>${n}</p>` });
    }
  });
});
