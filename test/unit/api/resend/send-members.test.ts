// Tests how a send to Resend's API becomes one of ours (src/api/resend/send-members.ts): what
// frameworks' adapters write, and that a list or a map over its limit is not rebuilt.
import { describe, expect, it } from "vitest";
import { toOwnSend, toOwnSends } from "../../../../src/api/resend/send-members.ts";

const SEND = { from: "a@x.example", to: "b@x.example", subject: "s", text: "t" };
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

function translate(members: object): Record<string, unknown> {
  return toOwnSend({ ...SEND, ...members }, 0, () => {}) as Record<string, unknown>;
}

function ignoredIn(input: object): unknown {
  let found: unknown;
  toOwnSend(input, 0, (paths, more) => (found ??= [paths.map((path) => path.join(".")), more]));
  return found;
}

describe("a send to Resend's API", () => {
  it.each<[string, object, object]>([
    ["an empty cc, bcc and reply_to", { cc: "", bcc: "", reply_to: "" }, {}],
    ["an empty list for the template", { template: [] }, {}],
    [
      "a name as encoded words",
      { from: "=?utf-8?q?B=C3=BCro?= <a@x.example>" },
      { from: '"Büro" <a@x.example>' },
    ],
    [
      "names with a comma and a quote as encoded words, in quotes or not",
      {
        reply_to: ["=?utf-8?q?Desk=2C_=22B=22?= <d@x.example>", '"=?utf-8?b?w7w=?=" <e@x.example>'],
      },
      { reply_to: ['"Desk, \\"B\\"" <d@x.example>', '"ü" <e@x.example>'] },
    ],
    [
      "a line break in an encoded name",
      { to: ["=?utf-8?q?A=0D=0ABcc:_c?= <b@x.example>"] },
      { to: ['"ABcc: c" <b@x.example>'] },
    ],
    [
      "an encoded word in an unknown charset",
      { to: ["=?x-no?q?a?= <b@x.example>"] },
      { to: ["=?x-no?q?a?= <b@x.example>"] },
    ],
    [
      "header values that are numbers, lists and null",
      { headers: { "X-A": 1, "X-B": ["1", 2, null], "X-C": null, "X-D": "d" } },
      { headers: { "X-A": "1", "X-B": { values: ["1", "2"] }, "X-D": "d" } },
    ],
    [
      "tags, one of them null",
      {
        tags: [
          { name: "a", value: "1" },
          { name: "b", value: null },
        ],
      },
      { metadata: { a: "1" } },
    ],
  ])("has %s", (_, members, own) => {
    expect(translate(members)).toEqual({ ...SEND, to: ["b@x.example"], ...own });
  });

  it("beside a template has no empty sender, subject or body", () => {
    const empty = {
      from: "",
      subject: "",
      html: "",
      text: "",
      template: { id: "a", variables: null },
    };
    expect(translate(empty)).toEqual({ to: ["b@x.example"], template_id: "a" });
    expect(translate({ subject: "" })).toMatchObject({ subject: "" });
  });

  it("names its unknown members, the first thousand of them, and counts the others", () => {
    expect(ignoredIn({ ...SEND, replyTo: 1 })).toEqual([["replyTo"], 0]);
    const many = Object.fromEntries(times(3_000).map((index) => [`m${index}`, 1]));
    expect(ignoredIn(many)).toEqual([expect.objectContaining({ length: 1_000 }), 2_000]);
  });

  it.each<[string, string, readonly unknown[]]>([
    ["attachments", "attachments", times(21)],
    ["recipients", "to", times(51)],
    ["reply addresses", "reply_to", times(51)],
  ])("keeps the list of too many %s as it is, for the validation to count", (_, name, list) => {
    expect(translate({ [name]: list })[name]).toBe(list);
  });

  it("stops at one more than the maximum number of tags and of headers", () => {
    const tags = times(1_000).map((index) => ({ name: `n${index}`, value: "v" }));
    expect(Object.keys(translate({ tags })["metadata"] as object)).toHaveLength(21);
    const headers = Object.fromEntries(times(1_000).map((index) => [`X-${index}`, "v"]));
    expect(Object.keys(translate({ headers })["headers"] as object)).toHaveLength(26);
    const { "X-A": fields } = translate({ headers: { "X-A": times(1_000) } })["headers"] as {
      "X-A": { values: unknown[] };
    };
    expect(fields.values).toHaveLength(26);
  });

  it("is not translated if it is one of over 100 in a batch", () => {
    const batch = times(101).map(() => SEND);
    expect(toOwnSends(batch, 0, () => {})).toBe(batch);
  });
});
