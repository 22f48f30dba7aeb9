// Tests src/resources/webhooks/resend-event.ts and single-events.ts: the form of an event for a
// webhook of the format `resend` (contract.md §Formats), and how a batch becomes single events.
import { describe, expect, it } from "vitest";
import type { EventRecord } from "../../../../src/rpc/event-records.ts";
import { EVENT_TYPES, type EventType } from "../../../../src/rpc/event-types.ts";
import { newEmailId, newId } from "../../../../src/lib/ids.ts";
import {
  webhookBatchesOf,
  eventTexts,
} from "../../../../src/resources/webhooks/webhook-batches.ts";
import { toWebhookEvent } from "../../../../src/resources/webhooks/event.ts";
import { ResendPayload } from "../../../../src/resources/webhooks/payloads.ts";
import { toResendEvent } from "../../../../src/resources/webhooks/resend-event.ts";
import {
  requestContent,
  splitIntoEvents,
} from "../../../../src/resources/webhooks/single-events.ts";
import { anEvent, NOON } from "../events/sample-events.ts";

const MINUTE = 60_000;
const team = newId("team");
const emailId = newEmailId(NOON - MINUTE);
const templateId = newId("template");

/** The members that `data` has in every event of this message. */
const MESSAGE = {
  created_at: new Date(NOON - MINUTE).toISOString(),
  email_id: emailId.slice("email_".length),
  message_id: "<1@mail.example.com>",
  from: "The Shop <shop@mail.example.com>",
  to: ["ada@example.org"],
  subject: "Grüße",
  template_id: templateId.slice("template_".length),
  tags: { order_id: "1042" },
};

function record(type: EventType, own: Partial<EventRecord> = {}): EventRecord {
  return anEvent(team, {
    type,
    occurredAt: NOON,
    emailId,
    from: "shop@mail.example.com",
    fromName: "The Shop",
    messageId: MESSAGE.message_id,
    recipient: "ada@example.org",
    subject: MESSAGE.subject,
    templateId,
    metadata: MESSAGE.tags,
    topic: "receipts",
    tags: ["a"],
    campaign: "Spring",
    headers: { x_order: "1" },
    ...own,
  });
}

const shown = (given: EventRecord) => toResendEvent(toWebhookEvent(given));

function bounced(
  type: "permanent" | "transient" | "expired",
  classification: string | null,
  smtpResponse: string | null = "550 5.1.1 No such user",
): EventRecord {
  const bounce = { type, classification, smtpCode: 550, smtpResponse };
  return record("email.bounced", { attempt: 1, smtpCode: 550, bounce });
}

const suppression = { reason: "manual", topic: "*", classification: null };
const complaint = { feedbackType: "abuse", userAgent: null, reportedAt: NOON };
const link = "https://example.com/a?b";

