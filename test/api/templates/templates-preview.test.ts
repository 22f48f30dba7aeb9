// Tests POST /v1/templates/preview (contract.md §Previews): it shows the message that a send of the
// same content would make, and the errors of content that can't be saved or sent.
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { TemplatePreview } from "../../../src/mail/accept/preview/wire.ts";
import { busyTeam, errorsOf, fieldsOf, ok, type Page } from "../../support/api.ts";
import { Harness, someone } from "../../support/harness.ts";
import { create, get, HTML_BYTES, publish, type TestTemplate } from "../../support/templates.ts";
import { ofFile } from "../../support/before-tests.ts";

type Preview = z.output<typeof TemplatePreview>;

const ORIGIN = "https://postern.test";
const LINK = `${ORIGIN}/u/preview`;

const team = ofFile(busyTeam);

const ask = (body: unknown) => team.post("/v1/templates/preview", body);
const preview = async (body: unknown) => ok<Preview>(ask(body));

describe("a preview", () => {
  it("has the rendered subject, HTML and text, and the names of the variables", async () => {
    const shown = await preview({
      subject: "Order {{order.id}} of {{name}}",
      html: "<p>Dear {{name}},</p>{{#each items as |item|}}<p>{{item}}</p>{{/each}}",
      variables: { name: "Ada & Co", order: { id: 17 }, items: ["Tea", "Cup"] },
    });
    expect(Object.entries(shown)).toEqual([
      ["subject", "Order 17 of Ada & Co"],
      ["html", "<p>Dear Ada &amp; Co,</p><p>Tea</p><p>Cup</p>"],
      ["text", "Dear Ada & Co,\n\nTea\n\nCup\n\n"],
      ["variables", ["items", "name", "order.id"]],
      ["samples", { items: ["one", "two"], name: "Ada", order: { id: "id" } }],
      ["missing", []],
      ["problems", []],
    ]);
  });

  it.each([
    ["html", { html: '<p>{{{intro}}} {{name}}</p><a href="{{unsubscribe_url}}">No more</a>' }],
    ["markdown", { markdown: "# Hello {{name}}\n\n{{{intro}}}\n\n[No more]({{unsubscribe_url}})" }],
  ])("of %s is the same as a send of the same template", async (kind, source) => {
    const harness = await Harness.make();
    const content = { kind, subject: "For {{name}}", ...source };
    const variables = { name: "Ada <ada@example.net>", intro: "<b>Good</b> day" };
    const { id } = await create(harness, content);
    await ok(publish(harness, id));
    const recipient = someone();
    const send = { template_id: id, variables, topic: "news", unsubscribe: { mode: "generate" } };
    await harness.send({ to: [recipient], subject: undefined, ...send });
    await expect.poll(() => harness.egress.to(recipient)).toHaveLength(1);
    const { subject, html, text } = await harness.copyTo(recipient);
    const link = new RegExp(`${ORIGIN}/u/[\\w.-]+`, "g");
    const inCopy = (part = "") => part.replace(link, LINK).trimEnd();
    const shown = await preview({ ...content, variables });
    expect(shown.html).toContain(LINK);
    const expected = [subject, inCopy(html), inCopy(text)];
    expect([shown.subject, shown.html?.trimEnd(), shown.text?.trimEnd()]).toEqual(expected);
  });

  it("renders missing variables as nothing and lists them, also without any variables", async () => {
    const content = { subject: "{{number}}", html: "<p>Dear {{user.name}}.</p>" };
    const expected = {
      subject: "",
      html: "<p>Dear .</p>",
      text: "Dear .",
      variables: ["number", "user.name"],
      samples: { number: "number", user: { name: "Ada" } },
      missing: ["number", "user.name"],
      problems: [],
    };
    expect(await preview(content)).toEqual(expected);
    expect(await preview({ ...content, variables: { other: 1 } })).toEqual(expected);
    const wish = { ...content, variables: { number: 5, user: {} } };
    expect(await preview(wish)).toMatchObject({ subject: "5", missing: ["user.name"] });
  });

  it("shows a link for unsubscribe_url and does not list it, unless the caller gives one", async () => {
    const content = { html: '<a href="{{unsubscribe_url}}">x</a>' };
    const expected = { html: `<a href="${LINK}">x</a>`, variables: [], missing: [] };
    expect(await preview(content)).toMatchObject(expected);
    const own = { unsubscribe_url: "https://example.net/own" };
    expect((await preview({ ...content, variables: own })).html).toBe(
      '<a href="https://example.net/own">x</a>',
    );
  });

  it("has null for each part that the content lacks", async () => {
    const nothing = { variables: [], samples: {}, missing: [], problems: [] };
    expect(await preview({})).toEqual({ subject: null, html: null, text: null, ...nothing });
    const expected = { subject: "Hi", html: null, text: null, ...nothing };
    expect(await preview({ subject: "Hi", html: null })).toEqual(expected);
  });

  it("stores no template", async () => {
    const owner = await busyTeam();
    await owner.post("/v1/templates/preview", { subject: "Hi" });
    expect((await get<Page<TestTemplate>>(owner, "/v1/templates")).data).toEqual([]);
  });
});

