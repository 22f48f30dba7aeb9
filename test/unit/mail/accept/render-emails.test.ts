// Tests how variables are rendered into a send's subject, text, HTML and header values: what
// changes, what stays, and how each error is answered.
import { describe, expect, it } from "vitest";
import { LINK_PLACEHOLDER, type Members, renderRefused, renderOne } from "./rendered-sends.ts";

describe("variables", () => {
  const source = "Hi {{name}}{{#if vip}}, dear{{/if}}{{#each items}} {{@index}}:{{this}}{{/each}}";
  const variables = { name: "Ann & <Bob>", vip: true, items: ["a", "b"] };
  const plain = "Hi Ann & <Bob>, dear 0:a 1:b";
  const escaped = "Hi Ann &amp; &lt;Bob&gt;, dear 0:a 1:b";

  it.each<[string, Members, Members]>([
    ["the subject, unescaped", { subject: source }, { subject: plain }],
    ["the text, unescaped", { text: source }, { text: plain }],
    ["the HTML, escaped", { html: source }, { html: escaped }],
    [
      "the HTML, as it is in triple braces",
      { html: "{{{name}}} {{&name}}" },
      { html: "Ann & <Bob> Ann & <Bob>" },
    ],
    [
      "every header value, unescaped",
      { headers: { "X-Name": source, "X-Other": "{{name}}" } },
      {
        headers: [
          ["X-Name", plain],
          ["X-Other", "Ann & <Bob>"],
        ],
      },
    ],
    ["what is missing as nothing", { text: "[{{missing}}|{{missing.deep}}]" }, { text: "[|]" }],
    [
      "every kind of JSON",
      { text: "{{n}} {{b}} {{z}} {{o}} {{l}}" },
      { text: "1.5 false  [object Object] 1,2" },
    ],
    [
      "no name of an object's prototype",
      { text: "[{{constructor}}{{toString}}{{__proto__}}]" },
      { text: "[]" },
    ],
  ])("fill in %s", async (_, members, expected) => {
    const more = { n: 1.5, b: false, z: null, o: {}, l: [1, 2] };
    expect(await renderOne({ ...members, variables: { ...variables, ...more } })).toMatchObject(
      expected,
    );
  });

  it("do not change addresses, labels, header names, file names and attachments", async () => {
    const content = btoa("Dear {{name}}");
    const email = await renderOne({
      from: '"{{name}}" <shop@example.com>',
      to: ["{{name}} <ann@example.org>"],
      reply_to: ["{{name}} <help@example.com>"],
      headers: { "X-{{name}}": "dropped", "X-Kept": "1" },
      attachments: [{ filename: "{{name}}.txt", content, content_type: "text/plain" }],
      variables,
    });
    expect(email).toMatchObject({
      from: { name: "{{name}}" },
      to: [{ name: "{{name}}" }],
      replyTo: [{ name: "{{name}}" }],
      headers: [["X-Kept", "1"]],
      attachments: [
        { filename: "{{name}}.txt", content: new TextEncoder().encode("Dear {{name}}") },
      ],
    });
  });

  it.each([
    ["absent", {}],
    ["empty", { variables: {} }],
  ])("that are %s change no braces, not even faulty ones", async (_, change) => {
    const braces = "{{name}} {{{a}}} {{#if}} {{> x}} \\{{y}}";
    const written = { subject: braces, text: braces, html: braces, headers: { "X-A": braces } };
    expect(await renderOne({ ...written, ...change })).toMatchObject({
      ...written,
      headers: [["X-A", braces]],
      linkPlaceholder: undefined,
    });
  });

  it("named unsubscribe_url are ordinary when no link is generated", async () => {
    expect(
      await renderOne({
        text: "{{unsubscribe_url}}",
        variables: { unsubscribe_url: "https://example.com/bye" },
      }),
    ).toMatchObject({
      text: "https://example.com/bye",
      linkPlaceholder: undefined,
    });
  });
});

