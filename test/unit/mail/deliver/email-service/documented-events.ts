// The events of Cloudflare's Email Service, one of each kind, as its documentation shows them
// (https://developers.cloudflare.com/queues/event-subscriptions/events-schemas/).

type Json = Readonly<Record<string, unknown>>;

const metadata = {
  accountId: "f9f79265f388666de8122cfb508d7776",
  eventSubscriptionId: "1830c4bb612e43c3af7f4cada31fbf3f",
  eventSchemaVersion: 1,
  eventTimestamp: "2026-06-01T02:48:57.132Z",
};
export const EVENT_AT = Date.UTC(2026, 5, 1, 2, 48, 57, 132);
export const PROVIDER_ID = "0101018f7d0c4d9a-msg-abc";

export function documentedEvent(kind: string, terminal: boolean, payload: Json): Json {
  return {
    type: `cf.email.sending.message.${kind}`,
    source: {
      type: "email.sending",
      zoneId: "023e105f4ecef8ad9ca31a8372d0c353",
      domain: "example.com",
    },
    payload: {
      eventId: "0190d0c4-7e8c-7d3a-9b1e-2f5a6c8d9e01",
      messageId: PROVIDER_ID,
      sender: "noreply@example.com",
      recipient: "user@example.net",
      ...payload,
      terminal,
    },
    metadata,
  };
}

export const DELIVERED = documentedEvent("delivered", true, {
  subject: "Welcome",
  delivery: {
    status: "delivered",
    provider: "gmail",
    deliveryTimeMs: 1234,
    smtpStatusCode: "250",
    smtpEnhancedStatusCode: "2.0.0",
    smtpResponse: "250 2.0.0 OK 1714820445 a1b2c3 - gsmtp",
  },
});

export const DEFERRED = documentedEvent("deferred", false, {
  subject: "Welcome",
  delivery: {
    status: "deferred",
    provider: "external_smtp",
    smtpStatusCode: "451",
    smtpEnhancedStatusCode: "4.2.0",
    smtpResponse: "451 4.2.0 Temporary mailbox error",
  },
  bounce: {
    type: "soft",
    classification: "temporary_failure",
    reason: "451 4.2.0 Temporary mailbox error",
  },
});

export const BOUNCED = documentedEvent("bounced", true, {
  subject: "Welcome",
  delivery: {
    status: "bounced",
    provider: "gmail",
    smtpStatusCode: "550",
    smtpEnhancedStatusCode: "5.1.1",
    smtpResponse: "550 5.1.1 The email account that you tried to reach does not exist",
  },
  bounce: {
    type: "hard",
    classification: "permanent_failure",
    reason: "550 5.1.1 The email account that you tried to reach does not exist",
  },
});

export const FAILED = documentedEvent("failed", true, {
  subject: "Welcome",
  delivery: { status: "failed" },
  failure: { reason: "delivery_failed" },
});

export const REJECTED = documentedEvent("rejected", true, {
  subject: "Welcome",
  delivery: { status: "rejected" },
  rejection: { reason: "suppressed", party: "recipient", detail: "Recipient is suppressed" },
});

export const COMPLAINED = documentedEvent("complained", true, {
  delivery: { status: "complained" },
  complaint: { type: "abuse" },
});
