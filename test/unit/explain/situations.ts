// Every situation that mail can be in, explained: each state, bounce class, failure, suppression
// and hold.
import { BOUNCE_CLASSIFICATIONS } from "../../../src/rpc/event-types.ts";
import {
  WAIT_REASONS,
  RECIPIENT_STATES,
  SUPPRESSION_REASONS,
} from "../../../src/rpc/recipient-states.ts";
import {
  type ExplainedSuppression,
  explainNothing,
  explainRecipient,
  explainSuppression,
  type RecipientFacts,
} from "../../../src/explain/explain.ts";
import { type Explanation, NO_REPLY_CAUSES } from "../../../src/explain/explanation.ts";

export const NOW = Date.parse("2026-11-22T14:03:13.204Z");
export const HOUR = 3_600_000;
export const EVIDENCE = {
  reply: "550 5.1.1 User unknown",
  stage: "rcpt",
  mx_host: "mx1.contoso.net",
  at: new Date(NOW).toISOString(),
  email_id: "email_01a2041e-811d-70f1-82a9-c3a33ebac526",
};
export const BOUNCED: ExplainedSuppression = {
  email: "jo@contoso.net",
  topic: "*",
  reason: "permanent_bounce",
  classification: "InvalidRecipient",
  expiresAt: Date.parse("2027-02-20T14:03:13.204Z"),
};
const FACTS: RecipientFacts = {
  address: "jo@contoso.net",
  state: "bounced",
  emailId: EVIDENCE.email_id,
  mitigation: null,
  fromDomain: "shop.example",
  scheduledAt: null,
  deadline: NOW + 72 * HOUR,
  nextAttemptAt: null,
  waitReason: null,
  hold: null,
  ratePerMinute: 1_200,
  isUnreported: false,
  refusal: "InvalidRecipient",
  bounce: "refused",
  keptBackBy: null,
  suppressions: [],
  evidence: EVIDENCE,
};

export const explain = (facts: Partial<RecipientFacts>) => explainRecipient({ ...FACTS, ...facts });

const REFUSALS = [...BOUNCE_CLASSIFICATIONS, ...NO_REPLY_CAUSES];
const BOUNCES = ["refused", "expired", "returned"] as const;
const SUPPRESSED = SUPPRESSION_REASONS.flatMap((reason) =>
  ["*", "news"].map((topic): ExplainedSuppression => ({
    ...BOUNCED,
    reason,
    topic,
    ...(reason !== "permanent_bounce" && { expiresAt: null, classification: null }),
  })),
);

/** Every situation that mail can be in: its name, and the explanation that the API gives. */
export const SITUATIONS: readonly (readonly [name: string, explanation: Explanation])[] = [
  ...RECIPIENT_STATES.map((state) => [state, explain({ state, scheduledAt: NOW })] as const),
  ...WAIT_REASONS.map(
    (hold) =>
      [
        `queued, ${hold}`,
        explain({ state: "queued", waitReason: hold, nextAttemptAt: NOW }),
      ] as const,
  ),
  ...WAIT_REASONS.map(
    (hold) =>
      [
        `delayed, ${hold}`,
        explain({ state: "delayed", refusal: "QuotaIssues", waitReason: hold, nextAttemptAt: NOW }),
      ] as const,
  ),
  ...REFUSALS.flatMap((refusal) => [
    [`delayed, ${refusal}`, explain({ state: "delayed", refusal })] as const,
    ...BOUNCES.map(
      (bounce) => [`bounced, ${bounce}, ${refusal}`, explain({ refusal, bounce })] as const,
    ),
  ]),
  ...SUPPRESSED.flatMap((one) => [
    [`address, ${one.reason}, ${one.topic}`, explainSuppression(one, EVIDENCE)] as const,
    [
      `suppressed, ${one.reason}, ${one.topic}`,
      explain({ state: "suppressed", keptBackBy: one, suppressions: [one] }),
    ] as const,
    [`suppressed then, ${one.reason}`, explain({ state: "suppressed", keptBackBy: one })] as const,
  ]),
  ["delivered, unreported", explain({ state: "delivered", isUnreported: true })],
  ["unknown", explainNothing("jo@contoso.net", 30)],
];
