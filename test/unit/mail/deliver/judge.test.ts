// Tests the verdict on an attempt's outcome (contract.md §Bounces).
import { describe, expect, it } from "vitest";
import { judge } from "../../../../src/mail/deliver/judge.ts";
import type { FailureCause } from "../../../../src/classify/own-replies.ts";
import type { Outcome } from "../../../../src/mail/message.ts";
import type { SmtpStage } from "../../../../smtp-gateway/src/smtp/smtp-reply.ts";

const NEXT = { nextAttemptAt: 1_760_000_060_000 };
const OVER = { nextAttemptAt: null };

function reply(
  code: number,
  enhanced: string | null,
  text: string,
  stage: SmtpStage = "rcpt",
): Outcome {
  return { kind: "reply", code, enhanced, text, stage, mxHost: "mx.example.org", tls: "TLSv1.3" };
}

function failure(cause: FailureCause): Outcome {
  return { kind: "failure", cause, detail: "as it was", mxHost: null };
}

function bounceOf(outcome: Outcome, context: { nextAttemptAt: number | null } = NEXT) {
  const verdict = judge(outcome, context);
  return verdict.kind === "bounced" ? verdict.bounce : undefined;
}

describe("a delivery", () => {
  it.each([250, 251, 200, 299])("is any reply from 200 to 299 after the content: %i", (code) => {
    const delivered = { kind: "delivered", smtpCode: code };
    expect(judge(reply(code, "2.0.0", "OK", "end"), NEXT)).toEqual(delivered);
  });

  it.each<[SmtpStage, number]>([
    ["rcpt", 250],
    ["data", 250],
    ["data", 354],
    ["end", 354],
    ["connect", 220],
  ])("is not a reply at %s with %i", (stage, code) => {
    expect(judge(reply(code, null, "OK", stage), NEXT).kind).toBe("delayed");
  });
});

describe("a temporary refusal", () => {
  const greylisted = reply(451, "4.7.1", "Greylisted, try later");

  it("delays the recipient, with the server's code and the time of the next attempt", () => {
    expect(judge(greylisted, NEXT)).toEqual({ kind: "delayed", smtpCode: 451, ...NEXT });
  });

  it("at the last attempt bounces as expired, without a class if the reply gives no reason", () => {
    const said = { smtpCode: 451, smtpResponse: "451 4.7.1 Greylisted, try later" };
    const bounce = { type: "expired", classification: null, ...said };
    expect(judge(greylisted, OVER)).toEqual({ kind: "bounced", bounce, refusedAt: null });
  });

  it("at the last attempt bounces as expired, with the class of the reason in the reply", () => {
    const expired = { type: "expired", classification: "QuotaIssues" };
    expect(bounceOf(reply(452, "4.2.2", "mailbox full"), OVER)).toMatchObject(expired);
  });
});

describe("a permanent refusal", () => {
  it("bounces at once with its class, its reply line and its stage", () => {
    const said = { smtpCode: 550, smtpResponse: "550 5.1.1 <ann@example.org>: no such user" };
    const bounce = { type: "permanent", classification: "InvalidRecipient", ...said };
    const verdict = { kind: "bounced", bounce, refusedAt: "rcpt" };
    expect(judge(reply(550, "5.1.1", "<ann@example.org>: no such user"), NEXT)).toEqual(verdict);
  });

  it("of STARTTLS is tried again like a failed handshake", () => {
    const refused = reply(502, "5.5.1", "command not implemented", "starttls");
    expect(judge(refused, NEXT)).toEqual({ kind: "delayed", smtpCode: 454, ...NEXT });
    expect(bounceOf(refused, OVER)?.smtpResponse).toBe(
      "TLS negotiation with the receiving server failed.",
    );
  });
});

describe("the response line", () => {
  it("leaves out parts that are absent", () => {
    expect(bounceOf(reply(550, null, ""))?.smtpResponse).toBe("550");
    expect(bounceOf(reply(550, "5.0.0", ""))?.smtpResponse).toBe("550 5.0.0");
    expect(bounceOf(reply(550, null, "no"))?.smtpResponse).toBe("550 no");
  });

  it("is a single line without control characters and lone surrogates", () => {
    expect(bounceOf(reply(550, null, "a\r\n b\u0000\tc \uD800"))?.smtpResponse).toBe(
      "550 a b c \uFFFD",
    );
  });

  it.each(["x", "é", "用", "😀"])(
    "has at most 1,024 bytes and is cut between characters (%s)",
    (character) => {
      const line = bounceOf(reply(550, "5.1.1", character.repeat(70_000)))?.smtpResponse ?? "";
      const bytes = new TextEncoder().encode(line).length;
      expect(bytes).toBeLessThanOrEqual(1_024);
      expect(bytes).toBeGreaterThan(1_020);
      expect(line.isWellFormed()).toBe(true);
      expect(line.endsWith(character)).toBe(true);
    },
  );
});

describe("an attempt without a server's reply", () => {
  it.each<[FailureCause, number, string]>([
    ["dns", 451, "Could not resolve a mail server for the recipient's domain."],
    ["tls", 454, "TLS negotiation with the receiving server failed."],
    ["connect", 451, "Could not connect to the receiving server."],
    ["limit", 451, "No connection to the receiving server was free, because it limits them."],
    ["other", 451, "Delivery attempt failed before the receiving server responded."],
  ])(
    "(%s) delays with the service's code, and bounces at the last attempt with its text",
    (cause, smtpCode, smtpResponse) => {
      expect(judge(failure(cause), NEXT)).toEqual({ kind: "delayed", smtpCode, ...NEXT });
      const bounce = { type: "expired", classification: null, smtpCode, smtpResponse };
      const verdict = { kind: "bounced", bounce, refusedAt: null };
      expect(judge(failure(cause), OVER)).toEqual(verdict);
    },
  );

  it.each<[FailureCause, number]>([
    ["no_mail_server", 550],
    ["null_mx", 556],
  ])(
    "(%s) bounces at once as transient, since no server can ever take the message",
    (cause, smtpCode) => {
      const smtpResponse = "Could not resolve a mail server for the recipient's domain.";
      const bounce = { type: "transient", classification: "BadDomain", smtpCode, smtpResponse };
      const verdict = { kind: "bounced", bounce, refusedAt: null };
      expect(judge(failure(cause), NEXT)).toEqual(verdict);
      expect(judge(failure(cause), OVER)).toEqual(verdict);
    },
  );
});
