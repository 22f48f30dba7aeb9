// Tests reading and writing comma-separated values (src/lib/csv.ts, RFC 4180).
import { describe, expect, it } from "vitest";
import { fc } from "../../support/properties.ts";
import { formatCsv, parseCsv, unmarkFormula } from "../../../src/lib/csv.ts";

const read = (text: string) => [...parseCsv(text)].map(({ fields, problem }) => problem ?? fields);

describe("parseCsv", () => {
  it.each<[string, (string | string[])[]]>([
    ["", []],
    ["a", [["a"]]],
    ["a\n", [["a"]]],
    [
      "a,b\r\nc,d\r\n",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["a\rb\nc\r\nd", [["a"], ["b"], ["c"], ["d"]]],
    ["\n\n", [[""], [""]]],
    [",\n", [["", ""]]],
    ["a,", [["a", ""]]],
    ['"a"', [["a"]]],
    ['"a,b","c\r\nd",""\n', [["a,b", "c\r\nd", ""]]],
    ['"say ""hi""",""""', [['say "hi"', '"']]],
    ['a"b,c""d', [['a"b', 'c""d']]],
    [' "a"', [[' "a"']]],
    ['x\n"a"b,c\nd', [["x"], "has text after a closing quote", ["d"]]],
    ['x,"a" \r\nd', ["has text after a closing quote", ["d"]]],
    ['x\n"a,b\nc', [["x"], "has a quote that is never closed"]],
    ['"', ["has a quote that is never closed"]],
    ['"""', ["has a quote that is never closed"]],
  ])("reads %j as %j", (text, records) => {
    expect(read(text)).toEqual(records);
  });

  it("numbers records from 1, counting blank lines, and a record of several lines once", () => {
    expect([...parseCsv('a\n\n"b\nc"\nd')].map(({ row, fields }) => [row, fields[0]])).toEqual([
      [1, "a"],
      [2, ""],
      [3, "b\nc"],
      [4, "d"],
    ]);
  });

  it.each(['"', '""', '"a', ",", "\r", '"\n', 'a"'])(
    "reads %j repeated 200,000 times in linear time",
    (unit) => {
      const text = unit.repeat(200_000);
      let characters = 0;
      for (const { fields } of parseCsv(text))
        for (const field of fields) characters += field.length + 1;
      expect(characters).toBeLessThanOrEqual(text.length + 1);
    },
  );
});

describe("formatCsv", () => {
  it("ends records with CRLF and quotes only necessary fields", () => {
    expect(formatCsv(["a", null, 550, "", 'x"y', "p,q", "l\nm", " s ", "a=1+1"])).toBe(
      'a,,550,,"x""y","p,q","l\nm", s ,a=1+1\r\n',
    );
  });

  it.each([
    ["=1+1@example.net", "'=1+1@example.net"],
    ["+a", "'+a"],
    ["-a", "'-a"],
    ["@a", "'@a"],
    ["＝a", "'＝a"],
    ["\ta", "'\ta"],
    [" =a", "' =a"],
    ["'=a", "''=a"],
    ["''+a", "'''+a"],
    ["'a", "'a"],
    ["a=", "a="],
    ["'", "'"],
  ])("marks %j as %j, which a plain record leaves as it is", (text, marked) => {
    expect(formatCsv([text])).toBe(`${marked}\r\n`);
    expect(formatCsv([text], "plain")).toBe(`${text}\r\n`);
    expect(unmarkFormula(marked)).toBe(text);
  });

  it.each(["\ra", "\n=a"])("marks %j, within quotes", (text) => {
    expect(formatCsv([text])).toBe(`"'${text}"\r\n`);
  });

  const signs = ["=", "+", "-", "@", "＝", "\t", "'"];
  const others = ['"', ",", "\r", "\n", "a", " ", "é", "🙂"];
  const field = fc.string({ unit: fc.constantFrom(...signs, ...signs, ...others) });

  it("writes no field that begins as a formula, and loses nothing when the mark is taken off", () => {
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 4 }), (fields) => {
        const [written] = read(formatCsv(fields)) as [string[]];
        for (const one of written) expect(one).not.toMatch(/^\s*[=+\-@＝]|^[\t\r\n]/);
        expect(written.map(unmarkFormula)).toEqual(fields);
      }),
    );
  });

  it("takes an apostrophe only from before a sign, so that other files keep theirs", () => {
    fc.assert(
      fc.property(field, (text) => {
        fc.pre(!/^'+[\s=+\-@＝]/.test(text));
        expect(unmarkFormula(text)).toBe(text);
      }),
    );
  });

  it("writes plain records that parseCsv reads back", () => {
    const table = fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(table, (records) => {
        const written = records.map((record) => formatCsv(record, "plain")).join("");
        expect(read(written)).toEqual(records);
      }),
    );
  });
});
