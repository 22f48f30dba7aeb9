// What an attempt's outcome leaves behind of the server's words
// (src/mail/deliver/smtp-exchange.ts).
import { describe, expect, it } from "vitest";
import { exchangeOf } from "../../../../src/mail/deliver/smtp-exchange.ts";
import { judge } from "../../../../src/mail/deliver/judge.ts";
import type { Outcome } from "../../../../src/mail/message.ts";

function responseTo(code: number, text: string, enhanced: string | null = null): string | null {
  const outcome: Outcome = {
    kind: "reply",
    code,
    enhanced,
    text,
    stage: "end",
    mxHost: null,
    tls: null,
  };
  return exchangeOf(outcome, judge(outcome, { nextAttemptAt: 1 })).response;
}

describe("the words of a server", () => {
  it("are cut to 100 characters behind the code where they are a receipt", () => {
    expect(responseTo(250, "OK id=17-abc", "2.0.0")).toBe("250 2.0.0 OK id=17-abc");
    expect(responseTo(250, "x".repeat(99))).toBe(`250 ${"x".repeat(99)}`);
    expect(responseTo(250, "x".repeat(100))).toBe(`250 ${"x".repeat(99)}`);
    expect(responseTo(250, `${"x".repeat(98)}💥`)).toBe(`250 ${"x".repeat(98)}\ufffd`);
  });

  it.each([550, 451])("are kept whole where they refuse (%d)", (code) => {
    expect(responseTo(code, "no ".repeat(100).trim())).toBe(`${code} ${"no ".repeat(100).trim()}`);
  });
});
