// Tests that rendered parts keep to the limits of a send, and that all templates of one request
// share one budget.
import { describe, expect, it } from "vitest";
import { many, type Members, renderRefused, render, renderOne } from "./rendered-sends.ts";

describe("a rendered part", () => {
  it("that is empty counts as absent", async () => {
    expect(await renderOne({ text: "{{a}}", html: "<p>", variables: { b: 1 } })).toMatchObject({
      text: null,
      html: "<p>",
    });
    expect(
      await renderOne({ text: "x", html: "{{#if a}}<p>{{/if}}", variables: { b: 1 } }),
    ).toMatchObject({ text: "x", html: null });
  });

  it.each<[string, Members, number, Record<string, string[]>]>([
    [
      "a subject that renders to nothing",
      { subject: "{{a}}" },
      422,
      { subject: ["is empty once rendered"] },
    ],
    [
      "a subject that renders to blanks",
      { subject: "{{s}}", variables: { s: " \t\r\n " } },
      422,
      { subject: ["is empty once rendered"] },
    ],
    [
      "a subject that renders to 999 characters",
      { subject: "x{{s}}", variables: { s: "😀".repeat(998) } },
      422,
      { subject: ["renders to more than 998 characters"] },
    ],
    [
      "a subject beyond all measure",
      {
        subject: "{{#each l}}{{@root.s}}{{/each}}",
        variables: { l: many(300, 0), s: "x".repeat(10_000) },
      },
      422,
      { subject: ["renders to more than 998 characters"] },
    ],
    [
      "a header that renders to 8,193 characters",
      { headers: { "X-A": "{{s}}" }, variables: { s: "x".repeat(8_193) } },
      422,
      { "headers.X-A": ["renders to more than 8192 characters"] },
    ],
    [
      "a text over its cap",
      {
        text: "{{#each l}}{{@root.s}}{{/each}}x",
        variables: { l: many(100, 0), s: "x".repeat(10_000) },
      },
      400,
      { text: ["renders to more than 1000000 characters"] },
    ],
    [
      "an HTML over its cap by escaping",
      {
        html: "{{#each l}}{{@root.s}}{{/each}}",
        variables: { l: many(30, 0), s: "'".repeat(10_000) },
      },
      400,
      { html: ["renders to more than 1000000 characters"] },
    ],
    [
      "an HTML beyond all measure",
      {
        html: "{{#each l}}{{@root.s}}{{/each}}",
        variables: { l: many(5_000, 0), s: "x".repeat(50_000) },
      },
      400,
      { html: ["renders to more than 1000000 characters"] },
    ],
    [
      "a text that takes too many steps",
      {
        text: "{{#each l}}{{#each @root.l}}{{#each @root.l}}{{/each}}{{/each}}{{/each}}",
        variables: { l: many(1_000, 0) },
      },
      422,
      { text: ["takes more than 500000 steps to render"] },
    ],
  ])("is refused: %s", async (_, members, status, errors) => {
    expect(await renderRefused({ variables: { b: 1 }, ...members })).toEqual({ status, errors });
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
  const TOGETHER = [
    "exceeds the rendering limit that all templates of one request share: send fewer emails, " +
      "or simpler templates",
  ];
  const variables = { l: many(1_000, 0), s: "x".repeat(50_000) };

  it("limits tags, and counts each distinct source once", async () => {
    const source = "{{a}}".repeat(10_000);
    expect(
      (await render(...(many(50, { text: source, variables: { a: 1 } }) as Members[]))).emails,
    ).toHaveLength(50);
    const sends = ["a", "b", "c", "d", "e"].map((mark) => ({
      text: source + mark,
      variables: { a: 1 },
    }));
    expect((await render(...sends.slice(0, 4))).emails).toHaveLength(4);
    expect(await renderRefused(...sends)).toEqual({
      status: 422,
      errors: { "emails.4.text": TOGETHER },
    });
  });

  it("limits steps", async () => {
    const send = {
      text: "{{#each l}}{{#each @root.l}}{{/each}}{{/each}}",
      variables: { l: many(480, 0) },
    };
    expect((await render(...(many(4, send) as Members[]))).emails).toHaveLength(4);
    expect(await renderRefused(...(many(5, send) as Members[]))).toEqual({
      status: 422,
      errors: { "emails.4.text": TOGETHER },
    });
  });

  it("limits output", async () => {
    const send = { text: "{{s}}".repeat(20), variables };
    expect((await render(...(many(16, send) as Members[]))).emails).toHaveLength(16);
    expect(await renderRefused(...(many(17, send) as Members[]))).toEqual({
      status: 422,
      errors: { "emails.16.text": TOGETHER },
    });
  });

  it("refuses a batch of a hundred hostile entries", async () => {
    const parsed = many(100, 0).map((_, index) => ({
      text: `${"{{#if a}}b{{/if}}".repeat(2_800)}${index}`,
      variables: { a: 1 },
    }));
    const broken = many(100, 0).map((_, index) => ({
      text: `${"{{a}}".repeat(9_990)}{{/if}}${index}`,
      variables: { a: 1 },
    }));
    const endless = many(100, {
      subject: "S",
      text: "{{#each l}}{{#each @root.l}}{{#each @root.l}}{{/each}}{{/each}}{{/each}}",
      variables,
    }) as Members[];
    for (const sends of [parsed, broken, endless]) {
      expect((await renderRefused(...sends)).status).toBe(422);
    }
  });
});
