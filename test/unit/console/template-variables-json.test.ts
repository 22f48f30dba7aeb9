// The variables of a preview as JSON (console/src/pages/templates/variables-json.ts).
import { describe, expect, it } from "vitest";
import {
  fillVariables,
  offsetOf,
  readVariables,
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
  it("adds samples of the kind that the source makes of each name, and keeps what is there", () => {
    const source =
      "{{name}} {{order.url}} {{#each items}}{{title}} {{this.price}}{{else}}{{/each}}" +
      "{{#each tags}}{{this}}{{/each}}{{#if paid}}x{{/if}}";
    const names = ["items", "name", "order.id", "order.url", "paid", "tags"];
    expect(fillVariables({ name: "Bo", order: { id: 17 } }, names, source)).toEqual({
      name: "Bo",
      order: { id: 17, url: "https://example.com/" },
      items: [{ title: "title", price: "price" }],
      tags: ["one", "two"],
      paid: true,
    });
  });

  it("leaves a parent of another kind as it is", () => {
    expect(fillVariables({ order: null }, ["order.id"], "{{order.id}}")).toEqual({ order: null });
  });
});
