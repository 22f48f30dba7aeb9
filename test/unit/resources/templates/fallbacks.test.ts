// Tests how the variables that a send leaves out are filled in.
import { expect, it } from "vitest";
import { withFallbacks } from "../../../../src/resources/templates/fallbacks.ts";

const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;

it.each([
  ["{}", '{"a":1}', '{"a":1}'],
  ['{"a":2}', '{"a":1,"b":"x"}', '{"a":2,"b":"x"}'],
  [
    '{"a":null,"b":"","c":0,"d":[]}',
    '{"a":1,"b":1,"c":1,"d":[1]}',
    '{"a":null,"b":"","c":0,"d":[]}',
  ],
  ['{"a":{"b":1}}', '{"a":{"b":2,"c":{"d":3}}}', '{"a":{"b":1,"c":{"d":3}}}'],
  ['{"a":"x"}', '{"a":{"b":2}}', '{"a":"x"}'],
  ['{"a":{"b":2}}', '{"a":"x"}', '{"a":{"b":2}}'],
  ['{"a":[{}]}', '{"a":[{"b":1}]}', '{"a":[{}]}'],
  ["{}", '{"constructor":1,"__proto__":{"b":1}}', '{"constructor":1,"__proto__":{"b":1}}'],
  ['{"__proto__":{"a":1}}', '{"toString":"x"}', '{"__proto__":{"a":1},"toString":"x"}'],
])("variables %s with fallbacks %s are %s", (variables, fallbacks, merged) => {
  expect(JSON.stringify(withFallbacks(parse(variables), parse(fallbacks)))).toBe(merged);
});

it("variables are not copied if there are no fallbacks", () => {
  const variables = { a: 1 };
  expect(withFallbacks(variables, null)).toBe(variables);
});
