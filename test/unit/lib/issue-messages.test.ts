// Tests the error messages for a schema's issues (src/lib/issue-messages.ts).
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { describeIssue } from "../../../src/lib/issue-messages.ts";

const messagesFor = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: describeIssue }).error?.issues.map(({ message }) => message);

describe("describeIssue", () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ["a member that is left out", z.string(), undefined, "is required"],
    ["a choice that is left out", z.enum(["a", "b"]), undefined, "is required"],
    ["a union that is left out", z.union([z.string(), z.int()]), undefined, "is required"],
    ["null", z.string(), null, "must be a string"],
    ["a number for a string", z.string(), 7, "must be a string"],
    ["a string for a list", z.array(z.string()), "x", "must be an array"],
    ["a list for an object", z.object({}), [], "must be an object"],
    ["text for a map", z.record(z.string(), z.string()), "x", "must be an object"],
    ["text for a switch", z.boolean(), "true", "must be a boolean"],
    ["a fraction", z.int(), 1.5, "must be a whole number"],
    ["a number beyond a double", z.number(), Number.POSITIVE_INFINITY, "must be a number"],
    ["another choice", z.enum(["a", "b"]), "c", "must be one of: a, b"],
    ["another literal", z.literal(3), 4, "must be 3"],
    ["no literal of a union", z.union([z.literal(3), z.literal(7)]), 4, "must be one of: 3, 7"],
    [
      "no type of a union",
      z.union([z.string(), z.array(z.string())]),
      7,
      "must be a string or an array",
    ],
    ["empty text", z.string().min(1), "", "must not be empty"],
    ["short text", z.string().min(3), "ab", "must be at least 3 characters"],
    ["long text", z.string().max(2), "abc", "must be at most 2 characters"],
    ["a short list", z.array(z.string()).min(1), [], "must be at least 1 entry"],
    ["a long list", z.array(z.string()).max(1), ["a", "b"], "must be at most 1 entry"],
    ["a small number", z.int().min(1), 0, "must be at least 1"],
    ["a number at its bound", z.number().gt(1), 1, "must be more than 1"],
    ["a large number", z.int().max(9), 10, "must be at most 9"],
    ["a number off its step", z.number().multipleOf(5), 7, "must be a multiple of 5"],
    [
      "text in another form",
      z.string().regex(/^a$/),
      "b",
      "does not have the format of this field",
    ],
    ["no address", z.email(), "b", "must be an email address"],
    ["no URL", z.url(), "b", "must be a URL"],
    ["no time", z.iso.datetime(), "b", "must be an ISO 8601 date-time"],
    ["a member too many", z.strictObject({}), { a: 1 }, "is not valid"],
  ])("words the requirement for %s", (_name, schema, value, words) => {
    expect(messagesFor(schema, value)).toEqual([words]);
  });

  it("keeps a message of the schema itself", () => {
    expect(messagesFor(z.string().regex(/^a$/, "must be an a"), "b")).toEqual(["must be an a"]);
    expect(messagesFor(z.never({ error: "cannot be changed" }), "b")).toEqual([
      "cannot be changed",
    ]);
  });
});
