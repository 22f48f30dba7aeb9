// Tests that rendered parts keep to the limits of a send, and that all templates of one request
// share one budget.
import { describe, expect, it } from "vitest";
import { many, type Members, renderRefused, render, renderOne } from "./rendered-sends.ts";

const EMPTY_SUBJECT = "422 subject is empty once rendered";
const LONG_SUBJECT = "422 subject renders to more than 998 characters";
const over = (part: string) => `400 ${part} renders to more than 1000000 characters`;
/** A loop over all items of `l`. */
const ROUNDS = "{{#each @root.l}}{{/each}}";

describe("a rendered part", () => {
  it("that is empty counts as absent", async () => {
    const variables = { b: 1 };
    const html = await renderOne({ text: "{{a}}", html: "<p>", variables });
    expect(html).toMatchObject({ text: null, html: "<p>" });
    const text = await renderOne({ text: "x", html: "{{#if a}}<p>{{/if}}", variables });
    expect(text).toMatchObject({ text: "x", html: null });
  });

  const each = "{{#each l}}{{@root.s}}{{/each}}";
  const repeats = (times: number, s: string) => ({ l: many(times, 0), s });

  it.each<[string, Members, Members, string]>([
    ["a subject of nothing", { subject: "{{a}}" }, {}, EMPTY_SUBJECT],
    ["a subject of blanks", { subject: "{{s}}" }, { s: " \t\r\n " }, EMPTY_SUBJECT],
    ["a subject of 999 characters", { subject: "x{{s}}" }, { s: "😀".repeat(998) }, LONG_SUBJECT],
    ["a subject of 3 MB", { subject: each }, repeats(300, "x".repeat(10_000)), LONG_SUBJECT],
    [
      "a header of 8,193 characters",
      { headers: { "X-A": "{{s}}" } },
      { s: "x".repeat(8_193) },
      "422 headers.X-A renders to more than 8192 characters",
    ],
    ["a text over its cap", { text: `${each}x` }, repeats(100, "x".repeat(10_000)), over("text")],
    ["HTML over its cap, escaped", { html: each }, repeats(30, "'".repeat(10_000)), over("html")],
    ["HTML of 250 MB", { html: each }, repeats(5_000, "x".repeat(50_000)), over("html")],
    [
      "a text of too many steps",
      { text: `{{#each l}}{{#each @root.l}}${ROUNDS}{{/each}}{{/each}}` },
      { l: many(1_000, 0) },
      "422 text takes more than 500000 steps to render",
    ],
  ])("is refused: %s", async (_, members, variables, refusal) => {
    expect(await renderRefused({ ...members, variables: { b: 1, ...variables } })).toBe(refusal);
  });

  it("is accepted when it is exactly as large as its limit", async () => {
    const variables = { l: many(20, 0), s: "😀".repeat(2_500), subject: "😀".repeat(998) };
    const body = `{{#each l}}${"{{@root.s}}".repeat(20)}{{/each}}`;
    const email = await renderOne({ subject: "{{subject}}", text: body, html: body, variables });
    expect([email.subject.length, email.text?.length, email.html?.length]).toEqual([
      1_996, 2_000_000, 2_000_000,
    ]);
  });
});

describe("the rendering budget of one request", () => {
  const TOGETHER =
    "exceeds the rendering limit that all templates of one request share: send fewer emails, or " +
    "simpler templates";
  const sends = (count: number, send: Members) => many(count, send) as Members[];
  const variables = { l: many(1_000, 0), s: "x".repeat(50_000) };

  it("limits tags, and counts each distinct source once", async () => {
    const source = "{{a}}".repeat(10_000);
    const same = sends(6, { text: source, variables: { a: 1 } });
    expect((await render(...same)).emails).toHaveLength(6);
    const distinct = same.map((send, index) => ({ ...send, text: source + index }));
    expect((await render(...distinct.slice(0, 4))).emails).toHaveLength(4);
    expect(await renderRefused(...distinct.slice(0, 5))).toBe(`422 emails.4.text ${TOGETHER}`);
  });

  it.each<[string, Members, number]>([
    ["steps", { text: `{{#each l}}${ROUNDS}{{/each}}`, variables: { l: many(480, 0) } }, 4],
    ["output", { text: "{{s}}".repeat(20), variables }, 16],
  ])("limits %s", async (_, send, most) => {
    expect((await render(...sends(most, send))).emails).toHaveLength(most);
    expect(await renderRefused(...sends(most + 1, send))).toBe(
      `422 emails.${most}.text ${TOGETHER}`,
    );
  });

  it("refuses a batch of hostile entries", async () => {
    const each = (text: string) =>
      sends(20, {}).map((_, index) => ({ text: `${text}${index}`, variables: { a: 1 } }));
    const endless = `{{#each l}}{{#each @root.l}}${ROUNDS}{{/each}}{{/each}}`;
    for (const hostile of [
      each("{{#if a}}b{{/if}}".repeat(2_800)),
      each(`${"{{a}}".repeat(9_990)}{{/if}}`),
      sends(20, { subject: "S", text: endless, variables }),
    ])
      expect(await renderRefused(...hostile)).toMatch(/^422 /);
  });
});
