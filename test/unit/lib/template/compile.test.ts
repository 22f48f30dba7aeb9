// Tests templates that are refused at compile time, and the position that the error names.
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { newMeter } from "../../../../src/lib/template/meter.ts";
import { refusalOf, render } from "./rendered.ts";

const TAGS = "there are more than 10000 tags";
const TOO_MANY = "the tags are too many, too long or nested too deep";

describe("a refused template", () => {
  it.each([
    ["{{#if a}}x", 1, 1, "the block that begins here is never closed"],
    ["a\r\n\n {{#if a}}{{/each}}", 3, 5, "if doesn't match each"],
    ["{{/if}}", 1, 1, 'unexpected "{{/"'],
    ["x {{else}}", 1, 3, 'unexpected "{{else}}"'],
    ["{{#if a}}{{else}}{{else}}{{/if}}", 1, 18, 'unexpected "{{else}}"'],
    ["\n{{a", 2, 1, "the tag is never closed"],
    ["{{a b='}}", 1, 7, 'unexpected "\'"'],
    ["{{!-- {{a}} }}", 1, 1, "the comment is never closed"],
    ["{{{{raw}}}} {{{{/other}}}}", 1, 5, "raw doesn't match other"],
    ["{{{{raw}}}} x", 1, 1, "the raw block is never closed"],
    ["{{a}}}", 1, 4, 'unexpected "}}}"'],
    ["{{{a}}", 1, 5, 'unexpected "}}"'],
    ["{{}}", 1, 3, 'unexpected "}}"'],
    ["Dear {{first name}", 1, 18, 'unexpected "}"'],
    ["{{a/../b}}", 1, 3, "Invalid path: a/.."],
    ["{{> footer}}", 1, 1, "partials are not supported"],
    ["{{#> layout}}x{{/layout}}", 1, 1, "partials are not supported"],
    ["{{* decorator}}", 1, 1, "decorators are not supported"],
    ['x\n{{#* inline "a"}}x{{/inline}}', 2, 1, "decorators are not supported"],
    ["{{log a}}", 1, 3, '"log" is not supported'],
    ["{{log}}", 1, 3, '"log" is not supported'],
    ["{{upper name}}", 1, 3, 'unknown helper "upper"'],
    ["<p>\n  {{upper\n  name}}", 2, 5, 'unknown helper "upper"'],
    ["{{a.b c=1}}", 1, 3, 'unknown helper "a.b"'],
    ["{{#upper name}}x{{/upper}}", 1, 4, 'unknown helper "upper"'],
    ["{{#if (eq a 1)}}x{{/if}}", 1, 8, 'unknown helper "eq"'],
    ["{{#if false}}{{#if (and)}}{{/if}}{{/if}}", 1, 21, 'unknown helper "and"'],
    ["{{#if a includeZero=(not b)}}x{{/if}}", 1, 22, 'unknown helper "not"'],
    ["{{else if a}}", 1, 1, 'unexpected "{{else"'],
    ["{{if a}}", 1, 3, '"if" is for blocks: {{#if …}}'],
    ["{{#with (each a)}}{{/with}}", 1, 10, '"each" is for blocks: {{#each …}}'],
    ["{{#if}}x{{/if}}", 1, 4, '"if" takes exactly 1 argument, not 0'],
    ["{{#each a b}}x{{/each}}", 1, 4, '"each" takes exactly 1 argument, not 2'],
    ["{{lookup a}}", 1, 3, '"lookup" takes exactly 2 arguments, not 1'],
    ["{{#if a as |x|}}{{x}}{{/if}}", 1, 19, '"x" is a parameter that its block gives no value'],
    ["{{^each a as |x|}}{{x.b}}{{/each}}", 1, 21, '"x.b" is a parameter that its block gives no'],
    ["a\0{{b}}", 1, 2, "unexpected"],
  ])("%j names line %i, column %i", (source, line, column, problem) => {
    const result = compileTemplate(source);
    expect(result).toMatchObject({ kind: "error", line, column });
    const refusal = refusalOf(source);
    expect(refusal.startsWith(`has an error at line ${line}, column ${column}: `)).toBe(true);
    expect(refusal).toContain(problem);
  });
});

