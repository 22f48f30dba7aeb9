// Explanations (contract.md §Explanations): every state, bounce class, failure, suppression and hold
// has its text, whole and in plain sentences.
import { describe, expect, it } from "vitest";
import { BOUNCE_CLASSIFICATIONS } from "../../../src/contracts/event-types.ts";
import {
  HOLDS,
  RECIPIENT_STATES,
  SUPPRESSION_REASONS,
} from "../../../src/contracts/recipient-states.ts";
import {
  type ExplainedSuppression,
  explainNothing,
  explainRecipient,
  explainSuppression,
  type RecipientFacts,
} from "../../../src/explain/explain.ts";
import {
  ACTION_KINDS,
  CAUSES,
  Explanation,
  NO_REPLY_CAUSES,
  STATES,
} from "../../../src/explain/explanation.ts";

const NOW = Date.parse("2026-11-22T14:03:13.204Z");
const HOUR = 3_600_000;
const EVIDENCE = {
  reply: "550 5.1.1 User unknown",
  stage: "rcpt",
  mx_host: "mx1.contoso.net",
  at: new Date(NOW).toISOString(),
  email_id: "email_01a2041e-811d-70f1-82a9-c3a33ebac526",
};
const BOUNCED: ExplainedSuppression = {
  email: "jo@contoso.net",
  topic: "*",
  reason: "permanent_bounce",
  classification: "InvalidRecipient",
  expiresAt: Date.parse("2027-02-20T14:03:13.204Z"),
  evidence: EVIDENCE,
};
const FACTS: RecipientFacts = {
  address: "jo@contoso.net",
  state: "bounced",
  emailId: EVIDENCE.email_id,
  fromDomain: "shop.example",
  scheduledAt: null,
  deadline: NOW + 72 * HOUR,
  nextAttemptAt: null,
  hold: null,
  ratePerMinute: 1_200,
  refusal: "InvalidRecipient",
  bounce: "refused",
  keptBackBy: null,
  suppressions: [],
  evidence: EVIDENCE,
};

const explain = (facts: Partial<RecipientFacts>) => explainRecipient({ ...FACTS, ...facts });

const REFUSALS = [...BOUNCE_CLASSIFICATIONS, ...NO_REPLY_CAUSES];
const BOUNCES = ["refused", "expired", "returned", "returnedLater"] as const;
const SUPPRESSED = SUPPRESSION_REASONS.flatMap((reason) =>
  ["*", "news"].map((topic): ExplainedSuppression => ({
    ...BOUNCED,
    reason,
    topic,
    ...(reason !== "permanent_bounce" && { expiresAt: null, classification: null }),
  })),
);

/** Every situation that mail can be in, by a name. */
const TABLE: readonly (readonly [name: string, explanation: Explanation])[] = [
  ...RECIPIENT_STATES.map((state) => [state, explain({ state, scheduledAt: NOW })] as const),
  ...HOLDS.map(
    (hold) => [`queued, ${hold}`, explain({ state: "queued", hold, nextAttemptAt: NOW })] as const,
  ),
  ...HOLDS.map(
    (hold) =>
      [
        `delayed, ${hold}`,
        explain({ state: "delayed", refusal: "QuotaIssues", hold, nextAttemptAt: NOW }),
      ] as const,
  ),
  ...REFUSALS.flatMap((refusal) => [
    [`delayed, ${refusal}`, explain({ state: "delayed", refusal })] as const,
    ...BOUNCES.map(
      (bounce) => [`bounced, ${bounce}, ${refusal}`, explain({ refusal, bounce })] as const,
    ),
  ]),
  ...SUPPRESSED.flatMap((one) => [
    [`address, ${one.reason}, ${one.topic}`, explainSuppression(one)] as const,
    [
      `suppressed, ${one.reason}, ${one.topic}`,
      explain({ state: "suppressed", keptBackBy: one, suppressions: [one] }),
    ] as const,
    [`suppressed then, ${one.reason}`, explain({ state: "suppressed", keptBackBy: one })] as const,
  ]),
  ["unknown", explainNothing("jo@contoso.net", 30)],
];

describe("an explanation", () => {
  it.each(TABLE)("of %s is whole, in plain sentences", (_, explanation) => {
    expect(Explanation.parse(explanation)).toEqual(explanation);
    const { summary, next, actions } = explanation;
    for (const text of [summary, next, ...actions.map((one) => one.text)]) {
      expect(text).toMatch(/^[A-Za-z][^{}]*[^\s.]\.$/);
      expect(text).not.toMatch(/undefined|null\b(?! MX)|NaN| {2}|\(\)|: \./);
    }
    expect(summary.split(/\. [A-Z]/)).toHaveLength(1);
  });

  it("exists for every state and cause, and every kind of action is used", () => {
    const used = new Set(TABLE.flatMap(([, one]) => [one.state, one.cause]));
    expect([...STATES, ...CAUSES].filter((one) => !used.has(one))).toEqual([]);
    const kinds = new Set(TABLE.flatMap(([, one]) => one.actions.map(({ kind }) => kind)));
    expect(ACTION_KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  it("says of a refused address what follows and until when", () => {
    expect(explain({ suppressions: [BOUNCED] })).toEqual({
      state: "bounced",
      summary: "contoso.net refused the address: no such mailbox.",
      cause: "InvalidRecipient",
      evidence: EVIDENCE,
      next:
        "The service does not try this message again. Nothing is sent to this address until " +
        "20 February 2027.",
      actions: [
        {
          kind: "correct_address",
          text: "Check the spelling of the address, or ask the recipient for a current one.",
        },
        {
          kind: "lift_suppression",
          text: "Lift the suppression when you know that the address works again.",
          href: "/v1/suppressions/jo%40contoso.net/*",
        },
      ],
    });
  });

  it.each([
    [
      "a report after the delivery",
      { refusal: "QuotaIssues", bounce: "returnedLater" },
      "contoso.net accepted the message and returned it later: the mailbox is full, or the " +
        "message is too large for it.",
      "The service does not try this message again. The next message to this address will be sent.",
    ],
    [
      "a delay",
      { state: "delayed", refusal: "no_connection", hold: "retry", nextAttemptAt: NOW + HOUR },
      "The message has not been delivered to contoso.net yet: the recipient's server could not " +
        "be reached.",
      "The service tries again at 15:03 UTC on 22 November 2026, and gives up at 14:03 UTC on 25 " +
        "November 2026.",
    ],
    [
      "mail that waits for the team's rate",
      { state: "queued", hold: "rate" },
      "The message waits for its turn: at most 1,200 messages a minute leave for your team.",
      "It is sent as soon as the messages before it have left.",
    ],
    [
      "a message that was kept back, whose address is free again",
      { state: "suppressed", keptBackBy: BOUNCED },
      "Nothing was sent to jo@contoso.net: contoso.net refused an earlier message for good (no " +
        "such mailbox).",
      "The next message to this address will be sent.",
    ],
  ] as const)("of %s names its cause and what is next", (_, facts, summary, next) => {
    expect(explain(facts)).toMatchObject({ summary, next });
  });

  it("names no path for a topic that a path can't name", () => {
    const [action] = explainSuppression({ ...BOUNCED, topic: ".." }).actions;
    expect(action).not.toHaveProperty("href");
  });
});
