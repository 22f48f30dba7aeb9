// Tests that hostile JSON (src/lib/json.ts) becomes a value or a clean refusal.
import { describe, expect, it } from "vitest";
import { parseJson } from "../../../src/lib/json.ts";

const encoder = new TextEncoder();

function parse(text: string, maxDepth = 64) {
  return parseJson(encoder.encode(text), maxDepth);
}

function valueOf(text: string): unknown {
  const result = parse(text);
  if (result.kind !== "value") throw new Error(result.problem);
  return result.value;
}

describe("parseJson", () => {
  it("reads the same as JSON.parse, without a byte order mark", () => {
    const json = '{"a":[1,"x",null,{"b":true}]}';
    expect(valueOf(`\ufeff${json}`)).toEqual(JSON.parse(json));
  });

  it.each(["", "{", '{"a":}', "nope", '{"a":1}x', "\u0000", '{"a":"\u0001"}', "'x'", "[1,]"])(
    "refuses %j as invalid JSON",
    (text) => {
      expect(parse(text)).toEqual({ kind: "malformed", problem: "is not valid JSON" });
    },
  );

  it("refuses bytes that are not UTF-8", () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xe2, 0x82],
    ]) {
      const refused = { kind: "malformed", problem: "is not valid UTF-8" };
      expect(parseJson(new Uint8Array(bytes), 64)).toEqual(refused);
    }
  });

  it("accepts nesting up to the limit, ignoring brackets in strings", () => {
    expect(parse("[[[]]]", 3).kind).toBe("value");
    expect(parse('[{"a":[]}]', 3).kind).toBe("value");
    expect(parse("[[[[]]]]", 3)).toEqual({
      kind: "malformed",
      problem: "is nested deeper than 3 levels",
    });
    expect(parse('[[["[[[[{{{{"]]]', 3).kind).toBe("value");
    expect(parse(String.raw`[["\"[[[["],["\\"],["\\\"[[["]]`, 2).kind).toBe("value");
    expect(parse(String.raw`[["\\",[["\""]]]]`, 3).kind).toBe("malformed");
  });

  it.each([
    "[".repeat(100_000),
    '{"a":'.repeat(100_000),
    `${"]".repeat(50_000)}${"[".repeat(100_000)}`,
    `"${"[".repeat(100_000)}`,
  ])("refuses 100,000 levels without recursion", (text) => {
    expect(parse(text).kind).toBe("malformed");
  });

  // A parser that counts the backslashes before each quote from the start of the string would take
  // hours.
  it("scans millions of backslashes in linear time", () => {
    expect(parse(`["${"\\".repeat(4_000_000)}"]`).kind).toBe("value");
    expect(parse(`["${'\\"'.repeat(2_000_000)}"]`).kind).toBe("value");
  });

  it("keeps __proto__ and constructor as own members", () => {
    const value = valueOf(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"x":"\\ud800"}',
    ) as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
    expect(value["polluted"]).toBeUndefined();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("lets the last of two equal keys win", () => {
    expect(valueOf('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  it("replaces lone surrogates in values and keys, and keeps pairs", () => {
    expect(valueOf(String.raw`{"\udc00":["\ud83d\ude00 \ud800 x",{"b":"\uDFFF"}],"n":1}`)).toEqual({
      "\ufffd": ["😀 \ufffd x", { b: "\ufffd" }],
      n: 1,
    });
  });
});
