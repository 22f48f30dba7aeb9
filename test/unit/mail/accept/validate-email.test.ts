// Every rule of a send that needs no look-up: which inputs pass, how they are stored, and which
// status and paths the others get.
import { describe, expect, it } from "vitest";
import { Findings } from "../../../../src/mail/accept/findings.ts";
import { type ValidEmail, validateEmail } from "../../../../src/mail/accept/validate-email.ts";

const GOOD = { from: "shop@example.com", to: ["ann@example.org"], subject: "Hello", text: "Hi" };
const POOLS = ["receipts", "alerts"];

function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function mapOf<Value>(
  count: number,
  entry: (index: number) => [string, Value],
): Record<string, Value> {
  return Object.fromEntries(times(count, entry));
}

function file(change: Record<string, unknown>): Record<string, unknown> {
  return { filename: "a.txt", content: "aGk=", ...change };
}

/** The good send with some members changed; an undefined one is left out, as JSON does. */
function send(change: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify({ ...GOOD, ...change })) as Record<string, unknown>;
}

function accept(change: Record<string, unknown>): ValidEmail {
  const findings = new Findings();
  const email = validateEmail(send(change), POOLS, findings);
  if (!email) throw new Error(findings.refusal().body);
  return email;
}

function refusalOf(input: Record<string, unknown>): {
  status: number;
  errors: Record<string, string[]>;
} {
  const findings = new Findings();
  expect(validateEmail(input, POOLS, findings)).toBeUndefined();
  const { status, body } = findings.refusal();
  return {
    status,
    errors: (JSON.parse(body) as { error: { errors: Record<string, string[]> } }).error.errors,
  };
}

/*
 * 400 is for the errors that contract.md §Statuses lists, 422 for the rest. Where the list leaves a choice:
 *   subject over 998 characters         422  a length, but not of text or html
 *   tags, reply_to over 10              400  counts, like recipients, headers and attachments
 *   an empty `to`                       422  no count over a cap: the required recipient is missing
 *   keys or levels of variables         422  neither is a count over a cap of the send
 *   an infinite number in variables     400  no value that JSON could hold: malformed, not merely unwanted
 *   a custom header's value too long    422  a length; the cap is ours, so that it is no count over a cap of the contract
 *   from, reply_to on a host that no    400  neither is a recipient that could be left out, so it is no address that works
 *   mail can reach
 */
