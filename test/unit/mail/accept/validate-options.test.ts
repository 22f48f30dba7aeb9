// Tests how a send's labels, link options and variables are validated: which are refused, and how
// the others are stored.
import { describe, expect, it } from "vitest";
import { FieldProblems } from "../../../../src/mail/accept/field-problems.ts";
import { validateEmail } from "../../../../src/mail/accept/validate-email.ts";
import { accept, expectRefused, GOOD, mapOf, refusalOf, send, times } from "./validated-sends.ts";

const KEYS_101 = mapOf(101, (index) => [`k${index}`, 1]);
const generate = (display_name?: string) => ({
  topic: "news",
  unsubscribe: { mode: "generate", display_name },
});

describe("validateEmail refuses", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["tags that are a string", { tags: "a" }, "422 tags"],
    [
      "bad tags",
      { tags: ["ok", "", "a b", "x".repeat(65), 5, "é"] },
      "422 tags.1, tags.2, tags.3, tags.4, tags.5",
    ],
    ["a bad tag once, however often it is given", { tags: ["a!", "b", "a!"] }, "422 tags.0"],
    ["11 different tags", { tags: times(11, (index) => `t${index}`) }, "400 tags"],
    ["a bad topic", { topic: "News" }, "422 topic"],
    ["the topic *", { topic: "*" }, "422 topic"],
    ["an empty topic", { topic: "" }, "422 topic"],
    ["a topic over 64 characters", { topic: "t".repeat(65) }, "422 topic"],
    ["a bad campaign", { campaign: "spring sale" }, "422 campaign"],
    ["a campaign with a final line break", { campaign: "spring\n" }, "422 campaign"],
    ["an unknown pool", { ip_pool: "marketing" }, "422 ip_pool"],
    ["a pool name that is no name", { ip_pool: "Not A Pool" }, "422 ip_pool"],
    ["a pool that is a number", { ip_pool: 1 }, "422 ip_pool"],
    ["an unknown priority", { priority: "urgent" }, "422 priority"],
    ["a priority that is a number", { priority: 1 }, "422 priority"],
    ["a word as sensitive", { sensitive: "yes" }, "422 sensitive"],
    ["tracking that is a boolean", { tracking: true }, "422 tracking"],
    [
      "tracking flags that are no booleans",
      { tracking: { opens: "yes", clicks: 1 } },
      "422 tracking.clicks, tracking.opens",
    ],
    ["an unsubscribe that is a string", { unsubscribe: "none" }, "422 unsubscribe"],
    ["an unsubscribe without a mode", { unsubscribe: {} }, "422 unsubscribe.mode"],
    ["an unknown unsubscribe mode", { unsubscribe: { mode: "maybe" } }, "422 unsubscribe.mode"],
    [
      "a number as a link's name",
      { unsubscribe: { mode: "none", display_name: 5 } },
      "422 unsubscribe.display_name",
    ],
    ["variables that are an array", { variables: [1] }, "422 variables"],
    ["variables over 64 KB", { variables: { a: "é".repeat(32_768) } }, "422 variables"],
    ["101 keys in variables", { variables: KEYS_101 }, "422 variables"],
    ["101 keys deeper", { variables: { user: [KEYS_101] } }, "422 variables.user.0"],
    ["5 levels deep", { variables: { a: { b: { c: { d: {} } } } } }, "422 variables.a.b.c.d"],
    ["5 levels, lists counted", { variables: { a: [[[[1]]]] } }, "422 variables.a.0.0.0"],

    ["a generated link without a topic", { unsubscribe: { mode: "generate" } }, "422 topic"],
  ])("%s", (_, change, refusal) => {
    expectRefused(change, refusal);
  });

  it("an infinite number in variables as malformed", () => {
    const input = { ...GOOD, variables: JSON.parse('{"price":{"amount":1e400}}') as unknown };
    expect(refusalOf(input)).toEqual({
      status: 400,
      errors: { "variables.price.amount": ["is a number that is too large"] },
    });
  });

  it("an unknown pool, and names the team's own pools", () => {
    expect(refusalOf(send({ ip_pool: "marketing" })).errors["ip_pool"]).toEqual([
      "is not an IP pool of this team: the team's pools are receipts, alerts",
    ]);
    const problems = new FieldProblems();
    validateEmail(send({ ip_pool: "receipts" }), [], 0, problems);
    expect(JSON.parse(problems.refusal().body)).toMatchObject({
      error: {
        errors: { ip_pool: ["is not an IP pool of this team: this team has no named IP pools"] },
      },
    });
  });
});

describe("validateEmail accepts", () => {
  it.each([
    [{}, {}],
    [{ tracking: {} }, {}],
    [{ tracking: { opens: true } }, { tracking: { opens: true } }],
    [{ unsubscribe: { mode: "none" } }, {}],
    [generate(), { unsubscribe: { displayName: null } }],
    [generate(" \r\n"), { unsubscribe: { displayName: null } }],
    [generate("A\nB "), { unsubscribe: { displayName: "AB" } }],
  ])("the options for links: %j", (change, options) => {
    const { unsubscribe, tracking } = accept(change);
    expect({ ...(unsubscribe && { unsubscribe }), ...(tracking && { tracking }) }).toEqual(options);
  });

  it("a display name of megabytes, and keeps its first 200 characters", () => {
    expect(accept(generate(` ${"é".repeat(4_000_000)}`))).toMatchObject({
      unsubscribe: { displayName: "é".repeat(200) },
    });
  });

  it("repeated tags, and counts each once", () => {
    expect(accept({ tags: times(1_000, (index) => `t${index % 10}`) }).tags).toEqual(
      times(10, (index) => `t${index}`),
    );
  });
});
