// Tests that the OpenAPI document keeps what the last release promised (contract.md §Additions),
// and which changes count as breaking (tools/openapi/breaking-changes.ts), each with its place.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ApiDocument, breakingChanges } from "../../../tools/openapi/breaking-changes.ts";
import { frozenText, readFrozen } from "../../../tools/openapi/frozen-document.ts";
import { readDocument } from "../../../tools/openapi/read-document.ts";

type Schema = Readonly<Record<string, unknown>>;
/**
 * A change of one schema, and what it breaks in a request and in a response; "": nothing. Without
 * `response`, it breaks the same in both.
 */
type Change = [name: string, then: Schema, now: Schema, request: string, response?: string];

const TEXT = { type: "string" };
const WHOLE = { type: "integer" };
const LIST = { type: "array" };
const MAP = { type: "object" };
const text = (limits: Schema) => ({ ...TEXT, ...limits });
const members = (properties: Schema, ...required: string[]) => ({ ...MAP, properties, required });
const TEN = text({ maxLength: 10 });
const NONE = members({});
const MAY = members({ a: TEXT });
const MUST = members({ a: TEXT }, "a");
const NULLABLE = members({ a: { anyOf: [TEXT, { type: "null" }] } });
const event = (type: string, more: Schema = {}) =>
  members({ type: { const: type }, ...more }, "type", ...Object.keys(more));
const events = (...anyOf: readonly Schema[]) => ({ anyOf });
const [A, B, C] = [event("a"), event("b"), event("c")] as const;

const CHANGES: Change[] = [
  ["a member that is gone", MAY, NONE, ".a: is gone"],
  ["a member that is added", NONE, MAY, "", ""],
  ["a member that is added and required", NONE, MUST, ".a: is required now", ""],
  ["a member that became required", MAY, MUST, ".a: is required now", ""],
  ["a member that became optional", MUST, MAY, "", ".a: may be absent now"],
  ["a null member", MAY, members({ a: { type: ["string", "null"] } }), "", ".a: may now be null"],
  ["a member that is no longer null", NULLABLE, MAY, ".a: no longer accepts null", ""],
  ["a member that is refused", MAY, members({ a: { not: {} } }), ".a: is refused now"],
  ["another type", TEXT, { type: "boolean" }, ": was string, is boolean"],
  ["a wider number", WHOLE, { type: "number" }, "", ": was integer, is number"],
  ["a narrower number", { type: "number" }, WHOLE, ": was number, is integer", ""],
  ["any value in place of a type", TEXT, {}, "", ": was string, is anything"],
  ["a type in place of any value", {}, TEXT, ": was anything, is string", ""],
  ["a lost value", text({ enum: ["a", "b"] }), text({ enum: ["a"] }), ': the value "b" is gone'],
  ["an added value", text({ const: "a" }), text({ enum: ["a", "b"] }), "", ""],
  ["values in place of any text", TEXT, text({ enum: ["a"] }), ': accepts only "a" now', ""],
  ["any text for values", text({ enum: ["a"] }), TEXT, "", ": its values are no longer listed"],
  ["a lower maximum", TEN, text({ maxLength: 9 }), ": maxLength was 10, is 9", ""],
  ["a higher maximum", TEN, text({ maxLength: 11 }), "", ""],
  ["a new maximum", LIST, { ...LIST, maxItems: 5 }, ": maxItems was absent, is 5", ""],
  ["a maximum that is gone", TEN, TEXT, "", ""],
  ["a minimum", { ...WHOLE, minimum: 0 }, { ...WHOLE, minimum: 1 }, ": minimum was 0, is 1", ""],
  ["a pattern", text({ pattern: "a" }), text({ pattern: "b" }), ': pattern was "a", is "b"', ""],
  ["a lost format", text({ format: "date" }), TEXT, "", ": format was date, is undefined"],
  ["a change inside a list", { ...LIST, items: MAY }, { ...LIST, items: NONE }, "[].a: is gone"],
  [
    "a change of the values of a map",
    { ...MAP, additionalProperties: TEXT },
    { ...MAP, additionalProperties: WHOLE },
    ".*: was string, is integer",
  ],
  ["a map without others", MAP, { ...MAP, additionalProperties: false }, ".*: is refused now", ""],
  ["a type beside another", TEXT, { anyOf: [TEXT, LIST] }, "", ": may now be array"],
  ["a change in one of several", events(event("a", { x: TEXT }), B), events(A, B), ".x: is gone"],
  ["a kind that is added, with its own constant", events(A, B), events(A, B, C), "", ""],
  [
    "a kind that is gone, with its own constant",
    events(A, B),
    events(A),
    ': no longer accepts type="b"',
    ': type="b" is gone',
  ],
];

const json = (schema: Schema) => ({ content: { "application/json": { schema } } });
const body = (schema: Schema) => ({ requestBody: json(schema) });
const exchange = (request: Schema, response: Schema, more: Schema = {}): ApiDocument => ({
  paths: { "/x": { post: { ...body(request), responses: { "200": json(response) }, ...more } } },
});

describe("a change of a schema", () => {
  it.each<Change>(CHANGES)(
    "is reported with its place if it breaks requests or responses: %s",
    (_, then, now, request, response = request) => {
      const expected = (words: string, place: string) => (words === "" ? [] : [`${place}${words}`]);
      expect(breakingChanges(exchange(then, {}), exchange(now, {}))).toEqual(
        expected(request, "POST /x request body"),
      );
      expect(breakingChanges(exchange({}, then), exchange({}, now))).toEqual(
        expected(response, "POST /x 200 body"),
      );
      const hook = (schema: Schema) => ({ webhooks: { e: { post: body(schema) } } });
      const hooked = expected(response, "webhook e request body");
      expect(breakingChanges(hook(then), hook(now))).toEqual(hooked);
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
const IN_QUERY = "POST /x query parameter a";
const OPERATIONS: readonly (readonly [string, Schema, Schema, string[]])[] = [
  ["a parameter that is gone", parameter("a"), {}, [`${IN_QUERY}: is gone`]],
  ["a parameter that is added", {}, parameter("a"), []],
  ["a required parameter", {}, parameter("a", true), [`${IN_QUERY}: is required now`]],
  [
    "a parameter with fewer values",
    parameter("a"),
    parameter("a", false, text({ enum: ["b"] })),
    [`${IN_QUERY}: accepts only "b" now`],
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
  ["a name", { operationId: "a" }, { operationId: "b" }, ["POST /x: its operationId was a, is b"]],
];

describe("a change of an operation", () => {
  it.each(OPERATIONS)("is reported if it breaks a program: %s", (_, then, now, broken) => {
    expect(breakingChanges(exchange({}, {}, then), exchange({}, {}, now))).toEqual(broken);
  });

  it("is reported with its method and path if the operation is removed, and not if it is added", () => {
    const without = { paths: { "/x": { get: {} } } };
    expect(breakingChanges(exchange({}, {}), without)).toEqual(["POST /x: is gone"]);
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
