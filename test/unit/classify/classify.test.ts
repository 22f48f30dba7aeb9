// Tests the rule by which a refusal gets its class (contract.md §Bounces), and that no pattern can
// be made to backtrack. The classes themselves are in vectors/refusals.json (refusals.test.ts).
import { describe, expect, it } from "vitest";
import type { BounceRule } from "../../../src/classify/bounce-class.ts";
import { WORDING_RULES } from "../../../src/classify/wording-rules.ts";
import { classify, ruleOn } from "../../../src/classify/classify.ts";
import type { SmtpStage } from "../../../smtp-gateway/src/smtp/smtp-reply.ts";

describe("a ruling", () => {
  const early = "before the recipient was named";

  it.each<[number, string | null, string, SmtpStage | null, string, string]>([
    [550, "5.1.1", "<Ann>: No such user here", "rcpt", "InvalidRecipient", "wording: no such user"],
    [554, "5.7.1", "Host blocked using ZEN.spamhaus.org", "rcpt", "SpamBlock", "wording: spamhaus"],
    [550, "5.2.2", "sorry", "rcpt", "QuotaIssues", "status: 5.2.2"],
    [550, null, "sorry (#5.2.2)", "rcpt", "QuotaIssues", "status: 5.2.2"],
    [550, "5.6.1", "sorry", "end", "ContentRelated", "status: 5.6.1"],
    [552, null, "sorry", "rcpt", "QuotaIssues", "code: 552"],
    [550, null, "sorry", "rcpt", "Uncategorized", "nothing known"],
    [450, null, "sorry", "rcpt", "TransientFailure", "nothing known"],
    [550, "5.1.1", "user unknown", "mail", "InvalidSender", `wording: user unknown, ${early}`],
    [550, "5.1.1", "sorry", "connect", "Uncategorized", `status: 5.1.1, ${early}`],
  ])("on %i %s %s at %s is %s because of %j", (code, enhanced, text, stage, expected, rule) => {
    expect(ruleOn({ code, enhanced, text, stage })).toEqual({ class: expected, rule });
  });

  it("quotes at most 100 characters, and is null for a reply that is not a refusal", () => {
    const text = `name server: ${"🎉".repeat(25)}${"x".repeat(9)} timeout`;
    const rule = ruleOn({ code: 550, enhanced: null, text, stage: "rcpt" })?.rule ?? "";
    expect(rule).toMatch(/^wording: name server: /);
    expect(rule.length).toBeLessThanOrEqual(110);
    expect(rule.isWellFormed()).toBe(true);
    expect(ruleOn({ code: 250, enhanced: null, text: "user unknown", stage: "end" })).toBeNull();
  });
});

it("classify() returns null for a reply that is not a refusal", () => {
  for (const code of [0, 220, 250, 354, 399, 600, Number.NaN])
    expect(classify({ code, enhanced: null, text: "user unknown", stage: "rcpt" })).toBeNull();
});

describe("hostile replies", () => {
  const patterns = WORDING_RULES.flatMap((rule: BounceRule) => rule.says);
  it("meet no pattern with an unbounded or repeated group, so that no pattern can backtrack", () => {
    for (const { source } of patterns) {
      const bare = source.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");
      expect(bare, source).not.toMatch(/[*+]|\{\d*,\}|\)\{/);
      expect(bare.match(/\{\d+,\d+\}/g)?.length ?? 0, source).toBeLessThan(4);
    }
  });
});
