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

describe("readChange", () => {
  it.each<[string, "html" | "markdown", ContentInput, object]>([
    ["nothing for nothing", "html", {}, {}],
    ["the subject alone", "html", { subject: "a" }, { subject: "a" }],
    ["HTML with its text", "html", { html: "<p>a</p>" }, { html: "<p>a</p>", text: "a" }],
    ["cleared HTML with its text", "html", { html: null }, { html: null, text: null }],
    [
      "cleared Markdown with all of it",
      "markdown",
      { markdown: null },
      { ...NO_HTML, markdown: null },
    ],
    ["a null for the other kind as nothing", "html", { markdown: null }, {}],
    ["a null for the other kind as nothing", "markdown", { html: null }, {}],
    ["a subject on one line", "html", { subject: "a\r\n\tb\u0007" }, { subject: "a b" }],
    ["a subject of 998 characters", "html", LONGEST, LONGEST],
  ])("changes %s", (_what, kind, wish, change) => {
    expect(readChange(kind, wish)).toEqual(change);
  });

  it("renders Markdown and its text", () => {
    const change = readChange("markdown", { markdown: "a **{{b}}**" });
    expect(change).toEqual({
      markdown: "a **{{b}}**",
      html: expect.stringContaining("a <strong>{{b}}</strong>"),
      text: "a {{b}}",
    });
  });

  it("measures bytes of UTF-8", () => {
    expect(readChange("html", { html: "é".repeat(BYTES / 2) }).html).toHaveLength(BYTES / 2);
    const tooLong = ["is longer than 262144 bytes"];
    const html = `${"é".repeat(BYTES / 2)}a`;
    expect(refusalOf(() => readChange("html", { html }))).toEqual({ html: tooLong });
    const markdown = "a".repeat(BYTES + 1);
    expect(refusalOf(() => readChange("markdown", { markdown }))).toEqual({ markdown: tooLong });
  });

  it("ends the text that it derives at 65,536 bytes, after a whole word", () => {
    const { text = "" } = readChange("html", { html: `<p>${"word ".repeat(50_000)}` });
    expect(new TextEncoder().encode(text ?? "").length).toBeLessThanOrEqual(65_536);
    expect(text?.endsWith("word…")).toBe(true);
  });

  it.each(["a".repeat(BYTES), "- a\n".repeat(10_000), "- # a\n> b\n".repeat(5_000)])(
    "refuses Markdown that makes too much HTML",
    (markdown) => {
      expect(refusalOf(() => readChange("markdown", { markdown }))).toEqual({
        markdown: ["makes more than 262144 bytes of HTML"],
      });
    },
  );

  it.each([
    ["lines", "b\n".repeat(10_001), "has more than 10000 lines"],
    [
      "lines, in a quote that they do not mark",
      `${"> ".repeat(20)}a\n${"b\r".repeat(10_001)}`,
      "has more than 10000 lines",
    ],
    ["brackets", "[".repeat(20_001), "has more than 20000 of the characters"],
    ["marks of all kinds", "*_`[]<&\\".repeat(2_501), "has more than 20000 of the characters"],
  ])("refuses Markdown with too many %s", (_what, markdown, problem) => {
    expect(refusalOf(() => readChange("markdown", { markdown }))["markdown"]).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  it("accepts Markdown at both limits", () => {
    expect(readChange("markdown", { markdown: "b\n".repeat(10_000) }).html).toContain("b\nb\n");
    expect(readChange("markdown", { markdown: "[".repeat(20_000) }).html).toContain(
      "[".repeat(20_000),
    );
  });

  it("reports all problems at once, with line and column", () => {
    const errors = refusalOf(() =>
      readChange("html", { subject: "{{#if}}", html: "a\n{{/b}}", markdown: "c" }),
    );
    expect(errors).toEqual({
      subject: [expect.stringMatching(/^has an error at line 1, column \d+: /)],
      html: [expect.stringMatching(/^has an error at line 2, column \d+: /)],
      markdown: ["is not accepted, because the template's kind is html"],
    });
  });

  it("refuses Markdown whose HTML contains half a block", () => {
    const errors = refusalOf(() =>
      readChange("markdown", { markdown: "a {{#if b}}\n\n[c]: {{/if}}" }),
    );
    expect(errors["markdown"]?.[0]).toMatch(/^makes HTML that has an error at line \d+/);
  });
});

describe("readFirstContent", () => {
  it("returns undefined without content", () => {
    expect(readFirstContent("html", {})).toBeUndefined();
    expect(readFirstContent("html", { subject: null, html: null, markdown: null })).toBeUndefined();
  });

  it("returns every part, given or not", () => {
    const none = { subject: null, markdown: null, from: null, replyTo: null, fallbacks: null };
    const subject = readFirstContent("html", { subject: "a" });
    expect(subject).toEqual({ ...none, ...NO_HTML, subject: "a" });
    expect(readFirstContent("html", { html: "" })).toEqual({ ...none, html: "", text: "" });
  });

  it("requires Markdown for that kind", () => {
    for (const markdown of [undefined, null])
      expect(Object.keys(refusalOf(() => readFirstContent("markdown", { markdown })))).toEqual([
        "markdown",
      ]);
  });
});
