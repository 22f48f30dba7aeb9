// Tests that the service tells a template's alias from an id, in requests and in paths.
import { expect, it } from "vitest";
import { isAlias } from "../../../../src/resources/templates/template-alias.ts";
import { UpdateTemplate } from "../../../../src/resources/templates/wire.ts";

const UUID = "5f0c8a52-6d0a-4c55-9a3e-2f8f1f4b7d10";

const PLAIN = "a 9 Order-Confirmation order.v2_b Preview template".split(" ");
const ODD = "-a .. a/b é preview template_1 TEMPLATE_1".split(" ");
const IDS = [UUID, UUID.toUpperCase(), `template_${UUID}`];

it.each([
  ...[...PLAIN, "x".repeat(128)].map((alias) => [alias, true] as const),
  ...[...ODD, ...IDS, "", "a b", "a\n", "x".repeat(129)].map((alias) => [alias, false] as const),
])("whether %j may be an alias: %s", (alias, expected) => {
  expect(isAlias(alias)).toBe(expected);
  expect(UpdateTemplate.safeParse({ alias }).success).toBe(expected);
});