describe("a generated unsubscribe link", () => {
  const generate = { topic: "news", unsubscribe: { mode: "generate" } };

  it("is rendered without variables too, as one placeholder wherever it is used", async () => {
    const link = "[{{unsubscribe_url}}]{{missing}}";
    const { linkPlaceholder, ...email } = await renderOne({
      ...generate,
      subject: link,
      text: link,
      html: link,
      headers: { "X-Bye": link },
    });
    expect(linkPlaceholder).toMatch(LINK_PLACEHOLDER);
    const filled = `[${linkPlaceholder}]`;
    expect(email).toMatchObject({
      subject: filled,
      text: filled,
      html: filled,
      headers: [["X-Bye", filled]],
    });
  });

  it("has a different placeholder in every message", async () => {
    const [one, other] = [await renderOne(generate), await renderOne(generate)];
    expect(one.linkPlaceholder).not.toBe(other.linkPlaceholder);
  });

  it("replaces the caller's own variable of that name", async () => {
    const { text } = await renderOne({
      ...generate,
      text: "{{unsubscribe_url}} {{name}}",
      variables: { unsubscribe_url: "https://evil.example", name: "Ann" },
    });
    expect(text).toMatch(/^unsubscribe-[0-9a-f-]{36} Ann$/);
  });

  it("refuses faulty braces even without variables", async () => {
    expect(await renderRefused({ ...generate, text: "{{#if" })).toMatchObject({
      status: 422,
      errors: { text: [expect.stringMatching(/^has an error at line 1, column 1: /)] },
    });
  });
});

describe("line breaks in values", () => {
  const variables = {
    evil: "x\r\nBcc: eve@example.org\r\n\r\nbody",
    nul: "a\u0000b\u007f\u0085c\td",
  };

  it.each<[string, Members, Members]>([
    ["the subject", { subject: "S {{evil}}" }, { subject: "S xBcc: eve@example.orgbody" }],
    [
      "a header",
      { headers: { "X-A": "{{{evil}}}" } },
      { headers: [["X-A", "xBcc: eve@example.orgbody"]] },
    ],
    [
      "the subject, with every other control character",
      { subject: "{{nul}}" },
      { subject: "abc d" },
    ],
    [
      "a header, with the space around it",
      { headers: { "X-A": " {{nul}} \r\n" } },
      { headers: [["X-A", "abc d"]] },
    ],
  ])("can never leave %s", async (_, members, expected) => {
    expect(await renderOne({ ...members, variables })).toMatchObject(expected);
  });

  it("stay in text and HTML", async () => {
    expect(await renderOne({ text: "{{evil}}", html: "{{evil}}", variables })).toMatchObject({
      text: variables.evil,
      html: variables.evil,
    });
  });

  it("and half a surrogate pair become whole characters", async () => {
    const { text, subject } = await renderOne({
      text: "{{lookup s 0}}",
      subject: "{{lookup s 1}}!",
      variables: { s: "😀" },
    });
    expect([text, subject]).toEqual(["\ufffd", "\ufffd!"]);
  });
});

describe("a faulty template", () => {
  const variables = { a: 1 };

  it.each<[string, Members, string, string]>([
    [
      "the subject",
      { subject: "Hi {{#if a}}" },
      "subject",
      "line 1, column 4: the block that begins here is never closed",
    ],
    [
      "the text",
      { text: "one\ntwo\n  {{upper a}}" },
      "text",
      'line 3, column 5: unknown helper "upper"',
    ],
    [
      "the HTML",
      { html: "<p>\r\n{{> footer}}" },
      "html",
      "line 2, column 1: partials are not supported",
    ],
    [
      "a header",
      { headers: { "X-A.B": "dropped", "X-A": "{{" } },
      "headers.X-A",
      "line 1, column 1: the tag is never closed",
    ],
    [
      "a text with a wrong end",
      { text: "{{#if a}}{{/each}}" },
      "text",
      "line 1, column 4: if doesn't match each",
    ],
  ])("in %s is refused with its line and column", async (_, members, path, problem) => {
    expect(await renderRefused({ ...members, variables })).toEqual({
      status: 422,
      errors: { [path]: [`has an error at ${problem}`] },
    });
  });

  it("is reported together with all others", async () => {
    const { status, errors } = await renderRefused({
      subject: "{{",
      text: "{{a",
      html: "{{/if}}",
      headers: { "X-A": "{{log a}}", "X-B": "{{a}}" },
      variables,
    });
    expect([status, Object.keys(errors).toSorted()]).toEqual([
      422,
      ["headers.X-A", "html", "subject", "text"],
    ]);
  });

  it("in an entry of a batch is reported under the entry", async () => {
    const { errors } = await renderRefused(
      { variables },
      { text: "{{#each", variables },
      { text: "{{#each" },
    );
    expect(Object.keys(errors)).toEqual(["emails.1.text"]);
  });
});
