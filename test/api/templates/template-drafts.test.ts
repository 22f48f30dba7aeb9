// Tests a template's draft through the worker's fetch handler (src/resources/templates, contract.md
// §Drafts and publishing).
import { describe, expect, it } from "vitest";
import { busyTeam, fieldsOf, ok } from "../../support/api.ts";
import type { TestDraft, TestTemplate } from "../../support/templates.ts";
import { at, create, get, HTML_BYTES, patchDraft, publish } from "../../support/templates.ts";
import { ofEachTest } from "../../support/before-tests.ts";

const team = ofEachTest(busyTeam);

describe("a draft", () => {
  it("changes only the given members, clears a member by null, and ignores an unchanged repetition", async () => {
    const { id } = await create(team, { subject: "S", html: "<p>h</p>" });
    const expected = { subject: "S2", html: "<p>h</p>", text: "h" };
    expect(await ok(patchDraft(team, id, { subject: "S2" }))).toMatchObject(expected);
    const facts = { subject: "S2", html: null, text: null };
    expect(await ok(patchDraft(team, id, { html: null }))).toMatchObject(facts);
    expect(await ok(patchDraft(team, id, { subject: null, html: "<i>x</i>" }))).toMatchObject({
      subject: null,
      html: "<i>x</i>",
      text: "x",
    });
    const again = await ok<TestDraft>(patchDraft(team, id, { subject: null, html: "<i>x</i>" }));
    expect(again).toMatchObject({ subject: null, html: "<i>x</i>", text: "x", markdown: null });
    expect(await ok(patchDraft(team, id, {}))).toMatchObject({ subject: null, html: "<i>x</i>" });
  });

  it("begins as the published content, so that a new subject keeps the body", async () => {
    const { id } = await create(team, { subject: "S", html: "<p>h</p>" });
    await publish(team, id);
    const expected = { subject: "New", html: "<p>h</p>", text: "h" };
    expect(await ok(patchDraft(team, id, { subject: "New" }))).toMatchObject(expected);
  });

  it("begins empty for a template that was never published", async () => {
    const { id } = await create(team);
    const expected = { subject: null, html: null, text: null, markdown: null };
    expect(await ok(patchDraft(team, id, {}))).toMatchObject(expected);
    expect((await get<TestTemplate>(team, at(id))).has_draft).toBe(true);
  });

  it("can be discarded repeatedly, and published content stays", async () => {
    const { id } = await create(team, { html: "<p>h</p>" });
    const published = await ok<TestTemplate>(publish(team, id));
    await patchDraft(team, id, { html: "other" });
    for (const _ of [1, 2]) expect((await team.delete(at(id, "/draft"))).status).toBe(204);
    expect(await get(team, at(id))).toEqual(published);
  });

  it("never takes text, nor the source of the other kind of template", async () => {
    const html = await create(team, { html: "<p>h</p>" });
    const markdown = await create(team, { kind: "markdown", markdown: "m" });
    expect(await ok(patchDraft(team, html.id, { text: "mine" }))).toMatchObject({ text: "h" });
    expect(await fieldsOf(patchDraft(team, html.id, { markdown: "m" }))).toEqual(["markdown"]);
    expect(await fieldsOf(patchDraft(team, markdown.id, { html: "h" }))).toEqual(["html"]);
    const expected = { markdown: "m", text: "m" };
    expect(await ok(patchDraft(team, markdown.id, { html: null }))).toMatchObject(expected);
    const facts = { markdown: null, html: null, text: null };
    expect(await ok(patchDraft(team, markdown.id, { markdown: null }))).toMatchObject(facts);
  });

  it.each([
    [{ subject: 7 }, ["subject"]],
    [{ subject: "" }, ["subject"]],
    [{ subject: "\r\n" }, ["subject"]],
    [{ subject: "x".repeat(999) }, ["subject"]],
    [{ html: ["x"], subject: 1 }, ["html", "subject"]],
    [{ html: "x".repeat(HTML_BYTES + 1) }, ["html"]],
    [{ html: "{{#if a}}", subject: "{{" }, ["subject", "html"]],
  ])("refuses %j", async (body, paths) => {
    const { id } = await create(team, { subject: "S", html: "<p>h</p>" });
    expect((await fieldsOf(patchDraft(team, id, body))).toSorted()).toEqual(paths.toSorted());
    expect(await get(team, at(id, "/draft"))).toMatchObject({ subject: "S", html: "<p>h</p>" });
  });
});
