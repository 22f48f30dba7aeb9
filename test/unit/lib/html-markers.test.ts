// Tests how the template language's tags are found in HTML (src/lib/html/html-markers.ts).
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { closerOf, markersOf, roleOf, findUnbalanced } from "../../../src/lib/html/html-markers.ts";

const tagsIn = (text: string) => markersOf(text).map(({ start, end }) => text.slice(start, end));

describe("markersOf", () => {
  it.each([
    ["a {{b}} c {{{d}}} e", ["{{b}}", "{{{d}}}"]],
    ['{{lookup a "}}"}}x', ['{{lookup a "}}"}}']],
    ["{{lookup a '}}'}}x", ["{{lookup a '}}'}}"]],
    ["{{a.[}}]}}x", ["{{a.[}}]}}"]],
    ["{{don't}} {{b}}", ["{{don't}}", "{{b}}"]],
    ["{{!-- {{x}} --}}y{{!--a--~}}{{! b }}", ["{{!-- {{x}} --}}", "{{!--a--~}}", "{{! b }}"]],
    ["{{{{raw}}}}x{{{{/raw}}}}", ["{{{{raw}}}}", "{{{{/raw}}}}"]],
    ["{{~#if a~}}{{~/if~}}", ["{{~#if a~}}", "{{~/if~}}"]],
    ["{{a\n b}}", ["{{a\n b}}"]],
    ["{ {a}} }} {{", []],
    ["{{!-- never", []],
    [`{{${"a".repeat(2_100)}}}`, []],
    ["{{{a}}", ["{{{a}}"]],
  ])("finds in %j the tags %j", (text, tags) => {
    expect(tagsIn(text)).toEqual(tags);
  });
});

describe("roleOf", () => {
  it.each([
    ["{{a}}", "value"],
    ["{{{a}}}", "value"],
    ["{{&a}}", "value"],
    ["{{> a}}", "value"],
    ["{{#if a}}", "open"],
    ["{{~#each a as |b|~}}", "open"],
    ["{{^a}}", "open"],
    ["{{{{raw}}}}", "open"],
    ["{{{{/raw}}}}", "close"],
    ["{{/if}}", "close"],
    ["{{~/if}}", "close"],
    ["{{else}}", "else"],
    ["{{ else if a }}", "else"],
    ["{{^}}", "else"],
    ["{{~^~}}", "else"],
    ["{{! a}}", "comment"],
    ["{{!-- a --}}", "comment"],
  ])("returns for %s the role %s", (tag, role) => {
    expect(roleOf(tag)).toBe(role);
  });
});

describe("findUnbalanced", () => {
  it.each([
    ["{{#if a}}x{{else}}y{{/if}}", []],
    ["{{#if a}}x", ["{{#if a}}"]],
    ["x{{/if}}", ["{{/if}}"]],
    ["{{else}}x{{/if}}{{#each b}}{{#if c}}{{/if}}", ["{{else}}", "{{/if}}", "{{#each b}}"]],
    ["\\{{#if a}}", []],
    ["{{a}}{{! b }}", []],
  ])("returns for %j the tags %j", (text, tags) => {
    expect(findUnbalanced(text)).toEqual(tags);
  });

  it("returns nothing for a text followed by its closing tags", () => {
    const opener = fc.constantFrom(
      "{{#if a}}",
      "{{~#each b.c as |d|}}",
      "{{^e}}",
      "{{#with (lookup f 0)}}",
    );
    fc.assert(
      fc.property(fc.array(opener), (openers) => {
        const text = openers.join("x") + openers.map(closerOf).toReversed().join("y");
        expect(findUnbalanced(text)).toEqual([]);
      }),
    );
    const closers = ["{{#each  a.b}}", "{{{{raw}}}}", "{{~^x~}}"].map((one) => closerOf(one));
    expect(closers.join(" ")).toBe("{{/each}} {{{{/raw}}}} {{/x}}");
  });
});
