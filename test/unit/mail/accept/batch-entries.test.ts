// A batch before any look-up: how an entry is merged with the defaults, what refuses the whole, and
// under which path that is told.
import { describe, expect, it } from "vitest";
import { validateBatch, type ValidEntry } from "../../../../src/mail/accept/batch/batch-entries.ts";
import { Findings } from "../../../../src/mail/accept/findings.ts";
import type { ValidEmail } from "../../../../src/mail/accept/validate-email.ts";

const ENTRY = { from: "shop@example.com", to: ["ann@example.org"], subject: "Hello", text: "Hi" };

/** The entries, or the errors by path, of a body as JSON carries it. */
function judge(body: Record<string, unknown>): readonly ValidEntry[] | Record<string, string[]> {
  const findings = new Findings();
  const entries = validateBatch(
    JSON.parse(JSON.stringify(body)) as typeof body,
    ["receipts", "alerts"],
    findings,
  );
  if (entries && findings.count === 0) return entries;
  if (entries) throw new Error("entries were given beside errors");
  return (JSON.parse(findings.refusal().body) as { error: { errors: Record<string, string[]> } })
    .error.errors;
}

function errorsOf(defaults: unknown, ...emails: unknown[]): Record<string, string[]> {
  const errors = judge({ emails, defaults });
  if (Array.isArray(errors)) throw new Error("the batch is valid");
  return errors as Record<string, string[]>;
}

/** The one entry of a batch, merged. */
function merged(defaults: Record<string, unknown>, entry: Record<string, unknown>): ValidEmail {
  const entries = judge({ emails: [entry], defaults });
  const [first] = Array.isArray(entries) ? (entries as ValidEntry[]) : [];
  if (first?.kind !== "valid") throw new Error(JSON.stringify(entries));
  return first.email;
}

