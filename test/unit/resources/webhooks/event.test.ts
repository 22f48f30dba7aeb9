// Tests src/resources/webhooks/event.ts: the event that a webhook gets (contract.md §Payloads).
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import type { EventRecord } from "../../../../src/rpc/event-records.ts";
import { toWebhookEvent } from "../../../../src/resources/webhooks/event.ts";
import { EVENT_TYPES } from "../../../../src/rpc/event-types.ts";
import { anEvent, NOON } from "../events/sample-events.ts";

const team = newId("team");
const templateId = newId("template");

const LABELS: Partial<EventRecord> = {
  topic: "receipts",
  tags: ["b", "a"],
  campaign: "Spring",
  templateId,
  ipPool: "fast",
  headers: { x_campaign_id: "17", x_order: "Ä 4" },
  metadata: { order_id: "1042" },
};

const { templateId: template_id, ipPool: ip_pool, ...SAME } = LABELS;
const SHOWN_LABELS = { ...SAME, template_id, ip_pool };

const SERVER = { mxHost: "mx.example.org", tls: "TLSv1.3", rule: null };
const EXCHANGE = { stage: "end", response: "250 2.0.0 ok", ...SERVER };

const PERMANENT = { type: "permanent", classification: "InvalidRecipient" } as const;
const REFUSED = { attempt: 1, smtpCode: 550, exchange: EXCHANGE };
const UNKNOWN = "550 5.1.1 No such user";
const LIFT = "/v1/suppressions/ada%40example.org/*";
const SPELLING = {
  kind: "correct_address",
  text: "Check the spelling of the address, or ask the recipient for a current one.",
  href: "/v1/recipients/ada%40example.org",
};

/**
 * Each event type with two sets of members: those that the event's record adds to the message's
 * facts, and those that `data` adds in a webhook.
 */
const OWN: readonly [EventRecord["type"], Partial<EventRecord>, Record<string, unknown>][] = [
  ["email.sent", { attempt: 1 }, { attempt: 1 }],
  ["email.delivered", { attempt: 2, smtpCode: 250, exchange: EXCHANGE }, { attempt: 2 }],
  [
    "email.delayed",
    { attempt: 3, smtpCode: 452, exchange: { ...EXCHANGE, response: "452 4.2.2 Mailbox full" } },
    {
      attempt: 3,
      explanation: {
        state: "delayed",
        summary:
          "The message has not been delivered to example.org yet: the mailbox is full, or the " +
          "message is too large for it.",
        cause: "QuotaIssues",
        next: "The service will keep trying, for 72 hours in all.",
        actions: [{ kind: "wait", text: "Wait: the message may still be delivered." }],
      },
    },
  ],
  [
    "email.bounced",
    { ...REFUSED, bounce: { ...PERMANENT, smtpCode: 550, smtpResponse: UNKNOWN } },
    {
      attempt: 1,
      bounce: { ...PERMANENT, smtp_code: 550, smtp_response: UNKNOWN },
      explanation: {
        state: "bounced",
        summary: "example.org refused the address: no such mailbox.",
        cause: "InvalidRecipient",
        next: "The service will not retry this message.",
        actions: [SPELLING],
      },
    },
  ],
  [
    "email.bounced",
    {
      attempt: 14,
      bounce: { type: "expired", classification: null, smtpCode: null, smtpResponse: null },
    },
    {
      attempt: 14,
      bounce: { type: "expired", classification: null, smtp_code: null, smtp_response: null },
      explanation: expect.objectContaining({ state: "bounced", cause: "Uncategorized" }),
    },
  ],
  [
    "email.complained",
    { complaint: { feedbackType: "abuse", userAgent: "Feedback/1.0", reportedAt: NOON + 5 } },
    {
      complaint: {
        feedback_type: "abuse",
        user_agent: "Feedback/1.0",
        reported_at: "2026-10-20T12:00:00.005Z",
      },
      explanation: {
        state: "complained",
        summary: "The recipient reported the message as spam.",
        cause: "complaint",
        next: "Nothing will be sent to this address until the suppression is lifted.",
        actions: [
          expect.objectContaining({ kind: "remove_from_list" }),
          expect.objectContaining({ kind: "lift_suppression", href: LIFT }),
        ],
      },
    },
  ],
  [
    "email.complained",
    { complaint: { feedbackType: "opt-out", userAgent: null, reportedAt: null } },
    {
      complaint: { feedback_type: "opt-out", user_agent: null, reported_at: null },
      explanation: expect.objectContaining({ cause: "complaint" }),
    },
  ],
  [
    "email.suppressed",
    { suppression: { reason: "permanent_bounce", topic: "*", classification: "InvalidRecipient" } },
    {
      suppression: { reason: "permanent_bounce", topic: "*", classification: "InvalidRecipient" },
      explanation: {
        state: "suppressed",
        summary:
          "Nothing was sent to ada@example.org: example.org permanently refused an earlier message " +
          "(no such mailbox).",
        cause: "permanent_bounce",
        next: "Nothing will be sent to this address until the suppression ends or is lifted.",
        actions: [expect.objectContaining({ kind: "lift_suppression", href: LIFT })],
      },
    },
  ],
  [
    "email.suppressed",
    { suppression: { reason: "unsubscribed", topic: "news", classification: null } },
    {
      suppression: { reason: "unsubscribed", topic: "news", classification: null },
      explanation: expect.objectContaining({
        cause: "unsubscribed",
        next: 'No mail on the topic "news" will be sent to this address until the suppression is lifted.',
      }),
    },
  ],
  ["email.unsubscribed", {}, {}],
  visited("email.opened", { user_agent: "Mozilla/5.0" }),
  visited("email.opened", {}),
  visited("email.opened", { user_agent: "Proxy", bot: { source: "apple", kind: "proxy" } }),
  visited("email.clicked", { url: "https://example.com/?a=1&b=2", user_agent: "Mozilla/5.0" }),
];

