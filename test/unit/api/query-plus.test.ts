// Tests that plus signs in addresses of a query survive (src/api/query-plus.ts), however a client
// escapes them.
import { fc } from "../../support/properties.ts";
import { expect, it } from "vitest";
import { withPlusSigns } from "../../../src/api/query-plus.ts";

/** Decodes a query as the API does. */
function decode(query: string): Record<string, string | string[]> {
  const decoded = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(decoded.keys())].map((name) => {
      const values = decoded.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}

const read = (query: string) => withPlusSigns(decode(query), `https://api.example/v1?${query}`);

const name = fc.constantFrom("recipient", "email_contains", "email_from", "prefix", "message_id");
const unquoted = fc.string({ unit: "grapheme" }).filter((text) => !text.includes('"'));
const withPluses = fc.array(unquoted).map((parts) => parts.join("+"));
const escapePartly = (text: string) => encodeURIComponent(text).replaceAll("%2B", "+");

it("an address without quotes is read the same with plus signs escaped or not", () => {
  fc.assert(
    fc.property(name, withPluses, fc.boolean(), (parameter, text, isEscaped) => {
      const value = isEscaped ? encodeURIComponent(text) : escapePartly(text);
      expect(read(`tags=a+b&${parameter}=${value}`)).toEqual({ tags: "a b", [parameter]: text });
    }),
  );
});

it.each([
  ['recipient="ann+lee"@example.org', { recipient: '"ann lee"@example.org' }],
  ["recipient=a+b%20c", { recipient: "a+b c" }],
  ["recipient=a+b&recipient=c+d", { recipient: ["a+b", "c+d"] }],
  ["subject=a+b", { subject: "a b" }],
  ["recipient=a&subject=+", { recipient: "a", subject: " " }],
])("%s is read as %o", (query, parameters) => {
  expect(read(query)).toEqual(parameters);
});
