// Tests how a body is read from clients that write every member (src/lib/members/given-members.ts).
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { givenMembers } from "../../../src/lib/members/given-members.ts";

const Inner = z.object({ needed: z.string(), extra: z.string().optional() });
const Whole = z.object({
  needed: z.string(),
  text: z.string().optional(),
  choice: z.enum(["a", "b"]).default("a"),
  cleared: z.string().nullable().optional(),
  switches: z.object({ on: z.boolean().optional() }).optional(),
  inner: Inner.optional(),
  map: z.record(z.string(), z.string()).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
  list: z.array(Inner).max(3).optional(),
});

const read = (value: unknown) => givenMembers(Whole, value);

describe("givenMembers", () => {
  it.each<[string, unknown, unknown]>([
    ["null for an optional member", { text: null, choice: null, list: null }, {}],
    ["null for a member that may be null", { cleared: null }, { cleared: null }],
    ["null for a required member", { needed: null }, { needed: null }],
    ["null in an object", { inner: { needed: "x", extra: null } }, { inner: { needed: "x" } }],
    ["null in an entry of a list", { list: [{ extra: null }, null] }, { list: [{}, null] }],
    ["null in a map of any values", { free: { a: null } }, { free: { a: null } }],
    ["an empty list for a map", { map: [], free: [] }, { map: {}, free: {} }],
    ["an empty list for an object of optional members", { switches: [] }, { switches: {} }],
    ["an empty list for an object with a required member", { inner: [] }, {}],
    ["an empty list inside a map", { free: { a: [] } }, { free: { a: [] } }],
    ["a list with an entry for a map", { map: ["a"] }, { map: ["a"] }],
    ["a member that is not declared", { other: 1, inner: { other: 1 } }, { inner: {} }],
    ["a list over its limit", { list: [1, 2, 3, { a: null }] }, { list: [1, 2, 3, { a: null }] }],
    ["a value that is no object", ["x"], ["x"]],
  ])("reads %s", (_, given, meant) => {
    expect(read(given)).toEqual(meant);
  });

  it("reads any body with nulls for optional members like the body without them", () => {
    const optional = fc.subarray(["text", "choice", "switches", "inner", "map", "free", "list"]);
    const body = fc.record(
      { needed: fc.string(), text: fc.string(), cleared: fc.option(fc.string()) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(body, optional, (given, names) => {
        const nulls = Object.fromEntries(names.map((name) => [name, null]));
        const without = Object.fromEntries(
          Object.entries(given).filter(([name]) => !(name in nulls)),
        );
        expect(read({ ...given, ...nulls })).toEqual(without);
      }),
    );
  });
});