describe("validateEmail refuses", () => {
  it.each<[string, Record<string, unknown>, number, string[]]>([
    ["no from", { from: undefined }, 422, ["from"]],
    ["a from that is null", { from: null }, 422, ["from"]],
    ["a from that is a number", { from: 5 }, 422, ["from"]],
    ["an empty from", { from: "" }, 400, ["from"]],
    ["a from that is no address", { from: "shop" }, 400, ["from"]],
    ["two senders", { from: "a@example.com, b@example.com" }, 400, ["from"]],
    [
      "a header injected behind the address of from",
      { from: "shop@example.com\r\nBcc: x@example.org" },
      400,
      ["from"],
    ],
    [
      "an unquoted address of another domain before from's own",
      { from: "boss@bank.example <shop@example.com>" },
      400,
      ["from"],
    ],
    [
      "an unquoted address before reply_to's own",
      { reply_to: ["a@example.org, Shop <shop@example.com>"] },
      400,
      ["reply_to.0"],
    ],
    [
      "two recipients in one entry",
      { to: ["ann@example.org, Bob <bob@example.org>"] },
      400,
      ["to.0"],
    ],
    [
      "a second address injected into from",
      { from: "Shop <x@example.org>\r\n, <shop@example.com>" },
      400,
      ["from"],
    ],
    ["NUL in from", { from: "shop\u0000@example.com" }, 400, ["from"]],
    ["a from without a public host", { from: "shop@localhost" }, 400, ["from"]],
    ["a from at an IP address", { from: "shop@[192.0.2.1]" }, 400, ["from"]],

    ["no to", { to: undefined }, 422, ["to"]],
    ["a to that is a string", { to: "ann@example.org" }, 422, ["to"]],
    ["a to that is null", { to: null }, 422, ["to"]],
    ["an empty to", { to: [] }, 422, ["to"]],
    ["an empty to beside a cc", { to: [], cc: ["ann@example.org"] }, 422, ["to"]],
    [
      "entries that are no strings",
      { to: ["ann@example.org", 7, null, ["bob@example.org"]] },
      422,
      ["to.1", "to.2", "to.3"],
    ],
    ["an invalid address in to", { to: ["ann@example.org", "bob"] }, 400, ["to.1"]],
    ["a line break in to", { to: ["ann@example.org\r\nBcc: bob@example.org"] }, 400, ["to.0"]],
    ["an invalid address in cc", { cc: ["Bob <bob>"] }, 400, ["cc.0"]],
    ["an invalid address in bcc", { bcc: ["bob@example.org", "<>"] }, 400, ["bcc.1"]],
    ["a cc that is a string", { cc: "bob@example.org" }, 422, ["cc"]],
    ["a bcc that is an object", { bcc: { 0: "bob@example.org" } }, 422, ["bcc"]],
    ["51 recipients in to", { to: times(51, (index) => `u${index}@example.org`) }, 400, ["to"]],
    [
      "51 recipients in all",
      {
        to: times(17, (index) => `a${index}@example.org`),
        cc: times(17, () => "b@example.org"),
        bcc: times(17, () => "b@example.org"),
      },
      400,
      ["to"],
    ],
    [
      "every recipient rejected",
      { to: ["ann@localhost", "bob@[192.0.2.1]"], cc: ["eve@192.0.2.1"] },
      400,
      ["to", "to.0", "to.1", "cc.0"],
    ],
    [
      "an address with a space outside ASCII before the at sign",
      { to: ["a\u3000nn@example.org"] },
      400,
      ["to.0"],
    ],

    ["an invalid reply_to", { reply_to: "nobody" }, 400, ["reply_to"]],
    [
      "an invalid entry of reply_to",
      { reply_to: ["ann@example.org", "nobody"] },
      400,
      ["reply_to.1"],
    ],
    ["a reply_to without a public host", { reply_to: ["ann@localhost"] }, 400, ["reply_to.0"]],
    ["a reply_to that is a number", { reply_to: 5 }, 422, ["reply_to"]],
    ["a number in reply_to", { reply_to: [5] }, 422, ["reply_to.0"]],
    [
      "11 entries in reply_to",
      { reply_to: times(11, (index) => `r${index}@example.org`) },
      400,
      ["reply_to"],
    ],

    ["no subject", { subject: undefined }, 422, ["subject"]],
    ["a subject that is a number", { subject: 5 }, 422, ["subject"]],
    ["an empty subject", { subject: "" }, 422, ["subject"]],
    ["a subject that line breaks alone filled", { subject: "\r\n\r\n" }, 422, ["subject"]],
    ["a blank subject", { subject: " \t " }, 422, ["subject"]],
    ["a subject of 999 characters", { subject: "s".repeat(999) }, 422, ["subject"]],

    ["neither text nor html", { text: undefined }, 422, ["html", "text"]],
    ["an empty text alone", { text: "" }, 422, ["html", "text"]],
    ["empty text and html", { text: "", html: "" }, 422, ["html", "text"]],
    ["a text that is a number", { text: 5 }, 422, ["text"]],
    ["an html that is null", { html: null }, 422, ["html"]],
    ["a text over its cap", { text: "t".repeat(1_000_001) }, 400, ["text"]],
    ["an html over its cap", { html: "t".repeat(1_000_001) }, 400, ["html"]],
    ["a template beside text", { template_id: "template_x" }, 422, ["template_id"]],
    [
      "a template beside html",
      { template_id: "template_x", text: undefined, html: "x" },
      422,
      ["template_id"],
    ],
    [
      "a template_id that is a number",
      { template_id: 5, text: undefined, subject: undefined },
      422,
      ["template_id"],
    ],

    ["headers that are an array", { headers: ["X-A: b"] }, 422, ["headers"]],
    ["headers that are a string", { headers: "X-A: b" }, 422, ["headers"]],
    [
      "a header value that is no string",
      { headers: { "X-A": 5, "X-B": null, "X-C": "c" } },
      422,
      ["headers.X-A", "headers.X-B"],
    ],
    ["26 headers", { headers: mapOf(26, (index) => [`X-${index}`, "v"]) }, 400, ["headers"]],
    [
      "a header value over its cap",
      { headers: { "X-A": "v".repeat(8_193) } },
      422,
      ["headers.X-A"],
    ],

    ["attachments that are an object", { attachments: {} }, 422, ["attachments"]],
    ["an attachment that is a string", { attachments: ["aGk="] }, 422, ["attachments.0"]],
    [
      "an attachment without members",
      { attachments: [{}] },
      422,
      ["attachments.0.filename", "attachments.0.content"],
    ],
    [
      "invalid base64",
      { attachments: [file({}), file({ content: "a*b=" })] },
      400,
      ["attachments.1.content"],
    ],
    [
      "base64 cut short",
      { attachments: [file({ content: "aGkaa" })] },
      400,
      ["attachments.0.content"],
    ],
    [
      "a data URL",
      { attachments: [file({ content: "data:text/plain;base64,aGk=" })] },
      400,
      ["attachments.0.content"],
    ],
    [
      "content that is no string",
      { attachments: [file({ content: [104, 105] })] },
      422,
      ["attachments.0.content"],
    ],
    [
      "a file name that is no string",
      { attachments: [file({ filename: 5 })] },
      422,
      ["attachments.0.filename"],
    ],
    ["21 attachments", { attachments: times(21, () => file({})) }, 400, ["attachments"]],
    [
      "a content type that is none",
      { attachments: [file({ content_type: "text" })] },
      422,
      ["attachments.0.content_type"],
    ],
    [
      "a content type with a line break",
      { attachments: [file({ content_type: "text/plain\r\nX: y" })] },
      422,
      ["attachments.0.content_type"],
    ],
    [
      "a content type that opens a structure",
      { attachments: [file({ content_type: "multipart/mixed" })] },
      422,
      ["attachments.0.content_type"],
    ],
    [
      "a content type that never ends",
      { attachments: [file({ content_type: `text/plain${"; a=b".repeat(100)}` })] },
      422,
      ["attachments.0.content_type"],
    ],
    [
      "a content id without a usable character",
      { attachments: [file({ content_id: "<\r\n>" })] },
      422,
      ["attachments.0.content_id"],
    ],
    [
      "a content id over its cap",
      { attachments: [file({ content_id: "c".repeat(251) })] },
      422,
      ["attachments.0.content_id"],
    ],

    ["tags that are a string", { tags: "a" }, 422, ["tags"]],
    [
      "bad tags",
      { tags: ["ok", "", "a b", "x".repeat(65), 5, "é"] },
      422,
      ["tags.1", "tags.2", "tags.3", "tags.4", "tags.5"],
    ],
    ["a bad tag once, however often it is given", { tags: ["a!", "b", "a!"] }, 422, ["tags.0"]],
    ["11 different tags", { tags: times(11, (index) => `t${index}`) }, 400, ["tags"]],
    ["a bad topic", { topic: "News" }, 422, ["topic"]],
    ["the topic *", { topic: "*" }, 422, ["topic"]],
    ["an empty topic", { topic: "" }, 422, ["topic"]],
    ["a topic over 64 characters", { topic: "t".repeat(65) }, 422, ["topic"]],
    ["a bad campaign", { campaign: "spring sale" }, 422, ["campaign"]],
    ["a campaign with a final line break", { campaign: "spring\n" }, 422, ["campaign"]],
    ["an unknown pool", { ip_pool: "marketing" }, 422, ["ip_pool"]],
    ["a pool name that is no name", { ip_pool: "Not A Pool" }, 422, ["ip_pool"]],
    ["a pool that is a number", { ip_pool: 1 }, 422, ["ip_pool"]],

    ["tracking that is a boolean", { tracking: true }, 422, ["tracking"]],
    [
      "a tracking flag that is a string",
      { tracking: { opens: "yes", clicks: 1 } },
      422,
      ["tracking.opens", "tracking.clicks"],
    ],
    ["an unsubscribe that is a string", { unsubscribe: "none" }, 422, ["unsubscribe"]],
    ["an unsubscribe without a mode", { unsubscribe: {} }, 422, ["unsubscribe.mode"]],
    ["an unknown unsubscribe mode", { unsubscribe: { mode: "maybe" } }, 422, ["unsubscribe.mode"]],
    [
      "an unsubscribe name that is a number",
      { unsubscribe: { mode: "none", display_name: 5 } },
      422,
      ["unsubscribe.display_name"],
    ],

    ["variables that are an array", { variables: [1] }, 422, ["variables"]],
    ["variables that are null", { variables: null }, 422, ["variables"]],
    ["variables over 64 KB", { variables: { a: "é".repeat(32_768) } }, 422, ["variables"]],
    [
      "101 keys in variables",
      { variables: mapOf(101, (index) => [`k${index}`, 1]) },
      422,
      ["variables"],
    ],
    [
      "101 keys deeper in variables",
      { variables: { user: [mapOf(101, (index) => [`k${index}`, 1])] } },
      422,
      ["variables.user.0"],
    ],
    [
      "5 levels of variables",
      { variables: { a: { b: { c: { d: {} } } } } },
      422,
      ["variables.a.b.c.d"],
    ],
    [
      "5 levels of variables, lists counted",
      { variables: { a: [[[[1]]]] } },
      422,
      ["variables.a.0.0.0"],
    ],

    [
      "a generated unsubscribe link without a topic",
      { unsubscribe: { mode: "generate" } },
      422,
      ["topic"],
    ],

    [
      "both kinds with a 400",
      { from: "x", subject: undefined, tags: ["!"] },
      400,
      ["from", "subject", "tags.0"],
    ],
    [
      "both kinds in one list",
      { attachments: [file({ content: "*" }), file({ content: 5 })] },
      400,
      ["attachments.0.content", "attachments.1.content"],
    ],
  ])("%s", (_, change, status, paths) => {
    const refused = refusalOf(send(change));
    expect({ status: refused.status, paths: Object.keys(refused.errors).toSorted() }).toEqual({
      status,
      paths: paths.toSorted(),
    });
    for (const problem of Object.values(refused.errors).flat())
      expect(problem).toMatch(/^(?:is|are|has|must|may|cannot|with)\b/);
  });

  it("an infinite number in variables as malformed", () => {
    const input = { ...GOOD, variables: JSON.parse('{"price":{"amount":1e400}}') as unknown };
    expect(refusalOf(input)).toEqual({
      status: 400,
      errors: { "variables.price.amount": ["is a number that is too large"] },
    });
  });

  it("an empty body with everything that is missing", () => {
    expect(refusalOf({})).toEqual({
      status: 422,
      errors: {
        from: ["is required"],
        to: ["is required"],
        subject: ["is required"],
        html: ["is required unless text or template_id is given"],
        text: ["is required unless html or template_id is given"],
      },
    });
  });

  it("an unknown pool with the team's own pools, and no difference when there are none of that name anywhere", () => {
    expect(refusalOf(send({ ip_pool: "marketing" })).errors["ip_pool"]).toEqual([
      "is not an IP pool of this team: the team's pools are receipts, alerts",
    ]);
    const findings = new Findings();
    validateEmail(send({ ip_pool: "receipts" }), [], findings);
    expect(JSON.parse(findings.refusal().body)).toMatchObject({
      error: {
        errors: { ip_pool: ["is not an IP pool of this team: this team has no named IP pools"] },
      },
    });
  });

  it("a million wrong entries with a bounded answer", () => {
    const many = times(1_000_000, () => 0);
    const { status, errors } = refusalOf({
      ...GOOD,
      to: many,
      reply_to: many,
      tags: many.map((_, index) => index),
      attachments: many,
    });
    expect(status).toBe(400);
    expect(Object.keys(errors).length).toBeLessThanOrEqual(100);
  });

  it("each entry of a batch under its own path", () => {
    const findings = new Findings();
    expect(validateEmail(send({}), POOLS, findings.under("emails.0"))).toBeDefined();
    expect(
      validateEmail(
        send({ subject: undefined, attachments: [{ filename: "a", content: 1 }] }),
        POOLS,
        findings.under("emails.1"),
      ),
    ).toBeUndefined();
    expect(validateEmail(send({}), POOLS, findings.under("emails.2"))).toBeDefined();
    expect(JSON.parse(findings.refusal().body)).toMatchObject({
      error: {
        errors: {
          "emails.1.subject": ["is required"],
          "emails.1.attachments.0.content": ["must be a string"],
        },
      },
    });
  });
});

