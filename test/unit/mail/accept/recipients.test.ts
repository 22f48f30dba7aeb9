// Tests which recipients of a send stay in its envelope (src/mail/accept/recipients.ts).
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { FieldProblems } from "../../../../src/mail/accept/field-problems.ts";
import { readRecipients } from "../../../../src/mail/accept/recipients.ts";

describe("a send", () => {
  it("keeps each of its recipients once in the envelope, also those that cannot be mailed", () => {
    const host = fc.constantFrom("x.example", "intranet", "[192.0.2.7]", "my_host.example", "1.2");
    const recipient = fc
      .tuple(fc.constantFrom("a", "B", "c d", "\u00e9"), host)
      .map(([name, domain]) => `${name.includes(" ") ? `"${name}"` : name}@${domain}`);
    const list = fc.array(recipient, { maxLength: 4 });
    fc.assert(
      fc.property(list, list, list, (to, cc, bcc) => {
        const problems = new FieldProblems();
        const found = readRecipients({ to: ["ann@example.org", ...to], cc, bcc }, problems);
        const keys = (addresses: readonly string[]) =>
          [...new Set(addresses.map((address) => address.toLowerCase()))].toSorted();
        expect(problems.count).toBe(0);
        expect(found.envelope.map((address) => address.toLowerCase()).toSorted()).toEqual(
          keys(["ann@example.org", ...to, ...cc, ...bcc]),
        );
        const shown = [...found.to, ...found.cc].map(({ email }) => email);
        expect(shown).toEqual(
          ["ann@example.org", ...to, ...cc].filter(
            (address) => /example(?:\.org)?$/.test(address) && !address.includes("_"),
          ),
        );
      }),
    );
  });
});
