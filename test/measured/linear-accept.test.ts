// Tests that accepting a send takes time linear in the request's size, whatever the request
// contains, and that all templates of a request together take bounded time. Runs in Node, because a
// Worker can't measure its processor time. One subject: what a send costs before its admission.
import { describe, expect, it } from "vitest";
import { toOwnSends } from "../../src/api/resend/send-members.ts";
import { fileNameIn } from "../../src/lib/mime/part-name.ts";
import { validateBatch } from "../../src/mail/accept/batch/batch-entries.ts";
import { FieldProblems } from "../../src/mail/accept/field-problems.ts";
import { connectPictures } from "../../src/mail/accept/render/inline-pictures.ts";
import { renderEmails } from "../../src/mail/accept/render/render-emails.ts";
import type { SendContext } from "../../src/mail/accept/send-context.ts";
import { validateEmail } from "../../src/mail/accept/validate-email.ts";
import { expectBounded, expectLinear } from "../support/processor-time.ts";
import { judgeMessage, OWNED } from "../unit/mail/accept/smtp/submissions.ts";

const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);

describe("a submitted message", () => {
  const from = `From: Me <me@${OWNED}>`;
  it.each<[string, number, (count: number) => string]>([
    ["folds", 60_000, (count) => `${from}\r\nX-A: b${"\r\n c".repeat(count)}\r\n\r\n`],
    ["quotes", 50_001, (count) => `${from}\r\nTo: ${'"'.repeat(count)}\r\n\r\n`],
    [
      "comments",
      5_000,
      (count) =>
        `${from}\r\nTo: x${"\r\n (((((((((((((((((((((((((((((((((((((((".repeat(count)}\r\n\r\n`,
    ],
    [
      "colons in brackets",
      9_000,
      (count) =>
        `${from}\r\nTo: ${"aaaaaaaaa\r\n ".repeat(count)}<${":::::::::\r\n ".repeat(count)}\r\n\r\n`,
    ],
    [
      "commas",
      19_000,
      (count) => `${from}\r\nReply-To: ${",,,,,,,,,,\r\n ".repeat(count)}\r\n\r\n`,
    ],
    ["spaces", 250_000, (count) => `${from}\r\nX-A: a${" ".repeat(count)}b\r\n\r\n`],
    [
      "encoded words",
      15_000,
      (count) => `${from}\r\nSubject: ${"=?utf-8?Q?a?=\r\n ".repeat(count)}\r\n\r\n`,
    ],
    [
      "at signs in a name",
      190,
      (count) => `From: "${"@a.b ".repeat(count)}" <me@${OWNED}>\r\n\r\n`,
    ],
    [
      "comments in the sender",
      60_000,
      (count) => `From: me@${OWNED}${" (x)".repeat(count)}\r\n\r\n`,
    ],
    [
      "parentheses in the sender",
      50_000,
      (count) => `From: me@${OWNED} ${"(".repeat(count)}${")".repeat(count / 8)}\r\n\r\n`,
    ],
    ["brackets in the sender", 50_000, (count) => `From: ${"<".repeat(count)}me@${OWNED}>\r\n\r\n`],
    ["spaces in the sender", 50_000, (count) => `From: me${" ".repeat(count)}@${OWNED}\r\n\r\n`],
    [
      "encoded words in the sender",
      12_000,
      (count) => `From: me@${OWNED} (${"=?x-y?Q?a?= ".repeat(count)})\r\n\r\n`,
    ],
    ["lines that are no field", 60_000, (count) => `${from}\r\n${"x\r\n".repeat(count)}\r\n`],
    [
      "octets that are not UTF-8",
      250_000,
      (count) => `${from}\r\nX-A: ${"\xe9".repeat(count)}\r\n\r\n`,
    ],
    ["separators of lines", 250_000, (count) => `${from}\r\nX-A: ${"\v".repeat(count)}\r\n\r\n`],
    [
      "To fields",
      900,
      (count) =>
        `${from}\r\n${`To: ${"a@b.example, ".repeat(20)}c@b.example\r\n`.repeat(count)}\r\n`.slice(
          0,
          260_000,
        ),
    ],
    [
      "ids without spaces",
      24_000,
      (count) => `${from}\r\nReferences: ${"<a@b.c>,".repeat(count)}\r\n\r\n`,
    ],
    [
      "a header line without spaces",
      250_000,
      (count) => `${from}\r\nX-A:${"a".repeat(count)}\r\n\r\n`,
    ],
    ["a header line of commas", 250_000, (count) => `${from}\r\nTo:${",".repeat(count)}\r\n\r\n`],
    [
      "a megabyte of carriage returns",
      1_000_000,
      (count) => `${from}\r\n\r\n${"\r".repeat(count)}x`,
    ],
    ["a line of a megabyte", 1_000_000, (count) => `${from}\r\n\r\n${"a".repeat(count)}\r\n`],
    ["a megabyte of line feeds", 1_000_000, (count) => `${from}\r\n\r\n${"\n".repeat(count)}`],
  ])("takes linear time to validate: %s", async (_, largest, messageOf) => {
    await expectLinear(largest, (count) => {
      const message = messageOf(count);
      return () => judgeMessage(message);
    });
  });
});