describe("a preview of content with a problem", () => {
  it.each([
    [
      "the subject's place, with the other parts rendered",
      { subject: "a {{/if}}", html: "<p>{{a}}</p>", variables: { a: 1 } },
      { subject: null, html: "<p>1</p>", text: "1" },
      { field: "subject", line: 1, column: expect.any(Number) },
      /^has an error at line 1, column \d+: /,
    ],
    [
      "the HTML's place, with the subject rendered",
      { subject: "{{a}}", html: "<p>\n  {{nope b}}</p>", variables: { a: 1 } },
      { subject: "1", html: null, text: null },
      { field: "html", line: 2, column: 5 },
      /^has an error at line 2, column 5: /,
    ],
    [
      "the Markdown's place",
      { kind: "markdown", markdown: "Hi\n\n{{#if a}}\n" },
      { html: null, text: null },
      { field: "markdown", line: expect.any(Number), column: expect.any(Number) },
      /^has an error at line \d, column \d+: /,
    ],
    [
      "no place for an error in HTML that Markdown makes",
      { kind: "markdown", markdown: "a {{#if b}}\n\n[c]: {{/if}}" },
      { html: null, text: null },
      { field: "markdown", line: null, column: null },
      /^makes HTML that has an error at line \d+/,
    ],
    [
      "no place for content that is too long",
      { html: "a".repeat(HTML_BYTES + 1) },
      { html: null, text: null },
      { field: "html", line: null, column: null },
      /^is longer than 262144 bytes$/,
    ],
    [
      "the subject that is empty although nothing is missing",
      { subject: "{{a}}", html: "b", variables: { a: "" } },
      { subject: null, html: "b" },
      { field: "subject", line: null, column: null },
      /^is empty once rendered$/,
    ],
    [
      "each part that becomes too long by its variables",
      {
        html: `{{#each a}}{{@root.b}}{{/each}}`,
        variables: { a: Array.from({ length: 100 }, () => 0), b: "x".repeat(20_000) },
      },
      { html: null, text: null },
      { field: "html", line: null, column: null },
      /^renders to more than 1000000 characters$/,
    ],
  ])("names %s", async (_, body, parts, place, message) => {
    const shown = await preview(body);
    expect(shown).toMatchObject(parts);
    expect(shown.problems[0]).toEqual({ ...place, message: expect.stringMatching(message) });
  });

  it("names the problems of all parts in the same words as the refusal to save them", async () => {
    const body = { subject: " ", html: "{{#each}}" };
    const refused = await errorsOf(team.post("/v1/templates", { name: "Refused", ...body }));
    const { problems } = await preview(body);
    expect(problems.map(({ field, message }) => [field, [message]])).toEqual(
      Object.entries(refused),
    );
    expect(problems).toHaveLength(2);
  });

  it("leaves out the variables of the part that has the problem", async () => {
    const content = { subject: "{{a}}", html: "{{b}}{{/if}}" };
    expect(await preview(content)).toMatchObject({ variables: ["a"], missing: ["a"] });
  });
});

describe("a preview that is refused", () => {
  it.each([
    ["another type", { subject: 5 }, "subject"],
    ["another type", { html: ["a"] }, "html"],
    ["an unknown kind", { kind: "text" }, "kind"],
    ["Markdown in a template of HTML", { markdown: "a" }, "markdown"],
    ["HTML in a template of Markdown", { kind: "markdown", html: "a", markdown: "a" }, "html"],
    ["a template of Markdown without any", { kind: "markdown" }, "markdown"],
    ["variables that are a list", { variables: ["a"] }, "variables"],
    ["deep variables", { variables: { a: { b: { c: { d: {} } } } } }, "variables.a.b.c.d"],
    ["large variables", { variables: { a: "x".repeat(65_536) } }, "variables"],
  ])("for %s names the member", async (_, body, field) => {
    expect(await fieldsOf(ask(body))).toEqual([field]);
  });

  it("names a text of the caller's own as ignored, because the service derives the text", async () => {
    const response = await ask({ html: "<p>a</p>", text: "b" });
    expect(response.headers.get("X-Ignored-Members")).toBe("text");
    expect(await ok<Preview>(response)).toMatchObject({ text: "a" });
  });
});
