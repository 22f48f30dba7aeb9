// Tests how headers of submitted messages are validated: those that real programs write, and those
// that lie about their sender (test/fixtures/headers).
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { SECTIONS } from "./header-sections.ts";
import { judgeMessage, octets, acceptMessage } from "./submissions.ts";

const TAKEN = SECTIONS.filter(({ result }) => result.kind === "taken");

describe("a submitted header section", () => {
  it("has more than 250 examples, and fewer than a third of them are refused", () => {
    expect(SECTIONS.length).toBeGreaterThan(250);
    expect(TAKEN.length).toBeGreaterThan((SECTIONS.length * 2) / 3);
  });

  it.each(SECTIONS.map((section) => [section.name, section] as const))(
    "goes out or is refused as its example says: %s",
    (_, { message, result }) => {
      const judged = judgeMessage(message);
      const summary =
        judged.kind === "taken"
          ? { kind: "taken", header: judged.content.slice(0, judged.content.indexOf("\r\n\r\n")) }
          : {
              kind: "refused",
              reason: Object.entries(judged.errors).map(
                ([path, [problem]]) => `${path}: ${problem}`,
              )[0],
            };
      expect(summary).toEqual(result);
      if (judged.kind === "taken") expect(judged.content.endsWith("\r\n\r\nbody\r\n")).toBe(true);
    },
  );

  it.each(TAKEN.map(({ name, message }) => [name, message] as const))(
    "shows every mail reader exactly the sender that the service checked: %s",
    async (_, message) => {
      const { content, message: stored } = acceptMessage(message);
      const { from } = await PostalMime.parse(octets(content));
      expect(from?.address?.toLowerCase().replace("bücher", "xn--bcher-kva")).toBe(
        stored.from.email.toLowerCase(),
      );
      expect(stored.fromDomain).toMatch(/^(?:mail\.)?owned\.example$|^xn--bcher-kva\.example$/);
      expect(content.match(/^from[ \t]*:/gim)).toHaveLength(1);
    },
  );

  it("gives the same result when it is checked again", () => {
    for (const { message } of TAKEN) {
      const { content } = acceptMessage(message);
      expect(acceptMessage(content).content).toBe(content);
    }
  });
});