describe("the name of a file in a submitted message", () => {
  it.each<[string, (count: number) => string]>([
    ["quotes", (count) => ';name="'.repeat(count / 7)],
    ["segments", (count) => ";name*0=a".repeat(count / 9)],
    ["percent signs", (count) => `; name*=a'${"%41'".repeat(count / 4)}`],
  ])("is read in linear time: %s", async (_, parametersOf) => {
    await expectLinear(200_000, (count) => {
      const header = `Content-Type: a/b${parametersOf(count)}\r\n`;
      return () => fileNameIn(header);
    });
  });
});

describe("a submitted message with variables", () => {
  const template = {
    id: "template_x",
    subject: "Hello {{name}}",
    html: "<p>Dear {{name}}, ü</p>",
    text: "Dear {{name}}, ü",
    from: null,
    replyTo: null,
    fallbacks: null,
    sensitive: false,
    replyTracking: false,
    version: null,
  };
  const start =
    `X-Service-Variables: {"name":"Zoe & Co","n":3}\r\nFrom: Me <me@${OWNED}>\r\nMessage-ID: ` +
    `<1@${OWNED}>\r\nDate: Thu, 1 Jan 2026 00:00:00 +0000\r\n`;
  const level = (n: number) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`;

  it.each<[string, number, (count: number) => string]>([
    [
      "levels",
      5_000,
      (count) => Array.from({ length: count }, (_, index) => level(index)).join(""),
    ],
    [
      "parts",
      100_000,
      (count) =>
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\n\r\n".repeat(count)}`,
    ],
    [
      "type parameters",
      20_000,
      (count) => `Content-Type: text/plain${"; charset=a".repeat(count)}\r\n\r\n`,
    ],
  ])("costs linear time with many %s", async (_, largest, structureOf) => {
    await expectLinear(largest, (count) => {
      const structure = structureOf(count);
      return () => {
        judgeMessage(
          `X-Service-Template-Id: t\r\n${start}${structure}`,
          ["ann@example.org"],
          [],
          template,
        );
        judgeMessage(`${start}${structure}{{name}}\r\n`);
      };
    });
  });
});

describe("HTML with references to pictures", () => {
  const attachments = validateEmail(
    {
      from: "shop@example.com",
      to: ["ann@example.org"],
      subject: "Hello",
      attachments: many(20, { filename: "a", content: "", content_id: "ö" }),
      text: "Hi",
    },
    [],
    0,
    new FieldProblems(),
  )!.attachments;

  it.each([
    "=cid:",
    "(cid:",
    '"cid:%C3%B6',
    "'cid:\u0301",
    " cid:",
    "cid:".padEnd(10_000),
    "&quot;cid:&amp;",
  ])("is read in linear time: %s", async (piece) => {
    await expectLinear(2_000_000, (count) => {
      const html = piece.repeat(count / piece.length);
      return () => connectPictures({ html, attachments }, "");
    });
  });
});