/** Makes a row of OWN for a visit. A webhook shows `tracking` as it was recorded. */
function visited(
  type: EventRecord["type"],
  tracking: EventRecord["tracking"],
): (typeof OWN)[number] {
  return [type, { tracking }, { tracking }];
}

const shown = (type: EventRecord["type"], given: Partial<EventRecord>) => {
  const event = anEvent(team, { type, occurredAt: NOON + 7, ...given });
  return { event, pushed: toWebhookEvent(event) };
};

const MESSAGE = {
  recipient: "ada@example.org",
  from: "The Shop <hello@mail.example.com>",
  subject: "Your receipt",
};
const idsOf = ({ emailId, messageId }: EventRecord) => ({
  email_id: emailId,
  message_id: messageId,
});

describe("a webhook's event", () => {
  it.each(OWN)(
    "of %s has its own members and the labels of its message (%#)",
    (type, given, own) => {
      const { event, pushed } = shown(type, { ...LABELS, ...given });
      expect(pushed).toStrictEqual({
        id: event.id,
        type,
        occurred_at: "2026-10-20T12:00:00.007Z",
        data: { ...MESSAGE, ...idsOf(event), ...SHOWN_LABELS, ...own },
      });
    },
  );

  it("omits labels that its message lacks, and has no null for them", () => {
    const { event, pushed } = shown("email.sent", { attempt: 1 });
    expect(pushed.data).toStrictEqual({ ...MESSAGE, ...idsOf(event), attempt: 1 });
  });

  it.each([
    [null, "hello@mail.example.com"],
    [" ", "hello@mail.example.com"],
    ["Grüße ✓ 東京", "Grüße ✓ 東京 <hello@mail.example.com>"],
    ["Acme, Inc.", '"Acme, Inc." <hello@mail.example.com>'],
    ['a"b\\c <x@y>', '"a\\"b\\\\c <x@y>" <hello@mail.example.com>'],
  ])("shows the sender's name %j as %j", (fromName, from) => {
    expect(shown("email.sent", { fromName }).pushed.data.from).toBe(from);
  });

  it("has a case in this test for every event type", () => {
    expect(new Set(OWN.map(([type]) => type))).toEqual(new Set(EVENT_TYPES));
  });
});
