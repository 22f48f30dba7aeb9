// Tests how the variables of a preview are read and written as JSON
// (console/src/pages/templates/variables-json.ts).
import { describe, expect, it } from "vitest";
import {
  fillVariables,
  isFilled,
  offsetOf,
  readVariables,
  setAt,
} from "../../../console/src/pages/templates/variables-json.ts";

describe("readVariables", () => {
  it.each([
    ["", {}],
    ["  \n", {}],
    ['{"name": "Ada"}', { name: "Ada" }],
  ])("reads %j", (text, values) => {
    expect(readVariables(text)).toEqual({ values });
  });

  it.each(["[]", "null", "1", '"x"'])("refuses JSON that is not an object: %s", (text) => {
    expect(readVariables(text)).toMatchObject({ offset: 0 });
    expect(readVariables(text)).toHaveProperty("problem");
  });

  it("finds the place of an error in the JSON", () => {
    expect(readVariables('{\n  "a": 1,\n  b\n}')).toMatchObject({ offset: 14 });
    expect(readVariables('{"a": 1')).toMatchObject({ offset: 7 });
  });
});

describe("offsetOf", () => {
  it("counts lines and columns from 1 and stays within the text", () => {
    expect(offsetOf("ab\ncd\n", 1, 1)).toBe(0);
    expect(offsetOf("ab\ncd\n", 2, 2)).toBe(4);
    expect(offsetOf("ab\ncd", 9, 9)).toBe(5);
  });
});

describe("fillVariables", () => {
  it("adds the samples that the variables lack, and keeps the existing values", () => {
    const samples = {
      name: "Ada",
      order: { id: "id", url: "https://example.com/" },
      items: [{ title: "title", price: "price" }],
      tags: ["one", "two"],
      paid: true,
    };
    const values = {
      name: "Bo",
      order: { id: 17 },
      items: [{ title: "Tea" }, "gift", { price: 2, title: null }],
    };
    const filled = fillVariables(values, samples);
    expect(filled).toEqual({
      ...samples,
      name: "Bo",
      order: { id: 17, url: "https://example.com/" },
      items: [{ title: "Tea", price: "price" }, "gift", { price: 2, title: null }],
    });
    expect([isFilled(values, samples), isFilled(filled, samples)]).toEqual([false, true]);
  });

  it.each([[{ order: null }], [{ order: "17" }], [{ order: [] }]])(
    "leaves a value of another kind as it is: %j",
    (values) => {
      expect(fillVariables(values, { order: { id: "id" } })).toEqual(values);
      expect(isFilled(values, { order: { id: "id" } })).toBe(true);
    },
  );

  it("takes no member from what every object inherits", () => {
    const inherited = { constructor: "constructor", ["__proto__"]: { x: 1 } };
    expect(fillVariables({}, inherited)).toEqual(inherited);
  });
});

describe("setAt", () => {
  it("replaces one value at any depth and nothing else", () => {
    const values = { shop: { name: "A" }, items: [{ price: 1 }, { price: 2 }] };
    expect(setAt(values, ["items", "1", "price"], 3)).toEqual({
      shop: { name: "A" },
      items: [{ price: 1 }, { price: 3 }],
    });
    expect(setAt(values, ["shop", "name"], "B")).toMatchObject({ shop: { name: "B" } });
    expect(values.items[1]).toEqual({ price: 2 });
  });
});