describe("validateEmail takes", () => {
  it("the smallest send", () => {
    expect(accept({})).toEqual({
      from: { email: "shop@example.com", domain: "example.com", name: null },
      to: [{ email: "ann@example.org", name: null }],
      cc: [],
      envelope: ["ann@example.org"],
      replyTo: [],
      subject: "Hello",
      text: "Hi",
      html: null,
      headers: [],
      attachments: [],
      tags: [],
      topic: null,
      campaign: null,
      ipPool: null,
      templateId: null,
      variables: {},
    });
  });

  it("the fullest send", () => {
    expect(
      accept({
        from: '"Shop, Ltd." <shop@Example.com>',
        to: ["Ann <ann@example.org>", "bob@Bücher.example"],
        cc: ["Zoë <zoe@example.org>"],
        bcc: ["Secret <eve@example.org>"],
        reply_to: ["Help <help@example.com>", "info@example.com"],
        html: "<p>Hi</p>",
        headers: { "X-Order": "42" },
        attachments: [file({ content_type: "text/plain; charset=utf-8", content_id: "<logo@1>" })],
        tags: ["b", "a", "b"],
        topic: "news.weekly_1-2",
        campaign: "Spring_2026-x",
        ip_pool: "alerts",
        variables: { name: "Ann" },
        tracking: { opens: false, clicks: false, unknown: 1 },
        unsubscribe: { mode: "none", display_name: "News" },
        unknown_member: { ignored: true },
      }),
    ).toEqual({
      from: { email: "shop@example.com", domain: "example.com", name: "Shop, Ltd." },
      to: [
        { email: "ann@example.org", name: "Ann" },
        { email: "bob@xn--bcher-kva.example", name: null },
      ],
      cc: [{ email: "zoe@example.org", name: "Zoë" }],
      envelope: [
        "ann@example.org",
        "bob@xn--bcher-kva.example",
        "zoe@example.org",
        "eve@example.org",
      ],
      replyTo: [
        { email: "help@example.com", name: "Help" },
        { email: "info@example.com", name: null },
      ],
      subject: "Hello",
      text: "Hi",
      html: "<p>Hi</p>",
      headers: [["X-Order", "42"]],
      attachments: [
        {
          filename: "a.txt",
          contentType: "text/plain; charset=utf-8",
          contentId: "logo@1",
          content: "aGk=",
        },
      ],
      tags: ["b", "a"],
      topic: "news.weekly_1-2",
      campaign: "Spring_2026-x",
      ipPool: "alerts",
      templateId: null,
      variables: { name: "Ann" },
      tracking: { opens: false, clicks: false },
    });
  });

  it.each([
    [{}, {}],
    [{ tracking: {} }, {}],
    [{ tracking: { opens: true } }, { tracking: { opens: true } }],
    [{ unsubscribe: { mode: "none" } }, {}],
    [{ topic: "news", unsubscribe: { mode: "generate" } }, { unsubscribe: { displayName: null } }],
    [
      { topic: "news", unsubscribe: { mode: "generate", display_name: " \r\n" } },
      { unsubscribe: { displayName: null } },
    ],
    [
      { topic: "news", unsubscribe: { mode: "generate", display_name: "A\nB " } },
      { unsubscribe: { displayName: "AB" } },
    ],
  ])("what is to become of links: %j", (change, options) => {
    const { unsubscribe, tracking } = accept(change);
    expect({ ...(unsubscribe && { unsubscribe }), ...(tracking && { tracking }) }).toEqual(options);
  });

  it("of a sender's name for the unsubscribe page no more than is shown, of a body that is all name", () => {
    const unsubscribe = { mode: "generate", display_name: ` ${"é".repeat(4_000_000)}` };
    expect(accept({ topic: "news", unsubscribe })).toMatchObject({
      unsubscribe: { displayName: "é".repeat(200) },
    });
  });

  it("exactly as much as the caps allow", () => {
    const email = accept({
      to: times(20, (index) => `a${index}@example.org`),
      cc: times(20, (index) => `b${index}@example.org`),
      bcc: times(10, (index) => `c${index}@example.org`),
      reply_to: times(10, (index) => `r${index}@example.org`),
      subject: "😀".repeat(998),
      text: "😀".repeat(1_000_000),
      html: "h".repeat(1_000_000),
      headers: mapOf(25, (index) => [`X-${index}`, "v".repeat(8_192)]),
      attachments: times(20, () => file({})),
      tags: times(10, (index) => `${index}`.padStart(64, "t")),
      topic: "t".repeat(64),
      campaign: "c".repeat(64),
    });
    expect([
      email.envelope.length,
      email.replyTo.length,
      email.headers.length,
      email.attachments.length,
      email.tags.length,
    ]).toEqual([50, 10, 25, 20, 10]);
  });

  it("a reply_to that is one string", () => {
    expect(accept({ reply_to: "Help <help@example.com>" }).replyTo).toEqual([
      { email: "help@example.com", name: "Help" },
    ]);
  });

  it("an envelope with each address once, whatever its case, the headers as given", () => {
    const email = accept({
      to: ["Ann@example.org", "ann@EXAMPLE.org"],
      cc: ["ANN@example.org"],
      bcc: ["bob@example.org", "bob@example.org"],
    });
    expect(email.envelope).toEqual(["Ann@example.org", "bob@example.org"]);
    expect(email.to.map(({ email: address }) => address)).toEqual([
      "Ann@example.org",
      "ann@example.org",
    ]);
  });

  it("the recipients that can be mailed when others can't", () => {
    const email = accept({
      to: ["ann@localhost", "bob@example.org"],
      cc: ["eve@[192.0.2.1]"],
      bcc: ["zoe@xn--a.com"],
    });
    expect(email).toMatchObject({
      to: [{ email: "bob@example.org" }],
      cc: [],
      envelope: ["bob@example.org"],
    });
    expect(accept({ to: ["ann@localhost"], bcc: ["bob@example.org"] })).toMatchObject({
      to: [],
      envelope: ["bob@example.org"],
    });
  });

  it("line breaks out of from and subject", () => {
    const email = accept({
      from: "Shop\r\n <shop@exam\r\nple.com>",
      subject: "Hel\r\nlo\u0000\tAnn\r\n",
    });
    expect(email.from).toMatchObject({ email: "shop@example.com", name: "Shop" });
    expect(email.subject).toBe("Hello Ann");
  });

  it("what a line break would have put into from's header as part of the display name", () => {
    for (const [from, name] of [
      ["Shop\r\nBcc: x@example.org <shop@example.com>", "ShopBcc: x@example.org"],
      ["\nSubject: a\\\rb, c <shop@example.com>", "Subject: a\\b, c"],
      ["\r\n<shop@example.com>\r\n", null],
    ] as const) {
      expect(accept({ from }).from).toMatchObject({ email: "shop@example.com", name });
    }
  });

  it("an empty part for none", () => {
    expect(accept({ text: "", html: "<p>Hi</p>" })).toMatchObject({
      text: null,
      html: "<p>Hi</p>",
    });
  });

  it("each tag once before counting them", () => {
    expect(accept({ tags: times(1_000, (index) => `t${index % 10}`) }).tags).toEqual(
      times(10, (index) => `t${index}`),
    );
  });
});
