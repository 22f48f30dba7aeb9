// Tests the classes of refusals (contract.md §Bounces): a table of replies as servers word them,
// and the cost of hostile replies.
import { describe, expect, it } from "vitest";
import type { BounceRule } from "../../../src/classify/bounce-class.ts";
import { WORDING_RULES } from "../../../src/classify/wording-rules.ts";
import { classify, ruleOn } from "../../../src/classify/classify.ts";
import type { SmtpStage } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";
import { rowsOf } from "./refusal-tables.ts";

const table = rowsOf("worded").map(([expected = "", stage = "", reply = ""]) => ({
  expected,
  stage: stage === "-" ? null : (stage as SmtpStage),
  reply,
}));

function classOf(reply: string, stage: SmtpStage | null): string | null {
  const [, code = "", enhanced = null, text = ""] =
    /^(\d{3})(?: ([245]\.\d{1,3}\.\d{1,3}))?(?: (.*))?$/s.exec(reply) ?? [];
  return classify({ code: Number(code), enhanced, text, stage });
}

describe("the table of replies", () => {
  it("is long enough to be meaningful", () => {
    expect(table.length).toBeGreaterThan(200);
  });

  it.each(table)("$expected at $stage: $reply", ({ expected, stage, reply }) => {
    expect(classOf(reply, stage)).toBe(expected);
  });
});

describe("the stage of a refusal", () => {
  it("before RCPT TO never makes the class blame the recipient", () => {
    expect(classOf("550 5.1.1 User unknown", "mail")).toBe("InvalidSender");
    expect(classOf("550 5.1.2 Host unknown", "mail")).toBe("InvalidSender");
    expect(classOf("550 5.2.1 account disabled", "mail")).toBe("InvalidSender");
    expect(classOf("550 5.1.1 User unknown", "connect")).toBe("Uncategorized");
  });

  it("makes spam the source's fault before the content was sent, and the message's after", () => {
    expect(classOf("550 no spam here", "rcpt")).toBe("SpamBlock");
    expect(classOf("550 no spam here", "end")).toBe("SpamContent");
  });

  it("makes an unavailable mailbox an unknown one once the server has received the address", () => {
    for (const stage of ["rcpt", "data", "end", null] as const)
      expect(classOf("550 mailbox unavailable", stage)).toBe("InvalidRecipient");
    expect(classOf("550 mailbox unavailable", "mail")).toBe("InvalidSender");
    expect(classOf("450 mailbox unavailable", "rcpt")).toBe("TransientFailure");
  });
});

describe("a ruling", () => {
  it.each<[number, string | null, string, SmtpStage | null, string, string]>([
    [
      550,
      "5.1.1",
      "<Ann@example.org>: No such user here",
      "rcpt",
      "InvalidRecipient",
      "wording: no such user",
    ],
    [
      554,
      "5.7.1",
      "Client host blocked using ZEN.spamhaus.org",
      "rcpt",
      "SpamBlock",
      "wording: spamhaus",
    ],
    [550, "5.2.2", "sorry", "rcpt", "QuotaIssues", "status: 5.2.2"],
    [550, null, "sorry (#5.2.2)", "rcpt", "QuotaIssues", "status: 5.2.2"],
    [550, "5.6.1", "sorry", "end", "ContentRelated", "status: 5.6.1"],
    [552, null, "sorry", "rcpt", "QuotaIssues", "code: 552"],
    [550, null, "sorry", "rcpt", "Uncategorized", "nothing known"],
    [450, null, "sorry", "rcpt", "TransientFailure", "nothing known"],
    [
      550,
      "5.1.1",
      "user unknown",
      "mail",
      "InvalidSender",
      "wording: user unknown, before the recipient was named",
    ],
    [
      550,
      "5.1.1",
      "sorry",
      "connect",
      "Uncategorized",
      "status: 5.1.1, before the recipient was named",
    ],
  ])("on %i %s %s at %s is %s because of %j", (code, enhanced, text, stage, expected, rule) => {
    expect(ruleOn({ code, enhanced, text, stage })).toEqual({ class: expected, rule });
  });

  it("quotes at most 100 characters, and is null for a reply that is not a refusal", () => {
    const rule =
      ruleOn({
        code: 550,
        enhanced: null,
        text: `name server: ${"🎉".repeat(25)}${"x".repeat(9)} timeout`,
        stage: "rcpt",
      })?.rule ?? "";
    expect(rule).toMatch(/^wording: name server: /);
    expect(rule.length).toBeLessThanOrEqual(110);
    expect(rule.isWellFormed()).toBe(true);
    expect(ruleOn({ code: 250, enhanced: null, text: "user unknown", stage: "end" })).toBeNull();
  });
});

describe("the wording of a reply", () => {
  it("does not include the words in its addresses", () => {
    expect(classOf("550 <spam+blacklist@dmarc.virus.example>: nobody", "rcpt")).toBe(
      "Uncategorized",
    );
    expect(
      classOf("550 5.1.1 <policy@example.org>: Recipient address rejected: User unknown", "rcpt"),
    ).toBe("InvalidRecipient");
  });

  it("is read across line codes, control characters and white space", () => {
    expect(classOf("550 user\u0000 \t unknown", "rcpt")).toBe("InvalidRecipient");
    expect(classOf("550 the user does 550-5.1.1 not exist", null)).toBe("InvalidRecipient");
  });

  it("may be in any script, or broken", () => {
    expect(classOf("550 用户不存在", "rcpt")).toBe("InvalidRecipient");
    expect(classOf("550 \uD800\uDFFF\uFFFD", "rcpt")).toBe("Uncategorized");
    expect(classOf("550", "rcpt")).toBe("Uncategorized");
  });

  it("does not count beyond the first 1,024 characters", () => {
    expect(classOf(`550 ${"x ".repeat(512)}user unknown`, "rcpt")).toBe("Uncategorized");
  });

  it("may carry enhanced codes, but numbers of IP addresses are none", () => {
    expect(classOf("550 nobody (#5.1.1)", "rcpt")).toBe("InvalidRecipient");
    expect(classOf("550 nobody at 5.1.1.1 or 10.5.1.1", "rcpt")).toBe("Uncategorized");
  });
});

it("classify() returns null for a reply that is not a refusal", () => {
  for (const code of [0, 220, 250, 354, 399, 600, Number.NaN])
    expect(classify({ code, enhanced: null, text: "user unknown", stage: "rcpt" })).toBeNull();
});

describe("hostile replies", () => {
  const patterns = WORDING_RULES.flatMap((rule: BounceRule) => rule.says);
  it("meet no pattern with an unbounded or repeated group, so that none can backtrack", () => {
    for (const { source } of patterns) {
      const bare = source.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
      expect(bare, source).not.toMatch(/[*+]|\{\d*,\}|\)\{/);
      expect(bare.match(/\{\d+,\d+\}/g)?.length ?? 0, source).toBeLessThan(4);
    }
  });
});
