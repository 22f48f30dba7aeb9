// Tests the text of a refusal in an event (contract.md §Bounces). A reply to an attempt and the
// same reply quoted in a report give the same text.
import { describe, expect, it } from "vitest";
import { bounceOf, readQuotedReply } from "../../../../src/mail/feedback/quoted-reply.ts";

const responseOf = (words: string) => bounceOf(readQuotedReply(words)).smtpResponse;

describe("a quoted reply", () => {
  it.each([
    [
      "550-5.1.1 The account that you tried\n 550-5.1.1 to reach does not\n 550 5.1.1 exist. gsmtp",
      "550 5.1.1 The account that you tried to reach does not exist. gsmtp",
    ],
    ["550-No such user\n 550-here, and\n 550 goodbye", "550 No such user here, and goodbye"],
    ["host mx said: 554-5.7.1 Blocked\n 554 5.7.1", "554 5.7.1 Blocked"],
    ["550 5.1.1 room 550 is taken", "550 5.1.1 room 550 is taken"],
    ["552 5.2.2 full", "552 5.2.2 full"],
    ["no code at all", "no code at all"],
  ])("%j becomes the response %j", (words, told) => {
    expect(responseOf(words)).toBe(told);
  });

  it("stays within 1,024 bytes", () => {
    for (const words of [
      "550-5.1.1 ".repeat(5_000),
      "550 ".repeat(5_000),
      `550-${"ü ".repeat(8_000)}`,
    ])
      expect(new TextEncoder().encode(responseOf(words) ?? "").length).toBeLessThanOrEqual(1_024);
  });
});