const attachment = (filename: string) => ({ filename, content: "aGk=" });
const people = (count: number, name = "p") =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.org`);

describe("the shape of a batch", () => {
  it.each([
    [{}, "is required"],
    [{ emails: null }, "must be an array"],
    [{ emails: { 0: ENTRY } }, "must be an array"],
    [{ emails: "x" }, "must be an array"],
    [{ emails: [] }, "must hold at least one email"],
    [
      { emails: Array.from({ length: 101 }, () => ENTRY) },
      "has 101 entries; at most 100 are allowed",
    ],
    [
      { emails: Array.from({ length: 1_000_000 }, () => null) },
      "has 1000000 entries; at most 100 are allowed",
    ],
  ])("refuses %j on emails alone", (body, problem) => {
    expect(judge(body)).toEqual({ emails: [problem] });
  });

  it("takes 1 to 100 entries, in order, and members that it does not know", () => {
    expect(judge({ emails: [ENTRY], extra: 1 })).toHaveLength(1);
    const subjects = Array.from({ length: 100 }, (_, index) => `Message ${index}`);
    const entries = judge({
      emails: subjects.map((subject) => ({ ...ENTRY, subject })),
    }) as readonly ValidEntry[];
    expect(entries.map((entry) => (entry.kind === "valid" ? entry.email.subject : null))).toEqual(
      subjects,
    );
  });

  it("tells each entry's errors under its index, an entry that is no object too", () => {
    const errors = errorsOf(undefined, ENTRY, null, { ...ENTRY, subject: "" }, [], "x", {
      ...ENTRY,
      to: ["nobody"],
      tags: ["a b"],
    });
    expect(errors).toEqual({
      "emails.1": ["must be an object"],
      "emails.2.subject": ["must not be empty"],
      "emails.3": ["must be an object"],
      "emails.4": ["must be an object"],
      "emails.5.to.0": ["is not an email address"],
      "emails.5.tags.0": [expect.stringContaining("must be 1 to 64") as string],
    });
  });

  it.each([null, [], "x", 1])("refuses defaults that are %j", (defaults) => {
    expect(errorsOf(defaults, ENTRY)).toEqual({ defaults: ["must be an object"] });
  });

  it.each([
    ["from", 1, "must be a string"],
    ["subject", null, "must be a string"],
    ["text", ["x"], "must be a string"],
    ["html", {}, "must be a string"],
    ["reply_to", {}, "must be a string or an array of strings"],
    ["headers", [], "must be an object"],
    ["cc", "ann@example.org", "must be an array"],
    ["bcc", {}, "must be an array"],
    ["attachments", {}, "must be an array"],
    ["tags", "a", "must be an array"],
    ["ip_pool", 7, "must be a string"],
    ["template_id", 7, "must be a string"],
    ["campaign", true, "must be a string"],
    ["topic", [], "must be a string"],
    ["tracking", true, "must be an object"],
    ["unsubscribe", "generate", "must be an object"],
    ["variables", [], "must be an object"],
  ])(
    "tells a default %s of the wrong type once, under defaults, whether or not it is inherited",
    (name, value, problem) => {
      expect(errorsOf({ [name]: value }, ENTRY, ENTRY)).toEqual({
        [`defaults.${name}`]: [problem],
      });
    },
  );

  it("tells what is wrong with default attachments and variables once, under defaults", () => {
    expect(
      errorsOf(
        { attachments: [attachment("a"), { filename: "b", content: "%" }, 1] },
        ENTRY,
        ENTRY,
      ),
    ).toEqual({
      "defaults.attachments.1.content": ["is not valid base64"],
      "defaults.attachments.2": ["must be an object"],
    });
    expect(
      errorsOf({ attachments: Array.from({ length: 21 }, () => attachment("a")) }, ENTRY),
    ).toHaveProperty(["defaults.attachments"]);
    expect(errorsOf({ variables: { a: { b: { c: { d: {} } } } } }, ENTRY, ENTRY)).toEqual({
      "defaults.variables.a.b.c.d": ["is nested deeper than 4 levels"],
    });
  });

  it("ignores `to` and what it does not know in defaults", () => {
    expect(merged({ to: ["bob@example.org"], surprise: 1 }, ENTRY).envelope).toEqual([
      "ann@example.org",
    ]);
    expect(errorsOf({ to: ["bob@example.org"] }, { ...ENTRY, to: undefined })).toEqual({
      "emails.0.to": ["is required"],
    });
  });
});

describe("the merge of an entry with the defaults", () => {
  const bare = { to: ["ann@example.org"] };

  it("takes each single value from the entry where it has one, else from the defaults", () => {
    const defaults = {
      from: "Default <default@example.com>",
      subject: "Default",
      text: "default text",
      html: "<p>default</p>",
      reply_to: "default@example.org",
      topic: "default",
      campaign: "default",
      ip_pool: "receipts",
    };
    expect(merged(defaults, bare)).toMatchObject({
      from: { email: "default@example.com", name: "Default" },
      subject: "Default",
      text: "default text",
      html: "<p>default</p>",
      replyTo: [{ email: "default@example.org" }],
      topic: "default",
      campaign: "default",
      ipPool: "receipts",
    });
    const own = {
      ...ENTRY,
      html: "<p>own</p>",
      reply_to: ["own@example.org"],
      topic: "own",
      campaign: "own",
      ip_pool: "alerts",
    };
    expect(merged(defaults, own)).toEqual(merged({}, own));
    expect(merged(defaults, { ...bare, html: "<p>own</p>" })).toMatchObject({
      text: "default text",
      html: "<p>own</p>",
    });
  });

  it("lets a null of the entry win, and so be refused, as in a single send", () => {
    expect(
      errorsOf(
        { subject: "Default", tags: ["a"], headers: { "X-A": "1" } },
        { ...ENTRY, subject: null, tags: null, headers: null },
      ),
    ).toEqual({
      "emails.0.subject": ["must be a string"],
      "emails.0.tags": ["must be an array"],
      "emails.0.headers": ["must be an object"],
    });
  });

  it("merges headers by name without regard to case, the entry's winning", () => {
    const defaults = { headers: { "X-A": "default", "X-B": "default", Bcc: "dropped" } };
    expect(merged(defaults, bareWith({ headers: { "x-a": "own", "X-C": "own" } })).headers).toEqual(
      [
        ["x-a", "own"],
        ["X-B", "default"],
        ["X-C", "own"],
      ],
    );
    expect(merged(defaults, ENTRY).headers).toEqual([
      ["X-A", "default"],
      ["X-B", "default"],
    ]);
  });

  it("joins cc, bcc, attachments and tags, those of the defaults first", () => {
    const defaults = {
      cc: ["c1@example.org"],
      bcc: ["b1@example.org"],
      attachments: [attachment("1.txt")],
      tags: ["one", "two", "one"],
    };
    const email = merged(defaults, {
      ...ENTRY,
      cc: ["c2@example.org"],
      bcc: ["b2@example.org", "C1@example.org"],
      attachments: [attachment("2.txt")],
      tags: ["three", "two"],
    });
    expect(email.cc.map((mailbox) => mailbox.email)).toEqual(["c1@example.org", "c2@example.org"]);
    expect(email.envelope).toEqual([
      "ann@example.org",
      "c1@example.org",
      "c2@example.org",
      "b1@example.org",
      "b2@example.org",
    ]);
    expect(email.attachments.map(({ filename }) => filename)).toEqual(["1.txt", "2.txt"]);
    expect(email.tags).toEqual(["one", "two", "three"]);
    expect(merged(defaults, ENTRY)).toMatchObject({
      tags: ["one", "two"],
      attachments: [{ filename: "1.txt", content: "aGk=" }],
    });
  });

  it("holds what is joined to a single send's caps, tags after duplicates are gone", () => {
    const tags = Array.from({ length: 10 }, (_, index) => `t${index}`);
    expect(merged({ tags }, { ...ENTRY, tags: [...tags].toReversed() }).tags).toEqual(tags);
    expect(errorsOf({ tags }, { ...ENTRY, tags: ["other"] })).toEqual({
      "emails.0.tags": ["has more than 10 different entries"],
    });
    const files = (count: number) => Array.from({ length: count }, () => attachment("a.txt"));
    expect(
      merged({ attachments: files(15) }, { ...ENTRY, attachments: files(5) }).attachments,
    ).toHaveLength(20);
    expect(
      errorsOf({ attachments: files(15) }, ENTRY, { ...ENTRY, attachments: files(6) }),
    ).toEqual({
      "emails.1.attachments": ["has 21 entries with those of defaults; at most 20 are allowed"],
    });
    expect(
      merged({ cc: people(30), bcc: people(10, "q") }, { ...ENTRY, bcc: people(9, "r") }).envelope,
    ).toHaveLength(50);
    expect(
      errorsOf({ cc: people(30), bcc: people(10, "q") }, { ...ENTRY, bcc: people(10, "r") }),
    ).toEqual({
      "emails.0.to": ["has 51 recipients with cc and bcc; at most 50 are allowed"],
    });
    expect(errorsOf({ cc: people(60) }, ENTRY)).toEqual({
      "emails.0.to": ["has 61 recipients with cc and bcc; at most 50 are allowed"],
    });
    const headers = Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [`X-${index}`, "1"]),
    );
    expect(merged({ headers }, { ...ENTRY, headers: { "x-3": "own" } }).headers).toHaveLength(25);
    expect(errorsOf({ headers }, { ...ENTRY, headers: { "X-Own": "1" } })).toEqual({
      "emails.0.headers": ["has more than 25 entries"],
    });
  });

  it("is a single send afterwards: what is missing, or does not go together, is told of the entry", () => {
    expect(
      errorsOf({ html: "<p>Hi</p>" }, { ...ENTRY, text: undefined, template_id: "template_x" }),
    ).toMatchObject({
      "emails.0.template_id": ["cannot be combined with html or text"],
    });
    expect(errorsOf({ unsubscribe: { mode: "generate" } }, ENTRY)).toMatchObject({
      "emails.0.topic": ["is required when unsubscribe.mode is generate"],
    });
    expect(errorsOf({}, bare)).toEqual({
      "emails.0.from": ["is required"],
      "emails.0.subject": ["is required"],
      "emails.0.html": [expect.any(String) as string],
      "emails.0.text": [expect.any(String) as string],
    });
    expect(
      errorsOf({ from: "nobody", cc: ["no one"] }, bareWith({ from: undefined }), ENTRY),
    ).toMatchObject({
      "emails.0.from": ["is not an email address"],
      "emails.0.cc.0": ["is not an email address"],
      "emails.1.cc.0": ["is not an email address"],
    });
  });

  it("corrects an inherited subject and header in place, or tells that they are too long", () => {
    const control = "a\r\nb";
    const email = merged(
      { subject: control, headers: { "X-A": control } },
      bareWith({ subject: undefined }),
    );
    expect([email.subject, email.headers]).toEqual(["ab", [["X-A", "ab"]]]);
    expect(
      errorsOf(
        { subject: "s".repeat(999), headers: { "X-A": "v".repeat(8_193), "X-B": 1 } },
        bareWith({ subject: undefined }),
      ),
    ).toEqual({
      "emails.0.subject": ["is longer than 998 characters"],
      "emails.0.headers.X-A": ["is longer than 8192 characters"],
      "emails.0.headers.X-B": ["must be a string"],
    });
    expect(merged({ subject: "😀".repeat(998) }, bareWith({ subject: undefined })).subject).toBe(
      "😀".repeat(998),
    );
  });

  function bareWith(members: Record<string, unknown>): Record<string, unknown> {
    return { ...ENTRY, ...members };
  }
});

describe("an IP pool", () => {
  it("of the defaults that is unknown fails those that inherited it, and no other", () => {
    const { ip_pool: unknown, ...ours } = { ip_pool: "theirs", ...ENTRY };
    const entries = judge({
      defaults: { ip_pool: unknown },
      emails: [ours, { ...ENTRY, ip_pool: "alerts" }, ENTRY],
    });
    expect(entries).toMatchObject([
      { kind: "failed" },
      { kind: "valid", email: { ipPool: "alerts" } },
      { kind: "failed" },
    ]);
    const [failed] = entries as readonly ValidEntry[];
    expect(failed?.kind === "failed" && JSON.parse(failed.error)).toEqual({
      type: "validation_error",
      message:
        "The request is not valid: ip_pool is not an IP pool of this team: the team's pools are receipts, alerts",
      errors: {
        ip_pool: ["is not an IP pool of this team: the team's pools are receipts, alerts"],
      },
    });
  });

  it("of the entry itself that is unknown refuses the batch", () => {
    expect(errorsOf({ ip_pool: "receipts" }, ENTRY, { ...ENTRY, ip_pool: "theirs" })).toEqual({
      "emails.1.ip_pool": [expect.stringContaining("is not an IP pool of this team") as string],
    });
    expect(errorsOf({ ip_pool: "receipts" }, { ...ENTRY, ip_pool: null })).toEqual({
      "emails.0.ip_pool": ["must be a string"],
    });
  });

  it("that is inherited and unknown does not hide what else is wrong", () => {
    expect(errorsOf({ ip_pool: "theirs" }, { ...ENTRY, subject: "" })).toEqual({
      "emails.0.subject": ["must not be empty"],
    });
  });
});