describe("a template that was compiled before", () => {
  it.each([100, 20_000])(
    "is distinguished from others of the same length: %i characters",
    (characters) => {
      const filler = "x".repeat(characters);
      const sources = ["{{a}}", "{{b}}"].flatMap((tag) => [tag + filler, filler + tag]);
      for (let round = 0; round < 2; round += 1) {
        const texts = sources.map((source) => render(source, { a: "A", b: "B" }));
        expect(texts.map((text) => text.replace(/x+/, "")).join()).toBe("A,A,B,B");
        expect(render(sources[0] ?? "", { a: 1 })).toMatch(/^1x/);
      }
    },
  );

  it("is not compiled again but adds the same cost to the meter", () => {
    for (const source of ["{{c}}{{d}}", `{{c}}{{d}}${"x".repeat(20_000)}`]) {
      const meters = [newMeter(), newMeter()];
      const [first, second] = meters.map((meter) => compileTemplate(source, meter));
      expect(second).toBe(first);
      expect(meters[0]).toEqual(meters[1]);
      expect(meters[0]?.work).toBeGreaterThan(0);
    }
  });
});

describe("the limits", () => {
  const blocks = (depth: number, inner = "x") =>
    "{{#if a}}".repeat(depth) + inner + "{{/if}}".repeat(depth);
  const chain = (branches: number, inner = "x") =>
    `{{#if n}}${"{{else if n}}".repeat(branches - 1)}{{else}}${inner}{{/if}}`;
  const lookups = (depth: number) =>
    `{{#if ${"(lookup a ".repeat(depth)}0${")".repeat(depth)}}}{{/if}}y`;

  it("are 10,000 tags", () => {
    expect(render("{{a}}".repeat(10_000), { a: 1 })).toHaveLength(10_000);
    expect(refusalOf("{{a}}".repeat(10_001))).toContain(`column 50001: ${TAGS}`);
    expect(refusalOf("\\{{a}}".repeat(10_001))).toContain(TAGS);
    expect(refusalOf(`{{{{a}}}}${"{{{{/".repeat(10_000)}{{{{/a}}}}`)).toContain(TAGS);
  });

  it("are 2,048 characters per tag, except comments", () => {
    expect(render(`{{lookup a "${"k".repeat(2_000)}"}}x`)).toBe("x");
    expect(refusalOf(`x{{lookup a "${"k".repeat(2_048)}"}}`)).toBe(
      "has an error at line 1, column 2: the tag is longer than 2048 characters",
    );
    expect(refusalOf(`{{a ${" ".repeat(2_048)}}}`)).toContain(
      "the tag is longer than 2048 characters",
    );
    expect(render(`{{! ${"note ".repeat(10_000)}}}x{{!-- ${"note ".repeat(10_000)}--}}`)).toBe("x");
  });

  it("are 30,000 names, dots and braces in total, and fewer in nested blocks", () => {
    const path = `{{a${".a".repeat(999)}}}`;
    expect(render(path.repeat(14))).toBe("");
    expect(refusalOf(path.repeat(16))).toContain(TOO_MANY);
    expect(render(blocks(64, "{{b}}".repeat(1_000)), { a: 1 })).toBe("");
    expect(refusalOf(blocks(64, "{{b}}".repeat(3_000)), { a: 1 })).toContain(TOO_MANY);
  });

  it("are 64 nested blocks", () => {
    expect(render(blocks(64), { a: 1 })).toBe("x");
    expect(refusalOf(blocks(65))).toContain("blocks are nested deeper than 64 levels");
    expect(render(blocks(64).repeat(3), { a: 1 })).toBe("xxx");
  });

  it("are 50 else branches per block, with 64 blocks around or inside the last", () => {
    expect(render(chain(50), { a: 1 })).toBe("x");
    expect(refusalOf(chain(51))).toContain("a block has more than 50 else branches");
    expect(render(chain(50, blocks(63)), { a: 1 })).toBe("x");
    expect(refusalOf(chain(50, chain(50, blocks(30))))).toContain(
      "blocks and else branches are nested deeper than 114 levels",
    );
  });

  it("are 16 nested parentheses", () => {
    expect(render(lookups(16))).toBe("y");
    expect(refusalOf(lookups(17))).toContain("parentheses are nested deeper than 16 levels");
  });

  it("ignore the content of strings, segments, comments, raw blocks and escapes", () => {
    expect(render('{{lookup o "}} {{#if a}}"}}{{lookup o "(((((((((((((((((("}}x')).toBe("x");
    expect(render("{{[}} {{#if a}}]}}{{lookup o '\"'}}{{[\\]]}}x")).toBe("x");
    expect(render('{{lookup o "q\\""}}x{{lookup o "\\"}}', { o: { 'q"': 1, "\\": 2 } })).toBe(
      "1x2",
    );
    const ifs = "{{#if a}}".repeat(65);
    expect(render(`{{!-- ${ifs} --}}${"\\{{#if a}}".repeat(65)}`)).toBe(ifs);
    expect(render(`{{{{r}}}}${ifs}{{{{/r}}}}`, { r: true })).toBe(ifs);
  });
});