describe("hostile defaults of a batch", () => {
  const entry = { from: "shop@example.com", to: ["ann@example.org"] };
  const named = (count: number, suffix = "") =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}${suffix}`, "v"]));

  const DEFAULTS: [string, number, (count: number) => Record<string, unknown>][] = [
    [
      "a subject of control characters",
      1_000_000,
      (count) => ({ text: "Hi", subject: `a${"\u007f".repeat(count)}` }),
    ],
    ["a subject of a megabyte", 1_000_000, (count) => ({ text: "Hi", subject: "s".repeat(count) })],
    [
      "50,000 headers",
      50_000,
      (count) => ({ text: "Hi", subject: "Hello", headers: named(count) }),
    ],
    [
      "50,000 malformed headers",
      50_000,
      (count) => ({ text: "Hi", subject: "Hello", headers: named(count, ":") }),
    ],
    [
      "50,000 variables",
      50_000,
      (count) => ({ text: "Hi", subject: "Hello", variables: named(count) }),
    ],
    [
      "250,000 recipients",
      250_000,
      (count) => ({ text: "Hi", subject: "Hello", bcc: many(count, "a@b.example") }),
    ],
    [
      "250,000 equal tags",
      250_000,
      (count) => ({ text: "Hi", subject: "Hello", tags: many(count, "a") }),
    ],
    [
      "an attachment of a megabyte",
      1_000_000,
      (count) => ({
        subject: "Hello",
        text: "Hi",
        attachments: [{ filename: "a", content: "A".repeat(count) }],
      }),
    ],
  ];
  /** The value after a round trip through JSON. */
  const received = (entries: number, defaults: Record<string, unknown>) =>
    JSON.parse(JSON.stringify({ emails: many(entries, entry), defaults })) as Record<
      string,
      unknown
    >;

  it.each(DEFAULTS)("of %s take linear time for 100 entries", async (_, largest, defaultsOf) => {
    await expectLinear(largest, (count) => {
      const body = received(100, defaultsOf(count));
      return () => validateBatch(body, [], 0, new FieldProblems());
    });
  });

  // Leaves out a list with more recipients than a send may have: each entry reports that error,
  // which takes time.
  it.each(DEFAULTS.filter(([name]) => name !== "250,000 recipients"))(
    "of %s take no more time for 100 entries than for 7, because they are read once",
    async (_, largest, defaultsOf) => {
      const defaults = defaultsOf(largest);
      await expectBounded(100, (entries) => {
        const body = received(entries, defaults);
        return () => validateBatch(body, [], 0, new FieldProblems());
      });
    },
  );

  it("of 250,000 surrogate pairs take each entry only the time to count them", async () => {
    const defaults = { subject: "Hello", html: "😀".repeat(250_000) };
    await expectLinear(32, (entries) => {
      const body = received(entries, defaults);
      return () => validateBatch(body, [], 0, new FieldProblems());
    });
  });
});

describe("the rendering budget of one request", () => {
  const variables = { l: many(1_000, 0), s: "x".repeat(50_000) };
  let runs = 0;

  it.each<[string, (index: string) => Record<string, unknown>]>([
    [
      "many blocks",
      (mark) => ({
        subject: "Hello",
        text: `${"{{#if a}}b{{/if}}".repeat(2_800)}${mark}`,
        variables: { a: 1 },
      }),
    ],
    [
      "many tags and an error",
      (mark) => ({
        subject: "Hello",
        text: `${"{{a}}".repeat(9_990)}{{/if}}${mark}`,
        variables: { a: 1 },
      }),
    ],
    [
      "loops in loops",
      () => ({
        subject: "S",
        text: "{{#each l}}{{#each @root.l}}{{#each @root.l}}{{/each}}{{/each}}{{/each}}",
        variables,
      }),
    ],
  ])("is refused in bounded time, however many entries there are: %s", async (_, change) => {
    await expectBounded(100, (entries) => {
      runs += 1;
      const problems = new FieldProblems();
      const sends = Array.from({ length: entries }, (__, index) => {
        const within = problems.under(`emails.${index}`);
        const email = validateEmail(
          { from: "shop@example.com", to: ["ann@example.org"], ...change(`${runs} ${index}`) },
          [],
          0,
          within,
        );
        if (!email) throw new Error(problems.refusal().body);
        return { email, problems: within };
      });
      const context = {
        env: {},
        sender: { team: { id: "team_none" } },
        note: () => undefined,
      } as unknown as SendContext;
      return async () => expect(await renderEmails(context, sends)).toContain(undefined);
    });
  });
});

describe("a batch to Resend's API", () => {
  it.each<[string, object]>([
    ["too many messages", {}],
    ["too many messages with too many attachments", { attachments: many(21, {}) }],
  ])("costs no more with %s", async (_, message) => {
    await expectBounded(1_600_000, (count) => {
      const batch = many(count, message);
      return () => toOwnSends(batch, 0, () => {});
    });
  });
});
