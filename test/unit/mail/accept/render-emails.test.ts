// What variables make of a send's subject, text, HTML and header values, what they leave alone, and
// how each thing that can go wrong is answered.
import { describe, expect, it } from "vitest";
import { Findings } from "../../../../src/mail/accept/findings.ts";
import {
  type RenderedEmail,
  renderEmails,
} from "../../../../src/mail/accept/render/render-emails.ts";
import type { SendContext } from "../../../../src/mail/accept/send-context.ts";
import { validateEmail } from "../../../../src/mail/accept/validate-email.ts";
import { bindings } from "../../../support/api.ts";

type Members = Record<string, unknown>;

const GOOD = { from: "shop@example.com", to: ["ann@example.org"], subject: "Hello", text: "Hi" };
const CONTEXT = {
  env: bindings,
  sender: { team: { id: "team_none" } },
  note: () => undefined,
} as unknown as SendContext;
const LINK_PLACEHOLDER =
  /^unsubscribe-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);

/** The sends of one request, and what was found wrong with them. */
async function render(
  ...changes: Members[]
): Promise<{ emails: RenderedEmail[] | undefined; findings: Findings }> {
  const findings = new Findings();
  const sends = changes.map((change, index) => {
    const within = changes.length === 1 ? findings : findings.under(`emails.${index}`);
    const email = validateEmail({ ...GOOD, ...change }, [], within);
    if (!email) throw new Error(findings.refusal().body);
    return { email, findings: within };
  });
  return { emails: await renderEmails(CONTEXT, sends), findings };
}

async function taken(change: Members): Promise<RenderedEmail> {
  const { emails, findings } = await render(change);
  const [email] = emails ?? [];
  if (!email) throw new Error(findings.refusal().body);
  return email;
}

