// Tests how members that a schema does not declare are found (src/lib/members/unknown-members.ts).
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { unknownMembers } from "../../../src/lib/members/unknown-members.ts";

const Inner = z.object({ name: z.string() });
const Whole = z.object({
  text: z.string(),
  list: z.array(Inner).optional(),
  nested: Inner.nullable().optional(),
  withDefault: Inner.default({ name: "x" }),
  changed: Inner.transform(({ name }) => name).optional(),
  counted: z.array(z.unknown()).pipe(z.array(z.string())).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
  map: z.record(z.string(), Inner).optional(),
  either: z.union([z.string(), Inner, z.object({ id: z.string() })]).optional(),
  anything: z.unknown(),
});

const pathsIn = (value: unknown) =>
  unknownMembers(Whole, value).members.map(({ path }) => path.join("."));

describe("unknownMembers", () => {
  it.each<[string, unknown, string[]]>([
    ["at the top", { text: "x", extra: 1, Text: "x" }, ["extra", "Text"]],
    [
      "in the entries of a list",
      { list: [{ name: "a" }, { name: "b", size: 1 }, 7, null] },
      ["list.1.size"],
    ],
    ["in an object", { nested: { name: "a", b: { c: 1 } } }, ["nested.b"]],
    ["in an object with a default", { withDefault: { b: 1 } }, ["withDefault.b"]],
    ["in an object that is transformed", { changed: { b: 1 } }, ["changed.b"]],
    ["in the values of a map", { map: { anyone: { name: "a", b: 1 } } }, ["map.anyone.b"]],
    ["that no option of a union has", { either: { name: "a", id: "b", c: 1 } }, ["either.c"]],
    [
      "named like members of every object",
      JSON.parse('{"__proto__":1,"toString":2,"constructor":3}'),
      ["__proto__", "toString", "constructor"],
    ],
  ])("finds members %s", (_name, value, paths) => {
    expect(pathsIn(value)).toEqual(paths);
  });

  it.each<[string, unknown]>([
    ["a free map", { free: { a: 1, b: { c: 2 } } }],
    ["a value of any kind", { anything: { a: 1 } }],
    ["a list of any entries", { counted: [{ a: 1 }] }],
    ["a value of another type", { list: { a: 1 }, nested: [{ a: 1 }], text: { a: 1 } }],
    ["no object", [{ a: 1 }]],
    ["nothing", undefined],
  ])("ignores %s", (_name, value) => {
    expect(pathsIn(value)).toEqual([]);
  });

  it("returns the names that the object declares", () => {
    const [found] = unknownMembers(Whole, { list: [{ nmae: "a" }] }).members;
    expect(found).toEqual({ path: ["list", "0", "nmae"], known: ["name"] });
  });
});
