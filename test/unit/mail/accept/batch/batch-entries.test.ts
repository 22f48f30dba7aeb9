// Tests how a batch is validated before the service looks anything up: which errors refuse the
// whole batch, and under which path each error is reported.
import { describe, expect, it } from "vitest";
import { type ValidEntry } from "../../../../../src/mail/accept/batch/batch-entries.ts";
import { attachment, ENTRY, errorsOf, judge, mergeOne } from "./validated-batches.ts";

describe("the shape of a batch", () => {
  it.each([
    [{}, "is required"],
    [{ emails: null }, "must be an array"],
    [{ emails: { 0: ENTRY } }, "must be an array"],
    [{ emails: "x" }, "must be an array"],
    [{ emails: [] }, "must hold at least one email"],
    [{ emails: Array(101).fill(ENTRY) }, "has 101 entries; at most 100 are allowed"],
    [{ emails: Array(1_000_000).fill(null) }, "has 1000000 entries; at most 100 are allowed"],
  ])("refuses %j with one error, under emails", (body, problem) => {
    expect(judge(body)).toEqual({ emails: [problem] });
  });

  it("accepts 1 to 100 entries, in order, and unknown members", () => {
    expect(judge({ emails: [ENTRY], extra: 1 })).toHaveLength(1);
    const subjects = Array.from({ length: 100 }, (_, index) => `Message ${index}`);
    const emails = subjects.map((subject) => ({ ...ENTRY, subject }));
    const entries = judge({ emails }) as readonly ValidEntry[];
    const kept = entries.map((entry) => (entry.kind === "valid" ? entry.email.subject : null));
    expect(kept).toEqual(subjects);
  });

  it("reports each entry's errors under its index, and entries that are not objects", () => {
    const bad = { ...ENTRY, to: ["nobody"], tags: ["a b"] };
    const errors = errorsOf(undefined, ENTRY, null, { ...ENTRY, subject: "" }, [], "x", bad);
    expect(errors).toEqual({
      "emails.1": ["must be an object"],
      "emails.2.subject": ["must not be empty"],
      "emails.3": ["must be an object"],
      "emails.4": ["must be an object"],
      "emails.5.to.0": ["is not an email address"],
      "emails.5.tags.0": [expect.stringContaining("must be 1 to 64") as string],
    });
  });

  it.each(["lenient", "Permissive", true])("refuses the validation %j", (validation) => {
    expect(judge({ emails: [ENTRY, null], validation })).toEqual({
      validation: ["must be one of: strict, permissive"],
    });
  });

  it.each([[1], "x", 1])("refuses defaults that are %j", (defaults) => {
    expect(errorsOf(defaults, ENTRY)).toEqual({ defaults: ["must be an object"] });
  });

  it.each([
    ["from", 1, "must be a string"],
    ["subject", 5, "must be a string"],
    ["text", ["x"], "must be a string"],
    ["html", {}, "must be a string"],
    ["reply_to", {}, "must be a string or an array of strings"],
    ["headers", ["a"], "must be an object"],
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
    ["variables", [1], "must be an object"],
  ])(
    "reports a default %s of the wrong type once, under defaults, whether or not an entry inherits it",
    (name, value, problem) => {
      const errors = { [`defaults.${name}`]: [problem] };
      expect(errorsOf({ [name]: value }, ENTRY, ENTRY)).toEqual(errors);
    },
  );

  it("reports errors in default attachments and variables once, under defaults", () => {
    const files = [attachment("a"), { filename: "b", content: "%" }, 1];
    expect(errorsOf({ attachments: files }, ENTRY, ENTRY)).toEqual({
      "defaults.attachments.1.content": ['is not valid base64: it contains "%"'],
      "defaults.attachments.2": ["must be an object"],
    });
    const many = errorsOf({ attachments: Array(21).fill(attachment("a")) }, ENTRY);
    expect(many).toHaveProperty(["defaults.attachments"]);
    expect(errorsOf({ variables: { a: { b: { c: { d: {} } } } } }, ENTRY, ENTRY)).toEqual({
      "defaults.variables.a.b.c.d": ["is nested deeper than 4 levels"],
    });
  });

  it("ignores `to` and unknown members in defaults", () => {
    expect(mergeOne({ to: ["bob@example.org"], surprise: 1 }, ENTRY).envelope).toEqual([
      "ann@example.org",
    ]);
    expect(errorsOf({ to: ["bob@example.org"] }, { ...ENTRY, to: undefined })).toEqual({
      "emails.0.to": ["is required"],
    });
  });
});

describe("an unknown IP pool", () => {
  it("of the defaults fails only the entries that inherited it", () => {
    const emails = [ENTRY, { ...ENTRY, ip_pool: "alerts" }, ENTRY];
    const entries = judge({ defaults: { ip_pool: "theirs" }, emails });
    expect(entries).toMatchObject([
      { kind: "failed" },
      { kind: "valid", email: { ipPool: "alerts" } },
      { kind: "failed" },
    ]);
    const [failed] = entries as readonly ValidEntry[];
    const problem = "is not an IP pool of this team: the team's pools are receipts, alerts";
    expect(failed?.kind === "failed" && JSON.parse(failed.error)).toEqual({
      type: "validation_error",
      message: `The request is not valid: ip_pool ${problem}`,
      errors: { ip_pool: [problem] },
    });
  });

  it("of an entry itself refuses the batch", () => {
    expect(errorsOf({ ip_pool: "receipts" }, ENTRY, { ...ENTRY, ip_pool: "theirs" })).toEqual({
      "emails.1.ip_pool": [expect.stringContaining("is not an IP pool of this team") as string],
    });
    expect(errorsOf({ ip_pool: "receipts" }, { ...ENTRY, ip_pool: 7 })).toEqual({
      "emails.0.ip_pool": ["must be a string"],
    });
  });

  it("that an entry inherited does not hide its other errors", () => {
    expect(errorsOf({ ip_pool: "theirs" }, { ...ENTRY, subject: "" })).toEqual({
      "emails.0.subject": ["must not be empty"],
    });
  });
});
