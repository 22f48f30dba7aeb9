// The OpenAPI document keeps what the last release promised (contract.md §Additions), and what
// counts as broken (tools/openapi/breaking-changes.ts): a table of changes, each with the place
// that it names.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ApiDocument, breakingChanges } from "../../../tools/openapi/breaking-changes.ts";
import { frozenText, readFrozen } from "../../../tools/openapi/frozen-document.ts";
import { readDocument } from "../../../tools/openapi/read-document.ts";

type Schema = Readonly<Record<string, unknown>>;
/** A change of one schema, and what it breaks in a request and in a response; "": nothing. */
type Change = readonly [name: string, then: Schema, now: Schema, request: string, response: string];

const TEXT = { type: "string" };
const NULL = { type: "null" };
const members = (properties: Schema, ...required: readonly string[]) => ({
  type: "object",
  properties,
  required,
});
const event = (type: string, more: Schema = {}) =>
  members({ type: { const: type }, ...more }, "type", ...Object.keys(more));

const CHANGES: readonly Change[] = [
  ["a member that is gone", members({ a: TEXT }), members({}), ".a: is gone", ".a: is gone"],
  ["a member that is added", members({}), members({ a: TEXT }), "", ""],
  [
    "a member that is added and required",
    members({}),
    members({ a: TEXT }, "a"),
    ".a: is required now",
    "",
  ],
  [
    "a member that became required",
    members({ a: TEXT }),
    members({ a: TEXT }, "a"),
    ".a: is required now",
    "",
  ],
  [
    "a member that became optional",
    members({ a: TEXT }, "a"),
    members({ a: TEXT }),
    "",
    ".a: may be absent now",
  ],
  [
    "a member that became null",
    members({ a: TEXT }),
    members({ a: { type: ["string", "null"] } }),
    "",
    ".a: may now be null",
  ],
  [
    "a member that is null no more",
    members({ a: { anyOf: [TEXT, NULL] } }),
    members({ a: TEXT }),
    ".a: no longer accepts null",
    "",
  ],
  [
    "a member that is refused",
    members({ a: TEXT }),
    members({ a: { not: {} } }),
    ".a: is refused now",
    ".a: is refused now",
  ],
  [
    "another type",
    TEXT,
    { type: "boolean" },
    ": was string, is boolean",
    ": was string, is boolean",
  ],
  ["a wider number", { type: "integer" }, { type: "number" }, "", ": was integer, is number"],
  ["a narrower number", { type: "number" }, { type: "integer" }, ": was number, is integer", ""],
  ["any value in place of a type", TEXT, {}, "", ": was string, is anything"],
  ["a type in place of any value", {}, TEXT, ": was anything, is string", ""],
  [
    "a value that is gone",
    { ...TEXT, enum: ["a", "b"] },
    { ...TEXT, enum: ["a"] },
    ': the value "b" is gone',
    ': the value "b" is gone',
  ],
  ["a value that is added", { ...TEXT, const: "a" }, { ...TEXT, enum: ["a", "b"] }, "", ""],
  ["values in place of any text", TEXT, { ...TEXT, enum: ["a"] }, ': accepts only "a" now', ""],
  [
    "any text in place of values",
    { ...TEXT, enum: ["a"] },
    TEXT,
    "",
    ": its values are no longer listed",
  ],
  [
    "a lower maximum",
    { ...TEXT, maxLength: 10 },
    { ...TEXT, maxLength: 9 },
    ": maxLength was 10, is 9",
    "",
  ],
  ["a higher maximum", { ...TEXT, maxLength: 10 }, { ...TEXT, maxLength: 11 }, "", ""],
  [
    "a new maximum",
    { type: "array" },
    { type: "array", maxItems: 5 },
    ": maxItems was absent, is 5",
    "",
  ],
  ["a maximum that is gone", { ...TEXT, maxLength: 10 }, TEXT, "", ""],
  [
    "a higher minimum",
    { type: "integer", minimum: 0 },
    { type: "integer", minimum: 1 },
    ": minimum was 0, is 1",
    "",
  ],
  [
    "another pattern",
    { ...TEXT, pattern: "a" },
    { ...TEXT, pattern: "b" },
    ': pattern was "a", is "b"',
    "",
  ],
  [
    "a format that is gone",
    { ...TEXT, format: "date-time" },
    TEXT,
    "",
    ": format was date-time, is undefined",
  ],
  [
    "a change inside a list",
    { type: "array", items: members({ a: TEXT }) },
    { type: "array", items: members({}) },
    "[].a: is gone",
    "[].a: is gone",
  ],
  [
    "a change of the values of a map",
    { type: "object", additionalProperties: TEXT },
    { type: "object", additionalProperties: { type: "integer" } },
    ".*: was string, is integer",
    ".*: was string, is integer",
  ],
  [
    "a map that takes no other members",
    { type: "object" },
    { type: "object", additionalProperties: false },
    ".*: is refused now",
    "",
  ],
  ["a type beside another", TEXT, { anyOf: [TEXT, { type: "array" }] }, "", ": may now be array"],
  [
    "a change inside one of several",
    { anyOf: [event("a", { x: TEXT }), event("b")] },
    { anyOf: [event("a"), event("b")] },
    ".x: is gone",
    ".x: is gone",
  ],
  [
    "a kind that is added, told by a constant",
    { anyOf: [event("a"), event("b")] },
    { anyOf: [event("a"), event("b"), event("c")] },
    "",
    "",
  ],
  [
    "a kind that is gone, told by a constant",
    { anyOf: [event("a"), event("b")] },
    { anyOf: [event("a")] },
    ': no longer accepts type="b"',
    ': type="b" is gone',
  ],
];

