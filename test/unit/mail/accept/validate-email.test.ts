// Tests how a send is validated as a whole: the smallest send, the fullest, one at every limit, and
// one with errors of both statuses, 400 and 422.
import { describe, expect, it } from "vitest";
import { accept, expectRefused, file, GOOD, mapOf, refusalOf, times } from "./validated-sends.ts";

describe("validateEmail refuses", () => {
  it("both kinds of errors with a 400, in one list", () => {
    expectRefused({ from: "x", subject: undefined, tags: ["!"] }, "400 from, subject, tags.0");
    const attachments = [file({ content: "*" }), file({ content: 5 })];
    expectRefused({ attachments }, "400 attachments.0.content, attachments.1.content");
  });

  it("an empty object, and names every missing member", () => {
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

  it("a million invalid entries with at most 100 errors", () => {
    const many = times(1_000_000, () => 0);
    const tags = many.map((_, index) => index);
    const lists = { to: many, reply_to: many, tags, attachments: many };
    const { status, errors } = refusalOf({ ...GOOD, ...lists });
    expect(status).toBe(400);
    expect(Object.keys(errors).length).toBeLessThanOrEqual(100);
  });
});

describe("validateEmail accepts", () => {
  it("the smallest send", () => {
    expect(accept({})).toEqual({
      from: { email: "shop@example.com", domain: "example.com", name: null },
      to: [{ email: "ann@example.org", name: null }],
      cc: [],
      envelope: ["ann@example.org"],
      replyTo: null,
      subject: "Hello",
      text: "Hi",
      html: null,
      headers: [],
      attachments: [],
      tags: [],
      topic: null,
      campaign: null,
      ipPool: null,
      scheduledAt: null,
      template: null,
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
          content: new TextEncoder().encode("hi"),
        },
      ],
      tags: ["b", "a"],
      topic: "news.weekly_1-2",
      campaign: "Spring_2026-x",
      ipPool: "alerts",
      scheduledAt: null,
      template: null,
      variables: { name: "Ann" },
      tracking: { opens: false, clicks: false },
    });
  });

  it("a send at every limit", () => {
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
    const lists = [email.envelope, email.replyTo, email.headers, email.attachments, email.tags];
    expect(lists.map((list) => list?.length)).toEqual([50, 10, 25, 20, 10]);
  });
});
