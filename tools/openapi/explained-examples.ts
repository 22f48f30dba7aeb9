// Examples that the service's own code explains: a delivery, and suppressions of an address.
import { explainRecipient, explainSuppression } from "../../src/explain/explain.ts";
import { AT, EMAIL_ID, UUID } from "./example-values.ts";

const EVIDENCE = { mx_host: "mx.example.net", at: AT, email_id: EMAIL_ID };

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
  evidence: { ...EVIDENCE, reply: "250 2.0.0 OK 1763717400 queued as 4f9Kq2Zr8", stage: "end" },
});

const manual = {
  id: `sup_${UUID}`,
  email: "someone@example.net",
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

/** A suppression after a bounce. */
export const BOUNCED = {
  ...bounced,
  explanation: explainSuppression(
    { ...bounced, expiresAt: Date.parse(expiresAt) },
    { ...EVIDENCE, reply: "550 5.1.1 User unknown", stage: "rcpt" },
  ),
};