const json = (schema: Schema) => ({ content: { "application/json": { schema } } });
const exchange = (request: Schema, response: Schema, more: Schema = {}): ApiDocument => ({
  paths: {
    "/x": { post: { requestBody: json(request), responses: { "200": json(response) }, ...more } },
  },
});

describe("a change of a schema", () => {
  it.each(CHANGES)(
    "%s breaks the member that it names, in requests or in responses",
    (_, then, now, request, response) => {
      const expected = (words: string, place: string) => (words === "" ? [] : [`${place}${words}`]);
      expect(breakingChanges(exchange(then, {}), exchange(now, {}))).toEqual(
        expected(request, "POST /x request body"),
      );
      expect(breakingChanges(exchange({}, then), exchange({}, now))).toEqual(
        expected(response, "POST /x 200 body"),
      );
      const hook = (schema: Schema) => ({
        webhooks: { e: { post: { requestBody: json(schema) } } },
      });
      expect(breakingChanges(hook(then), hook(now))).toEqual(
        expected(response, "webhook e request body"),
      );
      expect(breakingChanges(exchange(then, then), exchange(then, then))).toEqual([]);
    },
  );

  it("of a component is reported once by its name, even if the component is recursive and shared", () => {
    const document = (more: Schema): ApiDocument => {
      const node = { $ref: "#/components/schemas/Node" };
      const { paths } = exchange(node, node);
      return {
        paths: { ...paths, "/y": paths?.["/x"] ?? {} },
        components: { schemas: { Node: members({ next: node, ...more }) } },
      };
    };
    expect(breakingChanges(document({ a: TEXT }), document({}))).toEqual([
      "request Node.a: is gone",
      "response Node.a: is gone",
    ]);
  });
});

const parameter = (name: string, required = false, schema: Schema = TEXT) => ({
  parameters: [{ name, in: "query", required, schema }],
});
const OPERATIONS: readonly (readonly [string, Schema, Schema, string[]])[] = [
  ["a parameter that is gone", parameter("a"), {}, ["POST /x query parameter a: is gone"]],
  ["a parameter that is added", {}, parameter("a"), []],
  [
    "a parameter that is added and required",
    {},
    parameter("a", true),
    ["POST /x query parameter a: is required now"],
  ],
  [
    "a parameter with fewer values",
    parameter("a"),
    parameter("a", false, { ...TEXT, enum: ["b"] }),
    ['POST /x query parameter a: accepts only "b" now'],
  ],
  ["a status that is gone", {}, { responses: { "202": json({}) } }, ["POST /x 200: is gone"]],
  [
    "a header that is gone",
    { responses: { "200": { ...json({}), headers: { A: { schema: TEXT } } } } },
    {},
    ["POST /x 200 A: is gone"],
  ],
  [
    "a media type that is gone",
    {},
    { requestBody: { content: { "text/csv": { schema: {} } } } },
    ["POST /x request application/json: is gone"],
  ],
  [
    "a body that became required",
    {},
    { requestBody: { ...json({}), required: true } },
    ["POST /x request body: is required now"],
  ],
  [
    "credentials that no longer suffice",
    { security: [{ apiKey: [] }] },
    { security: [{ operatorToken: [] }] },
    ["POST /x: apiKey no longer gives access"],
  ],
  [
    "another name of the operation",
    { operationId: "a" },
    { operationId: "b" },
    ["POST /x: its operationId was a, is b"],
  ],
];

describe("a change of an operation", () => {
  it.each(OPERATIONS)("%s breaks what it names", (_, then, now, broken) => {
    expect(breakingChanges(exchange({}, {}, then), exchange({}, {}, now))).toEqual(broken);
  });

  it("that is removed breaks, by its method and path; an added operation does not", () => {
    expect(breakingChanges(exchange({}, {}), { paths: { "/x": { get: {} } } })).toEqual([
      "POST /x: is gone",
    ]);
    expect(breakingChanges({}, exchange({}, {}))).toEqual([]);
  });
});

describe("the OpenAPI document", () => {
  const today = readDocument("https://api.postern.test");

  it("keeps everything that the last release promised (contract.md §Additions)", () => {
    expect(breakingChanges(readFrozen(), today)).toEqual([]);
  });

  it("is frozen as this version; otherwise run `npm run freeze`", () => {
    const { version } = JSON.parse(
      readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8"),
    ) as { readonly version: string };
    expect(readFrozen().version).toBe(version);
  });

  it("keeps every promise when it is frozen", () => {
    const frozen = JSON.parse(frozenText("1", today)) as ApiDocument;
    expect(breakingChanges(today, frozen)).toEqual([]);
    expect(breakingChanges(frozen, today)).toEqual([]);
  });
});
