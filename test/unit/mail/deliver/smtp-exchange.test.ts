// Tests how much of a server's reply is kept for look-ups (src/mail/deliver/smtp-exchange.ts).
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

describe("the kept reply of a server", () => {
  it("is cut to 100 characters after the code if it is a delivery", () => {
    expect(responseTo(250, "OK id=17-abc", "2.0.0")).toBe("250 2.0.0 OK id=17-abc");
    expect(responseTo(250, "x".repeat(99))).toBe(`250 ${"x".repeat(99)}`);
    expect(responseTo(250, "x".repeat(100))).toBe(`250 ${"x".repeat(99)}`);
    expect(responseTo(250, `${"x".repeat(98)}💥`)).toBe(`250 ${"x".repeat(98)}\ufffd`);
  });

  it.each([550, 451])("is whole if it is a refusal (%d)", (code) => {
    expect(responseTo(code, "no ".repeat(100).trim())).toBe(`${code} ${"no ".repeat(100).trim()}`);
  });
});
