// Examples of what is known about mail to an address. The service's own code makes the
// explanations.
import { explainRecipient, explainSuppression } from "../../src/explain/explain.ts";
import { AT, EMAIL_ID, UUID, type Example } from "./example-values.ts";

const ADDRESS = "someone@example.net";

/** The explanation of a message that was delivered. */
export const DELIVERED = explainRecipient({
  address: "ada@example.net",
  state: "delivered",
  emailId: EMAIL_ID,
  fromDomain: "example.com",
  mitigation: null,
  scheduledAt: null,
  deadline: Date.parse(AT),
  nextAttemptAt: null,
  waitReason: null,
  hold: null,
  isUnreported: false,
  ratePerMinute: 600,
  refusal: "Uncategorized",
  bounce: "refused",
  keptBackBy: null,
  suppressions: [],
  evidence: {
    reply: "250 2.0.0 OK 1763717400 queued as 4f9Kq2Zr8",
    stage: "end",
    mx_host: "mx.example.net",
    at: AT,
    email_id: EMAIL_ID,
  },
});

const manual = {
  id: `sup_${UUID}`,
  email: ADDRESS,
  topic: "newsletter",
  reason: "manual" as const,
  origin: "manual",
  classification: null,
  smtp_code: null,
  note: "Asked by phone",
  suppressed_at: AT,
  expires_at: null,
  created_at: AT,
};

/** A suppression that a person entered. */
export const SUPPRESSION = {
  ...manual,
  explanation: explainSuppression({ ...manual, expiresAt: null }, null),
};

const expiresAt = "2027-02-19T09:30:00.000Z";
const bounced = {
  ...manual,
  topic: "*",
  reason: "permanent_bounce" as const,
  origin: "auto",
  classification: "InvalidRecipient",
  smtp_code: 550,
  note: null,
  expires_at: expiresAt,
};
const suppressed = explainSuppression(
  { ...bounced, expiresAt: Date.parse(expiresAt) },
  {
    reply: "550 5.1.1 User unknown",
    stage: "rcpt",
    mx_host: "mx.example.net",
    at: AT,
    email_id: EMAIL_ID,
  },
);

export const RECIPIENT_EXAMPLES: Readonly<Record<string, Example>> = {
  listRecipients: {
    response: { data: [{ address: ADDRESS, is_suppressed: true }], has_more: false },
  },
  getRecipient: {
    response: {
      address: ADDRESS,
      provider: "other",
      explanation: suppressed,
      suppressions: [{ ...bounced, explanation: suppressed }],
      messages: [],
      counts: {
        since: "2026-10-22T09:30:00.000Z",
        is_complete: true,
        messages: 1,
        sent: 0,
        delivered: 0,
        delayed: 0,
        bounced: 1,
        complained: 0,
        suppressed: 0,
        unsubscribed: 0,
        opened: 0,
        clicked: 0,
      },
    },
  },
};
