// Tests how variables are rendered into a send's subject, text, HTML and header values: what
// changes, what stays, and how each error is answered.
import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { LINK_PLACEHOLDER, type Members, renderRefused, renderOne } from "./rendered-sends.ts";

describe("variables", () => {
  const source = "Hi {{name}}{{#if vip}}, dear{{/if}}{{#each items}} {{@index}}:{{this}}{{/each}}";
  const variables = { name: "Ann & <Bob>", vip: true, items: ["a", "b"] };
  const plain = "Hi Ann & <Bob>, dear 0:a 1:b";
  const escaped = "Hi Ann &amp; &lt;Bob&gt;, dear 0:a 1:b";

  const JSON_TEXT = "1.5 false  [object Object] 1,2";
  it.each<[string, Members, Members]>([
    ["the subject, unescaped", { subject: source }, { subject: plain }],
    ["the text, unescaped", { text: source }, { text: plain }],
    ["the HTML, escaped", { html: source }, { html: escaped }],
    ["triple braces in HTML, as it is", { html: "{{{name}}}{{&b}}" }, { html: "Ann & <Bob>false" }],
    ["each header value, unescaped", { headers: { "X-A": source } }, { headers: [["X-A", plain]] }],
    ["a missing variable as nothing", { text: "[{{missing}}|{{missing.deep}}]" }, { text: "[|]" }],
    ["every kind of JSON", { text: "{{n}} {{b}} {{z}} {{o}} {{l}}" }, { text: JSON_TEXT }],
    ["no name of a prototype", { text: "[{{constructor}}{{__proto__}}]" }, { text: "[]" }],
  ])("fill in %s", async (_, members, expected) => {
    const more = { n: 1.5, b: false, z: null, o: {}, l: [1, 2] };
    const email = await renderOne({ ...members, variables: { ...variables, ...more } });
    expect(email).toMatchObject(expected);
  });

  it("do not change addresses, labels, header names, file names and attachments", async () => {
    const written = Buffer.from("Dear {{name}}");
    const content = written.toString("base64");
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
      attachments: [{ filename: "{{name}}.txt", content: new Uint8Array(written) }],
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
    const link = { unsubscribe_url: "https://example.com/bye" };
    expect(await renderOne({ text: "{{unsubscribe_url}}", variables: link })).toMatchObject({
      text: "https://example.com/bye",
      linkPlaceholder: undefined,
    });
  });
});

describe("a generated unsubscribe link", () => {
  const generate = { topic: "news", unsubscribe: { mode: "generate" } };

  it("is rendered without variables too, as one placeholder wherever it is used", async () => {
    const link = "[{{unsubscribe_url}}]{{missing}}";
    const parts = { subject: link, text: link, html: link };
    const sent = { ...generate, ...parts, headers: { "X-Bye": link } };
    const { linkPlaceholder, ...email } = await renderOne(sent);
    expect(linkPlaceholder).toMatch(LINK_PLACEHOLDER);
    const filled = `[${linkPlaceholder}]`;
    const headers = [["X-Bye", filled]];
    expect(email).toMatchObject({ subject: filled, text: filled, html: filled, headers });
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

  it("makes faulty braces an error even without variables", async () => {
    expect(await renderRefused({ ...generate, text: "{{#if" })).toMatch(
      /^422 text has an error at line 1, column 1: /,
    );
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
      { headers: { A: "{{{evil}}}" } },
      { headers: [["A", "xBcc: eve@example.orgbody"]] },
    ],
    ["the subject, as other controls", { subject: "{{nul}}" }, { subject: "abc d" }],
    ["a header, as space", { headers: { A: " {{nul}} \r\n" } }, { headers: [["A", "abc d"]] }],
  ])("can never leave %s", async (_, members, expected) => {
    expect(await renderOne({ ...members, variables })).toMatchObject(expected);
  });

  it("stay in text and HTML", async () => {
    expect(await renderOne({ text: "{{evil}}", html: "{{evil}}", variables })).toMatchObject({
      text: variables.evil,
      html: variables.evil,
    });
  });

  it("and half a surrogate pair do no harm: the half becomes U+FFFD", async () => {
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

  it.each<[Members, string]>([
    [
      { subject: "Hi {{#if a}}" },
      "subject 1, column 4: the block that begins here is never closed",
    ],
    [{ text: "one\ntwo\n  {{upper a}}" }, 'text 3, column 5: unknown helper "upper"'],
    [{ html: "<p>\r\n{{> footer}}" }, "html 2, column 1: partials are not supported"],
    [{ headers: { "X.B": "x", "X-A": "{{" } }, "headers.X-A 1, column 1: the tag is never closed"],
    [{ text: "{{#if a}}{{/each}}" }, "text 1, column 4: if doesn't match each"],
  ])("is refused with its line and column: %j", async (members, problem) => {
    const refusal = problem.replace(" ", " has an error at line ");
    expect(await renderRefused({ ...members, variables })).toBe(`422 ${refusal}`);
  });

  it("is reported together with all others", async () => {
    const refusal = await renderRefused({
      subject: "{{",
      text: "{{a",
      html: "{{/if}}",
      headers: { "X-A": "{{log a}}", "X-B": "{{a}}" },
      variables,
    });
    expect(refusal).toMatch(/^422 headers\.X-A .+; html .+; subject .+; text .+$/);
  });

  it("in an entry of a batch is reported under the entry", async () => {
    const faulty = { text: "{{#each", variables };
    const refusal = await renderRefused({ variables }, faulty, { text: "{{#each" });
    expect(refusal).toMatch(/^422 emails\.1\.text [^;]+$/);
  });
});
