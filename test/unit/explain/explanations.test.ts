// Tests explanations (contract.md §Explanations): every state, bounce class, failure, suppression
// and hold has a complete text in plain sentences.
import { mitigationAt } from "../../../src/resources/providers/mitigation.ts";
import { describe, expect, it } from "vitest";
import { PROVIDER_REFUSALS } from "../../../src/classify/provider-refusals.ts";
import { explainSuppression } from "../../../src/explain/explain.ts";
import { ACTION_KINDS, CAUSES, Explanation, STATES } from "../../../src/explain/explanation.ts";
import { BOUNCED, EVIDENCE, explain, HOUR, NOW, SITUATIONS } from "./situations.ts";

describe("an explanation", () => {
  it.each(SITUATIONS)("of %s is complete, in plain sentences", (_, explanation) => {
    expect(Explanation.parse(explanation)).toEqual(explanation);
    const { summary, next, actions } = explanation;
    for (const text of [summary, next, ...actions.map((one) => one.text)]) {
      expect(text).toMatch(/^[A-Za-z][^{}]*[^\s.]\.$/);
      expect(text).not.toMatch(/undefined|null\b(?! MX)|NaN| {2}|\(\)|: \./);
    }
    expect(summary.split(/\. [A-Z]/)).toHaveLength(1);
  });

  it("exists for every state and cause, and every kind of action is used", () => {
    const used = new Set(SITUATIONS.flatMap(([, one]) => [one.state, one.cause]));
    expect([...STATES, ...CAUSES].filter((one) => !used.has(one))).toEqual([]);
    const kinds = new Set(SITUATIONS.flatMap(([, one]) => one.actions.map(({ kind }) => kind)));
    expect(ACTION_KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  it("says of a refused address what follows and until when", () => {
    expect(explain({ suppressions: [BOUNCED] })).toEqual({
      state: "bounced",
      summary: "contoso.net refused the address: no such mailbox.",
      cause: "InvalidRecipient",
      evidence: EVIDENCE,
      next:
        "The service will not retry this message. Nothing will be sent to this address until " +
        "20 February 2027.",
      actions: [
        {
          kind: "correct_address",
          text: "Check the spelling of the address, or ask the recipient for a current one.",
          href: "/v1/recipients/jo%40contoso.net",
        },
        {
          kind: "lift_suppression",
          text: "Lift the suppression when you know that the address works again.",
          href: "/v1/suppressions/jo%40contoso.net/*",
        },
      ],
    });
  });

  const retry = { state: "delayed", waitReason: "retry", nextAttemptAt: NOW + HOUR } as const;
  const undelivered =
    "The message has not been delivered to contoso.net yet: the recipient's server";
  const nextRetry =
    "Next retry at 15:03 UTC on 22 November 2026; retries end at 14:03 UTC on 25 November 2026.";

  it.each([
    [
      "a report after the delivery",
      { refusal: "QuotaIssues", bounce: "returned" },
      "contoso.net accepted the message and returned it later: the mailbox is full, or the " +
        "message is too large for it.",
      "The service will not retry this message. You can still send new messages to this address.",
    ],
    [
      "a delay",
      { ...retry, refusal: "no_connection" },
      `${undelivered} could not be reached.`,
      nextRetry,
    ],
    [
      "a delay by the server's limit",
      { ...retry, refusal: "no_free_connection" },
      `${undelivered} limits its connections, and none was free.`,
      nextRetry,
    ],
    [
      "an address on the provider's suppression list",
      { refusal: "suppressed_by_provider" },
      "Cloudflare sent nothing to jo@contoso.net: the address is on the suppression list of the " +
        "Cloudflare account that sends the mail.",
      "The service will not retry this message. You can still send new messages to this address.",
    ],
    [
      "mail that waits for the team's rate",
      { state: "queued", waitReason: "rate" },
      "The message is waiting its turn: your team can send to 1,200 recipients per minute.",
      "It will be sent once the messages ahead of it have left.",
    ],
    [
      "mail that waits for room at its mail server",
      { state: "queued", waitReason: "room" },
      "The message is waiting for its turn at contoso.net, which takes only so much mail at once.",
      "It will be sent after the older mail for contoso.net; attempts end at 14:03 UTC on 25 " +
        "November 2026.",
    ],
    [
      "a message that was kept back, whose address is free again",
      { state: "suppressed", keptBackBy: BOUNCED },
      "Nothing was sent to jo@contoso.net: contoso.net permanently refused an earlier message (no " +
        "such mailbox).",
      "The suppression is over: you can send to this address again.",
    ],
  ] as const)("of %s names its cause and the next step", (_, facts, summary, next) => {
    expect(explain(facts)).toMatchObject({ summary, next });
  });

  it("of a provider's own refusal sends no one to the recipient's postmaster", () => {
    for (const refusal of PROVIDER_REFUSALS) {
      const { summary, actions } = explain({ refusal });
      expect(summary).toMatch(/Cloudflare/);
      expect(actions.map(({ kind }) => kind)).not.toContain("contact_provider");
    }
  });

  it.each([
    ["mx1.contoso.net", "mailto:postmaster@contoso.net"],
    ["contoso-net.mail.protection.outlook.com", "https://olcsupport.office.com"],
  ])("of a block by %s links to the page that takes requests", (mxHost, href) => {
    const mitigation = mitigationAt(mxHost, "jo@contoso.net");
    const { actions } = explain({ refusal: "SpamBlock", mitigation });
    expect(actions[0]).toMatchObject({ kind: "contact_provider", href });
  });

  it("names no path for a topic that a path can't name", () => {
    const [action] = explainSuppression({ ...BOUNCED, topic: ".." }, null).actions;
    expect(action).not.toHaveProperty("href");
  });
});