describe("an event in the shape of Resend", () => {
  it.each<[EventType, string, Partial<EventRecord>, object]>([
    ["email.sent", "email.sent", { attempt: 1 }, {}],
    ["email.delivered", "email.delivered", { attempt: 2, smtpCode: 250 }, {}],
    ["email.delayed", "email.delivery_delayed", { attempt: 1, smtpCode: 452 }, {}],
    ["email.complained", "email.complained", { complaint }, {}],
    [
      "email.suppressed",
      "email.suppressed",
      { suppression },
      { suppressed: { message: expect.stringMatching(/./), type: "OnAccountSuppressionList" } },
    ],
    ["email.opened", "email.opened", { tracking: { user_agent: "Mozilla/5.0" } }, {}],
    [
      "email.clicked",
      "email.clicked",
      { tracking: { url: link, user_agent: "Mozilla/5.0" } },
      { click: { link, timestamp: new Date(NOON).toISOString(), userAgent: "Mozilla/5.0" } },
    ],
    [
      "email.clicked",
      "email.clicked",
      { tracking: { url: link } },
      { click: { link, timestamp: new Date(NOON).toISOString(), userAgent: "" } },
    ],
    [
      "email.unsubscribed",
      "email.unsubscribed",
      {},
      {
        recipient: "ada@example.org",
        topic: "receipts",
        campaign: "Spring",
        headers: { x_order: "1" },
      },
    ],
  ])(
    "of type %s becomes %s, with the message's members and its own",
    (type, name, own, members) => {
      const event = shown(record(type, own));
      expect(event).toEqual({
        type: name,
        created_at: new Date(NOON).toISOString(),
        data: { ...MESSAGE, ...members },
      });
      expect(ResendPayload.parse(event)).toEqual(event);
    },
  );

  it.each([
    ["permanent", "InvalidRecipient", "Permanent", "General"],
    ["permanent", "Uncategorized", "Permanent", "General"],
    ["permanent", null, "Permanent", "General"],
    ["transient", null, "Transient", "General"],
    ["expired", "NoAnswerFromHost", "Transient", "General"],
    ["permanent", "QuotaIssues", "Transient", "MailboxFull"],
    ["permanent", "SpamContent", "Transient", "ContentRejected"],
    ["permanent", "ProhibitedAttachment", "Transient", "AttachmentRejected"],
    ["permanent", "SpamBlock", "Transient", "General"],
    ["permanent", "PolicyRelated", "Transient", "General"],
    ["permanent", "AuthenticationFailed", "Transient", "General"],
  ] as const)("calls a bounce that is %s by %s %s and %s", (type, cause, name, subType) => {
    const event = shown(bounced(type, cause));
    const bounce = {
      message: toWebhookEvent(bounced(type, cause)).data.explanation?.summary,
      type: name,
      subType,
      diagnosticCode: ["550 5.1.1 No such user"],
    };
    expect(event).toMatchObject({ type: "email.bounced", data: { ...MESSAGE, bounce } });
    expect(ResendPayload.parse(event)).toEqual(event);
  });

  it("has no members for what its message or its server did not give", () => {
    const bare = { templateId: null, topic: null, campaign: null, headers: {} };
    const without = { ...record("email.sent", bare), metadata: undefined };
    const names = Object.keys(shown(without as unknown as EventRecord).data);
    expect(names.join(" ")).toBe("created_at email_id message_id from to subject");
    expect(shown(bounced("expired", null, null)).data).not.toHaveProperty("bounce.diagnosticCode");
  });
});

describe("a batch", () => {
  const events = EVENT_TYPES.slice(0, 3).map((type, index) =>
    record(type, { id: `evt_${index}`, occurredAt: NOON + index, attempt: 1 }),
  );
  const [batch] = webhookBatchesOf("wh_1", eventTexts(events), NOON);
  if (!batch) throw new Error("no batch");

  it("is split into batches of one event, whose ids come from the events and are always the same", () => {
    const parts = splitIntoEvents(batch);
    expect(parts).toEqual(splitIntoEvents(batch));
    expect(
      parts.map(({ id, eventCount }) => [id.replace(/_[0-9a-f]{16}$/, ""), eventCount]),
    ).toEqual(events.map(({ id }) => [id, 1]));
    for (const [index, { id, body }] of parts.entries())
      expect(JSON.parse(body)).toEqual({
        batch_id: id,
        timestamp: Math.floor(NOON / 1_000),
        events: [toWebhookEvent(events[index]!)],
      });
  });

  it("has parts with other ids when a replay sends its events again", () => {
    const [again] = webhookBatchesOf("wh_1", eventTexts(events), NOON, "rpl_1");
    const ids = new Set([batch, again!].flatMap(splitIntoEvents).map(({ id }) => id));
    expect(ids.size).toBe(6);
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(64);
  });

  it("is sent unchanged in the format batch, and in any format if it has several events", () => {
    const [part] = splitIntoEvents(batch);
    expect(requestContent("batch", batch)).toEqual({ body: batch.body, eventId: undefined });
    expect(requestContent("resend", batch)).toEqual({ body: batch.body, eventId: undefined });
    expect(requestContent("batch", part!)).toEqual({ body: part!.body, eventId: undefined });
    expect(requestContent("resend", part!)).toEqual({
      body: JSON.stringify(shown(events[0]!)),
      eventId: events[0]!.id,
    });
  });
});
