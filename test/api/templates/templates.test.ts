// A template's life, its draft and its publication, through the worker's own fetch
// (src/resources/templates, contract.md §Drafts and publishing).
import { describe, expect, it } from "vitest";
import { bindings, call } from "../../support/api.ts";
import {
  at,
  busyTeam,
  create,
  type TestDraft,
  errorsOf,
  get,
  HTML_BYTES,
  type List,
  ok,
  patchDraft,
  publish,
  type TestTemplate,
  TIME,
} from "../../support/templates.ts";

describe("a template's life", () => {
  it("begins unpublished and without a draft when no content is given", async () => {
    const team = await busyTeam();
    const made = await create(team, { name: "Welcome" });
    expect(Object.keys(made)).toEqual([
      "id",
      "name",
      "subject",
      "kind",
      "html",
      "text",
      "markdown",
      "has_draft",
      "published_at",
      "created_at",
      "updated_at",
      "variables",
    ]);
    expect(made).toEqual({
      id: expect.stringMatching(
        /^template_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      name: "Welcome",
      subject: null,
      kind: "html",
      html: null,
      text: null,
      markdown: null,
      variables: [],
      has_draft: false,
      published_at: null,
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
    });
    expect((await call("GET", at(made.id, "/draft"), { key: team.key })).status).toBe(404);
    expect(await get(team, at(made.id))).toEqual(made);
    const { variables: _, ...listed } = made;
    expect(await get<List>(team, "/v1/templates")).toEqual({
      data: [listed],
      has_more: false,
      next_cursor: null,
    });
  });

  it("keeps content that comes with its creation as its first draft", async () => {
    const team = await busyTeam();
    const made = await create(team, { subject: "Hi {{name}}", html: "<p>Hello {{name}}</p>" });
    expect(made).toMatchObject({
      subject: null,
      html: null,
      text: null,
      has_draft: true,
      published_at: null,
    });
    const draft = await get<TestDraft>(team, at(made.id, "/draft"));
    expect(Object.keys(draft)).toEqual([
      "subject",
      "html",
      "text",
      "markdown",
      "variables",
      "updated_at",
    ]);
    expect(draft).toEqual({
      subject: "Hi {{name}}",
      html: "<p>Hello {{name}}</p>",
      text: "Hello {{name}}",
      markdown: null,
      variables: ["name"],
      updated_at: expect.stringMatching(TIME),
    });
  });

  it("shows published content only, until a publication replaces it with the draft and consumes that", async () => {
    const team = await busyTeam();
    const { id } = await create(team, { subject: "One", html: "<p>one</p>" });
    const first = await ok<TestTemplate>(await publish(team, id));
    expect(first).toMatchObject({
      subject: "One",
      html: "<p>one</p>",
      text: "one",
      has_draft: false,
      published_at: expect.stringMatching(TIME),
    });
    await ok(await patchDraft(team, id, { html: "<p>two</p>" }));
    expect(await get(team, at(id))).toEqual({ ...first, has_draft: true });
    const second = await ok<TestTemplate>(await publish(team, id));
    expect(second).toMatchObject({
      subject: "One",
      html: "<p>two</p>",
      text: "two",
      has_draft: false,
    });
    expect(await get(team, at(id))).toEqual(second);
    expect((await call("GET", at(id, "/draft"), { key: team.key })).status).toBe(404);
  });

  it("reads the same bytes twice", async () => {
    const team = await busyTeam();
    const { id } = await create(team, {
      subject: "é 🙂",
      kind: "markdown",
      markdown: "# Hi\n\n{{name}}",
    });
    await publish(team, id);
    await patchDraft(team, id, {});
    for (const path of ["/v1/templates", at(id), at(id, "/draft")]) {
      const bodies = [
        await call("GET", path, { key: team.key }),
        await call("GET", path, { key: team.key }),
      ].map((response) => response.text());
      expect(await bodies[0]).toBe(await bodies[1]);
    }
  });

  it("renders HTML and text from Markdown on save", async () => {
    const team = await busyTeam();
    const { id } = await create(team, {
      kind: "markdown",
      markdown: "Hello **{{name}}**, <b>x</b>",
    });
    const draft = await get<TestDraft>(team, at(id, "/draft"));
    expect(draft.markdown).toBe("Hello **{{name}}**, <b>x</b>");
    expect(draft.html).toContain("Hello <strong>{{name}}</strong>, &lt;b&gt;x&lt;/b&gt;</p>");
    expect(draft.text).toBe("Hello {{name}}, <b>x</b>");
    expect(await ok(await publish(team, id))).toMatchObject({
      kind: "markdown",
      markdown: draft.markdown,
      html: draft.html,
      text: draft.text,
    });
  });

  it("deletes a template with its draft", async () => {
    const team = await busyTeam();
    const { id } = await create(team, { html: "x" });
    const response = await call("DELETE", at(id), { key: team.key });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    for (const path of [at(id), at(id, "/draft")])
      await errorsOf(await call("GET", path, { key: team.key }), 404);
    await errorsOf(await call("DELETE", at(id), { key: team.key }), 404);
    expect(
      await bindings.DB.prepare("SELECT count(*) AS n FROM template_drafts WHERE template_id = ?")
        .bind(id)
        .first("n"),
    ).toBe(0);
  });
});

describe("a draft", () => {
  it("changes only what is given, null clears, and the same again changes nothing", async () => {
    const team = await busyTeam();
    const { id } = await create(team, { subject: "S", html: "<p>h</p>" });
    expect(await ok(await patchDraft(team, id, { subject: "S2" }))).toMatchObject({
      subject: "S2",
      html: "<p>h</p>",
      text: "h",
    });
    expect(await ok(await patchDraft(team, id, { html: null }))).toMatchObject({
      subject: "S2",
      html: null,
      text: null,
    });
    expect(await ok(await patchDraft(team, id, { subject: null, html: "<i>x</i>" }))).toMatchObject(
      {
        subject: null,
        html: "<i>x</i>",
        text: "x",
      },
    );
    const again = await ok<TestDraft>(
      await patchDraft(team, id, { subject: null, html: "<i>x</i>" }),
    );
    expect(again).toMatchObject({ subject: null, html: "<i>x</i>", text: "x", markdown: null });
    expect(await ok(await patchDraft(team, id, {}))).toMatchObject({
      subject: null,
      html: "<i>x</i>",
    });
  });

  it("begins as what is published, so that a new subject keeps the body", async () => {
    const team = await busyTeam();
    const { id } = await create(team, { subject: "S", html: "<p>h</p>" });
    await publish(team, id);
    expect(await ok(await patchDraft(team, id, { subject: "New" }))).toMatchObject({
      subject: "New",
      html: "<p>h</p>",
      text: "h",
    });
  });

  it("begins empty for a template that was never published", async () => {
    const team = await busyTeam();
    const { id } = await create(team);
    expect(await ok(await patchDraft(team, id, {}))).toMatchObject({
      subject: null,
      html: null,
      text: null,
      markdown: null,
    });
    expect((await get<TestTemplate>(team, at(id))).has_draft).toBe(true);
  });

  it("is discarded as often as one likes, and published content stays", async () => {
    const team = await busyTeam();
    const { id } = await create(team, { html: "<p>h</p>" });
    const published = await ok<TestTemplate>(await publish(team, id));
    await patchDraft(team, id, { html: "other" });
    for (const _ of [1, 2])
      expect((await call("DELETE", at(id, "/draft"), { key: team.key })).status).toBe(204);
    expect(await get(team, at(id))).toEqual(published);
  });

  it("never takes text, nor the other kind's source", async () => {
    const team = await busyTeam();
    const html = await create(team, { html: "<p>h</p>" });
    const markdown = await create(team, { kind: "markdown", markdown: "m" });
    expect(await ok(await patchDraft(team, html.id, { text: "mine" }))).toMatchObject({
      text: "h",
    });
    expect(Object.keys(await errorsOf(await patchDraft(team, html.id, { markdown: "m" })))).toEqual(
      ["markdown"],
    );
    expect(Object.keys(await errorsOf(await patchDraft(team, markdown.id, { html: "h" })))).toEqual(
      ["html"],
    );
    expect(await ok(await patchDraft(team, markdown.id, { html: null }))).toMatchObject({
      markdown: "m",
      text: "m",
    });
    expect(await ok(await patchDraft(team, markdown.id, { markdown: null }))).toMatchObject({
      markdown: null,
      html: null,
      text: null,
    });
  });

  it.each([
    [{ subject: 7 }, ["subject"]],
    [{ subject: "" }, ["subject"]],
    [{ subject: "\r\n" }, ["subject"]],
    [{ subject: "x".repeat(999) }, ["subject"]],
    [{ html: {} }, ["html"]],
    [{ html: ["x"], subject: 1 }, ["html", "subject"]],
    [{ html: "x".repeat(HTML_BYTES + 1) }, ["html"]],
    [{ html: "é".repeat(HTML_BYTES / 2 + 1) }, ["html"]],
    [{ html: "{{#if a}}", subject: "{{" }, ["subject", "html"]],
  ])("refuses %j", async (body, paths) => {
    const team = await busyTeam();
    const { id } = await create(team, { subject: "S", html: "<p>h</p>" });
    expect(Object.keys(await errorsOf(await patchDraft(team, id, body))).toSorted()).toEqual(
      paths.toSorted(),
    );
    expect(await get(team, at(id, "/draft"))).toMatchObject({ subject: "S", html: "<p>h</p>" });
  });

  it("names line and column of an error in the template language, in all three sources", async () => {
    const team = await busyTeam();
    const html = await create(team);
    const markdown = await create(team, { kind: "markdown", markdown: "x" });
    const errors = await errorsOf(
      await patchDraft(team, html.id, { subject: "{{a b c}}", html: "<p>\n  {{nope x}}</p>" }),
    );
    expect(errors["subject"]?.[0]).toMatch(/line 1, column \d+/);
    expect(errors["html"]?.[0]).toMatch(/line 2, column \d+/);
    expect(
      (await errorsOf(await patchDraft(team, markdown.id, { markdown: "a\n\n{{/if}}" })))[
        "markdown"
      ]?.[0],
    ).toMatch(/line 3, column \d+/);
  });

  it("takes 262,144 bytes of HTML, and ends the derived text where it must", async () => {
    const team = await busyTeam();
    const { id } = await create(team);
    const html = `<p>${"word ".repeat(60_000)}`.slice(0, HTML_BYTES);
    const draft = await ok<TestDraft>(await patchDraft(team, id, { html }));
    expect(draft.html?.length).toBe(HTML_BYTES);
    expect(new TextEncoder().encode(draft.text ?? "").length).toBeLessThanOrEqual(65_536);
    expect(draft.text?.endsWith("word…")).toBe(true);
    expect(await ok(await publish(team, id))).toMatchObject({ html, text: draft.text });
  });

  it("strips line breaks from a subject, and counts its characters, not its bytes", async () => {
    const team = await busyTeam();
    const { id } = await create(team);
    expect(await ok(await patchDraft(team, id, { subject: "a\r\nBcc: b" }))).toMatchObject({
      subject: "aBcc: b",
    });
    expect((await patchDraft(team, id, { subject: "🙂".repeat(998) })).status).toBe(200);
  });
});

describe("publishing", () => {
  it("needs a draft with a body", async () => {
    const team = await busyTeam();
    const { id } = await create(team);
    expect(Object.keys(await errorsOf(await publish(team, id)))).toEqual(["draft"]);
    for (const html of [null, "", " \n\t"]) {
      await patchDraft(team, id, { subject: "S", html });
      expect(Object.keys(await errorsOf(await publish(team, id)))).toEqual(["html"]);
    }
    expect(await get(team, at(id))).toMatchObject({ published_at: null, has_draft: true });
    const markdown = await create(team, { kind: "markdown", markdown: " \n" });
    expect(Object.keys(await errorsOf(await publish(team, markdown.id)))).toEqual(["markdown"]);
  });

  it("needs no subject, since a send may bring one", async () => {
    const team = await busyTeam();
    const { id } = await create(team, { html: "<img src=x>" });
    expect(await ok(await publish(team, id))).toMatchObject({
      subject: null,
      html: "<img src=x>",
      text: "",
    });
  });

  it("takes no content that a concurrent change half wrote, and loses none", async () => {
    const team = await busyTeam();
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
      // Whichever came first: the change is in the draft still, or published.
      expect(
        template.has_draft ? await get<TestDraft>(team, at(id, "/draft")) : template,
      ).toMatchObject({
        subject: `${n}`,
        html: `<p>${n}</p>`,
      });
    }
  });
});