async function refused(
  ...changes: Members[]
): Promise<{ status: number; errors: Record<string, string[]> }> {
  const { emails, findings } = await render(...changes);
  expect(emails).toBeUndefined();
  const { status, body } = findings.refusal();
  return {
    status,
    errors: (JSON.parse(body) as { error: { errors: Record<string, string[]> } }).error.errors,
  };
}

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
    expect(await taken({ ...members, variables: { ...variables, ...more } })).toMatchObject(
      expected,
    );
  });

  it("leave addresses, labels, header names, file names and attachments alone", async () => {
    const content = btoa("Dear {{name}}");
    const email = await taken({
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
      attachments: [{ filename: "{{name}}.txt", content }],
    });
  });

  it.each([
    ["absent", {}],
    ["empty", { variables: {} }],
  ])("that are %s leave every brace as it was written, faulty ones too", async (_, change) => {
    const braces = "{{name}} {{{a}}} {{#if}} {{> x}} \\{{y}}";
    const written = { subject: braces, text: braces, html: braces, headers: { "X-A": braces } };
    expect(await taken({ ...written, ...change })).toMatchObject({
      ...written,
      headers: [["X-A", braces]],
      linkPlaceholder: undefined,
    });
  });

  it("named unsubscribe_url are like any other while no link is generated", async () => {
    expect(
      await taken({
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

  it("renders without variables too, and stands as one mark wherever it is asked for", async () => {
    const link = "[{{unsubscribe_url}}]{{missing}}";
    const { linkPlaceholder, ...email } = await taken({
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

  it("has another mark in every message", async () => {
    const [one, other] = [await taken(generate), await taken(generate)];
    expect(one.linkPlaceholder).not.toBe(other.linkPlaceholder);
  });

  it("replaces the caller's own variable of that name", async () => {
    const { text } = await taken({
      ...generate,
      text: "{{unsubscribe_url}} {{name}}",
      variables: { unsubscribe_url: "https://evil.example", name: "Ann" },
    });
    expect(text).toMatch(/^unsubscribe-[0-9a-f-]{36} Ann$/);
  });

  it("refuses faulty braces even without variables", async () => {
    expect(await refused({ ...generate, text: "{{#if" })).toMatchObject({
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
  ])("never get out of %s", async (_, members, expected) => {
    expect(await taken({ ...members, variables })).toMatchObject(expected);
  });

  it("stay in text and HTML", async () => {
    expect(await taken({ text: "{{evil}}", html: "{{evil}}", variables })).toMatchObject({
      text: variables.evil,
      html: variables.evil,
    });
  });

  it("half a character comes out whole", async () => {
    const { text, subject } = await taken({
      text: "{{lookup s 0}}",
      subject: "{{lookup s 1}}!",
      variables: { s: "😀" },
    });
    expect([text, subject]).toEqual(["\ufffd", "\ufffd!"]);
  });
});

describe("a rendered part", () => {
  it("that is empty counts as none", async () => {
    expect(await taken({ text: "{{a}}", html: "<p>", variables: { b: 1 } })).toMatchObject({
      text: null,
      html: "<p>",
    });
    expect(
      await taken({ text: "x", html: "{{#if a}}<p>{{/if}}", variables: { b: 1 } }),
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
    expect(await refused({ variables: { b: 1 }, ...members })).toEqual({ status, errors });
  });

  it("may be as large as its cap", async () => {
    const variables = { l: many(20, 0), s: "😀".repeat(2_500), subject: "😀".repeat(998) };
    const body = `{{#each l}}${"{{@root.s}}".repeat(20)}{{/each}}`;
    const email = await taken({ subject: "{{subject}}", text: body, html: body, variables });
    expect([email.subject.length, email.text?.length, email.html?.length]).toEqual([
      1_996, 2_000_000, 2_000_000,
    ]);
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
  ])("in %s is refused where it stands", async (_, members, path, problem) => {
    expect(await refused({ ...members, variables })).toEqual({
      status: 422,
      errors: { [path]: [`has an error at ${problem}`] },
    });
  });

  it("is reported with all the others", async () => {
    const { status, errors } = await refused({
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

  it("of a batch is reported under its entry", async () => {
    const { errors } = await refused(
      { variables },
      { text: "{{#each", variables },
      { text: "{{#each" },
    );
    expect(Object.keys(errors)).toEqual(["emails.1.text"]);
  });
});

describe("what the templates of a request take together", () => {
  const TOGETHER = [
    "exceeds the rendering limit that all templates of one request share: send fewer emails, or simpler templates",
  ];
  const variables = { l: many(1_000, 0), s: "x".repeat(50_000) };

  it("is bounded in tags, each different source counting once", async () => {
    const source = "{{a}}".repeat(10_000);
    expect(
      (await render(...(many(50, { text: source, variables: { a: 1 } }) as Members[]))).emails,
    ).toHaveLength(50);
    const sends = ["a", "b", "c", "d", "e"].map((mark) => ({
      text: source + mark,
      variables: { a: 1 },
    }));
    expect((await render(...sends.slice(0, 4))).emails).toHaveLength(4);
    expect(await refused(...sends)).toEqual({ status: 422, errors: { "emails.4.text": TOGETHER } });
  });

  it("is bounded in tags whatever the isolate has compiled before", async () => {
    const sends = ["f", "g", "h", "i", "j"].map((mark) => ({
      text: "{{a}}".repeat(10_000) + mark,
      variables: { a: 1 },
    }));
    expect(await refused(...sends)).toEqual(await refused(...sends));
  });

  it("is bounded in steps", async () => {
    const send = {
      text: "{{#each l}}{{#each @root.l}}{{/each}}{{/each}}",
      variables: { l: many(480, 0) },
    };
    expect((await render(...(many(4, send) as Members[]))).emails).toHaveLength(4);
    expect(await refused(...(many(5, send) as Members[]))).toEqual({
      status: 422,
      errors: { "emails.4.text": TOGETHER },
    });
  });

  it("is bounded in output", async () => {
    const send = { text: "{{s}}".repeat(20), variables };
    expect((await render(...(many(16, send) as Members[]))).emails).toHaveLength(16);
    expect(await refused(...(many(17, send) as Members[]))).toEqual({
      status: 422,
      errors: { "emails.16.text": TOGETHER },
    });
  });

  it("refuses a hundred hostile entries", async () => {
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
      expect((await refused(...sends)).status).toBe(422);
    }
  });
});
