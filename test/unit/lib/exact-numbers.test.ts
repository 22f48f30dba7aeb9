// Tests which JSON numbers keep their digits (src/lib/json-text/exact-numbers.ts).
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { parseExactly } from "../../../src/lib/json.ts";

const NAMES = new Set(["variables"]);
const read = (text: string) => parseExactly(text, NAMES);
const variable = (number: string) =>
  (read(`{"variables":{"a":[{"n":${number}}]}}`) as { variables: { a: [{ n: unknown }] } })
    .variables.a[0].n;

describe("a number in variables", () => {
  it.each([
    ..."12345678901234567890 -7615917337495251231 9007199254740993".split(" "),
    ..."0.12345678901234567891 1234567890123456.789 12345678901234567890e-2 1e-400".split(" "),
  ])("keeps the digits of %s, which a double cannot hold", (number) => {
    expect(variable(number)).toBe(number);
  });

  it.each("0 -0.0 9007199254740991 1e3 0.1 100.10 5.0000000000000000000 1e400".split(" "))(
    "stays the number %s, which a double holds or which is infinite",
    (number) => {
      expect(variable(number)).toBe(Number(number));
    },
  );

  it("becomes an equal number, or a text of the same digits", () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 30n });
    fc.assert(
      fc.property(digits, fc.nat(25), (number, places) => {
        const text = String(number).padStart(places + 1, "0");
        const whole = text.slice(0, text.length - places);
        const decimal = places === 0 ? whole : `${whole}.${text.slice(-places)}`;
        const value = variable(decimal);
        // Compares without a double: the digits, with zeros added up to 60 places.
        const plain = (shown: string) => {
          const [left = "", right = ""] = shown.split(".");
          return BigInt(left + right.padEnd(60, "0"));
        };
        if (typeof value === "string") expect(value).toBe(decimal);
        else if (!String(value).includes("e")) expect(plain(String(value))).toBe(plain(decimal));
      }),
    );
  });

  it("leaves every JSON text with the values that JSON.parse reads, apart from long numbers", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify({ variables: value, other: value });
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe("a number elsewhere", () => {
  it.each([
    '{"n":12345678901234567890}',
    '{"variables":1,"n":12345678901234567890}',
    '[{"variables":{"a":{}},"n":12345678901234567890},12345678901234567890]',
    String.raw`{"s":"\"variables\":{12345678901234567890"}`,
  ])("is rounded, as JSON.parse does: %s", (text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  });

  it("keeps its digits below a name that is written with escapes", () => {
    expect(read(String.raw`{"\u0076ariables":{"n":12345678901234567890}}`)).toEqual({
      variables: { n: "12345678901234567890" },
    });
  });
});

it.each([
  '{"variables":{12345678901234567890:1}}',
  '{"variables":{"a":012345678901234567890}}',
  '{"variables":{"a":1234567890123456789.}}',
  '{"variables":{"a":"b"12345678901234567890}}',
  '{"variables":[12345678901234567890 12345678901234567890]}',
  '{"variables":12345678901234567890',
])("a text that is not JSON is refused: %s", (text) => {
  expect(() => read(text)).toThrow(SyntaxError);
});
