// Tests how a template's content is checked (src/resources/templates/template-content.ts).
import { describe, expect, it } from "vitest";
import { type FieldErrors, RefusalError } from "../../../../src/refusal.ts";
import {
  type ContentInput,
  readChange,
  readFirstContent,
} from "../../../../src/resources/templates/template-content.ts";

const BYTES = 262_144;
const LONGEST = { subject: "🙂".repeat(998) };
const NO_HTML = { html: null, text: null };

function refusalOf(work: () => unknown): FieldErrors {
  try {
    work();
  } catch (error) {
    if (error instanceof RefusalError && error.refusal.code === "invalid")
      return error.refusal.errors;
    throw error;
  }
  throw new Error("was not refused");
}

describe("the change of a template's content", () => {
  it.each<[string, "html" | "markdown", ContentInput, object]>([
    ["nothing if nothing is given", "html", {}, {}],
    ["the subject alone", "html", { subject: "a" }, { subject: "a" }],
    ["HTML with its text", "html", { html: "<p>a</p>" }, { html: "<p>a</p>", text: "a" }],
    ["cleared HTML with its text", "html", { html: null }, { html: null, text: null }],
    [
      "cleared Markdown with its HTML and text",
      "markdown",
      { markdown: null },
      { ...NO_HTML, markdown: null },
    ],
    ["nothing for a null of the other kind", "html", { markdown: null }, {}],
    ["nothing for a null of the other kind", "markdown", { html: null }, {}],
    ["a subject on one line", "html", { subject: "a\r\n\tb\u0007" }, { subject: "a b" }],
    ["a subject of 998 characters", "html", LONGEST, LONGEST],
  ])("consists of %s", (_what, kind, wish, change) => {
    expect(readChange(kind, wish)).toEqual(change);
  });

  it("has the HTML and the text of given Markdown", () => {
    const change = readChange("markdown", { markdown: "a **{{b}}**" });
    expect(change).toEqual({
      markdown: "a **{{b}}**",
      html: expect.stringContaining("a <strong>{{b}}</strong>"),
      text: "a {{b}}",
    });
  });

  it("has limits in bytes of UTF-8 for HTML and Markdown", () => {
    expect(readChange("html", { html: "é".repeat(BYTES / 2) }).html).toHaveLength(BYTES / 2);
    const tooLong = ["is longer than 262144 bytes"];
    const html = `${"é".repeat(BYTES / 2)}a`;
    expect(refusalOf(() => readChange("html", { html }))).toEqual({ html: tooLong });
    const markdown = "a".repeat(BYTES + 1);
    expect(refusalOf(() => readChange("markdown", { markdown }))).toEqual({ markdown: tooLong });
  });

  it("has a derived text of at most 65,536 bytes, which ends after a whole word", () => {
    const { text = "" } = readChange("html", { html: `<p>${"word ".repeat(50_000)}` });
    expect(new TextEncoder().encode(text ?? "").length).toBeLessThanOrEqual(65_536);
    expect(text?.endsWith("word…")).toBe(true);
  });

  it.each(["a".repeat(BYTES), "- a\n".repeat(10_000), "- # a\n> b\n".repeat(5_000)])(
    "is refused for Markdown that makes too much HTML",
    (markdown) => {
      expect(refusalOf(() => readChange("markdown", { markdown }))).toEqual({
        markdown: ["makes more than 262144 bytes of HTML"],
      });
    },
  );

  it.each([
    ["lines", "b\n".repeat(10_001), "has more than 10000 lines"],
    [
      "lines of a quote that lack its mark",
      `${"> ".repeat(20)}a\n${"b\r".repeat(10_001)}`,
      "has more than 10000 lines",
    ],
    ["brackets", "[".repeat(20_001), "has more than 20000 of the characters"],
    ["marks of all kinds", "*_`[]<&\\".repeat(2_501), "has more than 20000 of the characters"],
  ])("is refused for Markdown with too many %s", (_what, markdown, problem) => {
    expect(refusalOf(() => readChange("markdown", { markdown }))["markdown"]).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  it("is accepted for Markdown at both limits", () => {
    expect(readChange("markdown", { markdown: "b\n".repeat(10_000) }).html).toContain("b\nb\n");
    expect(readChange("markdown", { markdown: "[".repeat(20_000) }).html).toContain(
      "[".repeat(20_000),
    );
  });

  it("is refused with all problems at once, each with line and column", () => {
    const errors = refusalOf(() =>
      readChange("html", { subject: "{{#if}}", html: "a\n{{/b}}", markdown: "c" }),
    );
    expect(errors).toEqual({
      subject: [expect.stringMatching(/^has an error at line 1, column \d+: /)],
      html: [expect.stringMatching(/^has an error at line 2, column \d+: /)],
      markdown: ["is not accepted, because the template's kind is html"],
    });
  });

  it("is refused for Markdown whose HTML contains half a block", () => {
    const errors = refusalOf(() =>
      readChange("markdown", { markdown: "a {{#if b}}\n\n[c]: {{/if}}" }),
    );
    expect(errors["markdown"]?.[0]).toMatch(/^makes HTML that has an error at line \d+/);
  });
});

describe("the first content of a template", () => {
  it("does not exist if no part is given", () => {
    expect(readFirstContent("html", {})).toBeUndefined();
    expect(readFirstContent("html", { subject: null, html: null, markdown: null })).toBeUndefined();
  });

  it("has every part, given or not", () => {
    const none = { subject: null, markdown: null, from: null, replyTo: null, fallbacks: null };
    const subject = readFirstContent("html", { subject: "a" });
    expect(subject).toEqual({ ...none, ...NO_HTML, subject: "a" });
    expect(readFirstContent("html", { html: "" })).toEqual({ ...none, html: "", text: "" });
  });

  it("must include Markdown for a template of the kind markdown", () => {
    for (const markdown of [undefined, null])
      expect(Object.keys(refusalOf(() => readFirstContent("markdown", { markdown })))).toEqual([
        "markdown",
      ]);
  });
});
