// The events of Cloudflare's Email Service, one of each kind, as its documentation shows them
// (https://developers.cloudflare.com/queues/event-subscriptions/events-schemas/).
import { emailServiceEvent, quoting } from "../../../../support/email-service-events.ts";

export const EVENT_AT = Date.UTC(2026, 5, 1, 2, 48, 57, 132);
export const PROVIDER_ID = "0101018f7d0c4d9a-msg-abc";

const FACTS = {
  eventId: "0190d0c4-7e8c-7d3a-9b1e-2f5a6c8d9e01",
  messageId: PROVIDER_ID,
  sender: "noreply@example.com",
  recipient: "user@example.net",
  at: EVENT_AT,
};

/** Makes an event in which `payload` adds members, or replaces members that each event has. */
export const documentedEvent = (kind: string, payload: Readonly<Record<string, unknown>>) =>
  emailServiceEvent(kind, FACTS, {}, payload);

const UNKNOWN = "550 5.1.1 The email account that you tried to reach does not exist";
const FULL = "451 4.2.0 Temporary mailbox error";

export const DELIVERED = documentedEvent("delivered", {
  delivery: quoting("250 2.0.0 OK 1714820445 a1b2c3 - gsmtp"),
});
export const DEFERRED = documentedEvent("deferred", {
  delivery: quoting(FULL),
  bounce: { type: "soft", classification: "temporary_failure", reason: FULL },
});
export const BOUNCED = documentedEvent("bounced", {
  delivery: quoting(UNKNOWN),
  bounce: { type: "hard", classification: "permanent_failure", reason: UNKNOWN },
});
export const FAILED = documentedEvent("failed", { failure: { reason: "delivery_failed" } });
export const REJECTED = documentedEvent("rejected", {
  rejection: { reason: "suppressed", party: "recipient", detail: "Recipient is suppressed" },
});
export const COMPLAINED = documentedEvent("complained", { complaint: { type: "abuse" } });
