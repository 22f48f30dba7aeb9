// Tests that the service tells a template's alias from an id, in requests and in paths.
import { expect, it } from "vitest";
import { isAlias } from "../../../../src/resources/templates/template-alias.ts";
import { UpdateTemplate } from "../../../../src/resources/templates/wire.ts";

const UUID = "5f0c8a52-6d0a-4c55-9a3e-2f8f1f4b7d10";

it.each([
  ["a", true],
  ["9", true],
  ["Order-Confirmation", true],
  ["order.v2_b", true],
  ["x".repeat(128), true],
  ["Preview", true],
  ["template", true],
  ["", false],
  ["a b", false],
  ["-a", false],
  ["..", false],
  ["a/b", false],
  ["é", false],
  ["a\n", false],
  ["x".repeat(129), false],
  ["preview", false],
  ["template_1", false],
  ["TEMPLATE_1", false],
  [`template_${UUID}`, false],
  [UUID, false],
  [UUID.toUpperCase(), false],
])("%j as an alias: %s", (alias, expected) => {
  expect(isAlias(alias)).toBe(expected);
  expect(UpdateTemplate.safeParse({ alias }).success).toBe(expected);
});
