// What src/resources/events/rows.ts guarantees.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import type { EventRecord, HistoryEvent } from "../../../../src/resources/events/records.ts";
import {
  cellsOf,
  moved,
  packEvent,
  packMessage,
  placeOfMessage,
  unpackEvent,
  unpackMessage,
  unpackWholeEvent,
  type WholeEventRow,
} from "../../../../src/resources/events/rows.ts";
import { BOUNCE_CLASSIFICATIONS, PulledEvent } from "../../../../src/resources/events/wire.ts";
import { aMessage, anEvent, atPlace, NOON } from "./sample.ts";

const team = newId("team");

/** An event's row as it comes out of the database. */
function rowOf(event: EventRecord): WholeEventRow {
  const [key, tail, , email, type, recipient, sender, sender_domain, subject, message_id, topic, campaign, template, ...rest] = cellsOf(
    packEvent(event),
  );
  const [tags, ip_pool, smtp_code, bounce_type, bounce_classification, attempt, tracking, mx_host, tls, response, detail] = rest;
  const row = { key, tail, email, type, recipient, sender, sender_domain, subject, message_id, topic, campaign, template: template ?? "" };
  const outcome = { tags, ip_pool, smtp_code, bounce_type, bounce_classification, attempt, tracking };
  return { ...row, ...outcome, mx_host, tls, response, detail } as WholeEventRow;
}

/** An event through its row, without a database. */
function pulled(event: EventRecord): PulledEvent {
  return unpackEvent(packEvent(event).day, rowOf(event));
}

function whole(event: EventRecord): HistoryEvent {
  return unpackWholeEvent(event.teamId, pulled(event), rowOf(event));
}

describe("an event's row", () => {
  it("gives back every member of the pulled event, in the order of the contract", () => {
    const templateId = newId("template");
    const event = anEvent(team, {
      type: "email.bounced",
      occurredAt: NOON + 7,
      recipient: "Ada.Lovelace@example.org",
      topic: "receipts",
      campaign: "Spring",
      templateId,
      tags: ["a", "b"],
      ipPool: "fast",
      smtpCode: 550,
      attempt: 2,
      bounce: { type: "permanent", classification: "InvalidRecipient", smtpCode: 550, smtpResponse: "no such user" },
    });
    expect(Object.entries(pulled(event))).toEqual([
      ["id", event.id],
      ["type", "email.bounced"],
      ["occurred_at", "2026-10-20T12:00:00.007Z"],
      ["email_id", event.emailId],
      ["message_id", event.messageId],
      ["from", "hello@mail.example.com"],
      ["from_domain", "mail.example.com"],
      ["recipient", "Ada.Lovelace@example.org"],
      ["subject", "Your receipt"],
      ["campaign", "Spring"],
      ["template_id", templateId],
      ["topic", "receipts"],
      ["tags", ["a", "b"]],
      ["ip_pool", "fast"],
      ["smtp_code", 550],
      ["bounce_type", "permanent"],
      ["bounce_classification", "InvalidRecipient"],
      ["attempt", 2],
      ["tracking", null],
    ]);
    expect(Object.keys(pulled(event))).toEqual(Object.keys(PulledEvent.shape));
  });

  it("is null where a member does not apply, and tags are an array all the same", () => {
    const { campaign, template_id, topic, tags, ip_pool, smtp_code, bounce_type, bounce_classification, attempt, tracking } = pulled(
      anEvent(team),
    );
    expect([campaign, template_id, topic, ip_pool, smtp_code, bounce_type, bounce_classification, attempt, tracking]).toEqual(
      Array(9).fill(null),
    );
    expect(tags).toEqual([]);
  });

  it.each([...BOUNCE_CLASSIFICATIONS, "SomethingNew", "7", null])("keeps the classification %s", (classification) => {
    const bounce = { type: "transient", classification, smtpCode: null, smtpResponse: null } as const;
    expect(pulled(anEvent(team, { type: "email.bounced", bounce })).bounce_classification).toBe(classification);
  });

  it("shows a bounce on email.bounced only", () => {
    const bounce = { type: "transient", classification: "QuotaIssues", smtpCode: 452, smtpResponse: null } as const;
    const event = pulled(anEvent(team, { type: "email.delayed", smtpCode: 452, bounce }));
    expect([event.smtp_code, event.bounce_type, event.bounce_classification]).toEqual([452, null, null]);
  });

  it("shows tracking for clicks and for opens by a proxy, and null for a human's open", () => {
    const bot = { source: "apple", kind: "proxy" } as const;
    const click = { url: "https://example.com/?a=1&b=é", user_agent: "Mozilla/5.0" };
    expect(pulled(anEvent(team, { type: "email.clicked", tracking: click })).tracking).toEqual(click);
    expect(pulled(anEvent(team, { type: "email.opened", tracking: { user_agent: "x", bot } })).tracking).toEqual({ user_agent: "x", bot });
    expect(pulled(anEvent(team, { type: "email.opened", tracking: { user_agent: "x" } })).tracking).toBeNull();
    expect(pulled(anEvent(team, { type: "email.delivered", tracking: click })).tracking).toBeNull();
  });

  it("keeps a sending domain that is not the sender's own", () => {
    const event = pulled(anEvent(team, { from: "hello@news.example.com", fromDomain: "example.com" }));
    expect([event.from, event.from_domain]).toEqual(["hello@news.example.com", "example.com"]);
  });

  it("keeps any Message-ID, and spends little on one that is made of the row's other columns", () => {
    const { emailId } = anEvent(team);
    const uuid = emailId.slice("email_".length);
    const derived = [`<${uuid}@mail.example.com>`, `<${emailId}@mail.example.com>`, `<${uuid.replaceAll("-", "")}@mail.example.com>`];
    for (const messageId of derived) {
      const event = anEvent(team, { emailId, messageId });
      expect(pulled(event).message_id).toBe(messageId);
      expect(String(packEvent(event).cells[7]).length).toBeLessThan(12);
    }
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("<", ">", "@", "=", "$&", "$1", "\u0001", "\u0002", "\u0003", uuid, "mail.example.com", "a") }),
        (messageId) => {
          expect(pulled(anEvent(team, { emailId, messageId })).message_id).toBe(messageId);
        },
      ),
    );
  });

  it("keeps the first and the last millisecond of a day in that day", () => {
    for (const occurredAt of [Date.UTC(2026, 9, 20), Date.UTC(2026, 9, 21) - 1]) {
      const event = atPlace(anEvent(team, { occurredAt }), "ffffffff", "1");
      expect(packEvent(event).day).toBe("20261020");
      expect(pulled(event)).toMatchObject({ id: event.id, occurred_at: new Date(occurredAt).toISOString() });
      expect(Number.isSafeInteger(packEvent(event).key)).toBe(true);
    }
  });

  it("moves to the next place of its own millisecond, and from the last to the first", () => {
    const last = packEvent(atPlace(anEvent(team), "ffffffff", "1"));
    const first = packEvent(atPlace(anEvent(team), "00000000", "1"));
    expect(moved(last).key).toBe(first.key);
    expect(moved(first).key).toBe(first.key + 1);
  });

  it("refuses ids that are not the service's, and an id of another time", () => {
    expect(() => packEvent(anEvent(team, { id: "evt_1" }))).toThrow("not the id of this event");
    expect(() => packEvent({ ...anEvent(team), occurredAt: NOON + 1 })).toThrow("not the id of this event");
    expect(() => packEvent(anEvent("team_1"))).toThrow("not an id of the service");
    expect(() => packEvent(anEvent(team, { templateId: "template_1" }))).toThrow("not an id of the service");
  });
});

describe("a whole event", () => {
  const refused = { type: "permanent", classification: "InvalidRecipient", smtpCode: 550, smtpResponse: "550 5.1.1 no such user" } as const;
  const asked = {
    stage: "rcpt",
    response: "550 5.1.1 no such user",
    mxHost: "mx.example.org",
    tls: "TLSv1.2",
    rule: "wording: no such user",
  };
  const taken = { stage: "end", response: "250 2.0.0 OK 42", mxHost: "mx.example.org", tls: "TLSv1.3", rule: null };
  const unanswered = { stage: null, response: "Could not connect to the receiving server.", mxHost: null, tls: null, rule: null };
  const labelled = { topic: "receipts", campaign: "Spring", templateId: newId("template"), tags: ["a", "b"], ipPool: "fast" };

  it.each<[string, Partial<EventRecord>]>([
    ["a sending", { type: "email.sent", attempt: 1 }],
    ["a delivery", { type: "email.delivered", attempt: 1, smtpCode: 250, exchange: taken, ...labelled }],
    ["a delivery by an unheard-of TLS", { type: "email.delivered", attempt: 1, smtpCode: 250, exchange: { ...taken, tls: "QUIC" } }],
    ["a delivery in the clear", { type: "email.delivered", attempt: 3, smtpCode: 250, exchange: { ...taken, tls: null } }],
    ["a delay", { type: "email.delayed", attempt: 2, smtpCode: 451, exchange: { ...asked, response: "451 4.7.1 later", rule: null } }],
    ["a delay without an answer", { type: "email.delayed", attempt: 2, smtpCode: 451, exchange: unanswered }],
    ["a refusal", { type: "email.bounced", attempt: 1, smtpCode: 550, bounce: refused, exchange: asked, ...labelled }],
    ["a late bounce", { type: "email.bounced", smtpCode: 550, bounce: refused }],
    [
      "a bounce that says nothing",
      { type: "email.bounced", bounce: { type: "transient", classification: "AutoReply", smtpCode: null, smtpResponse: null } },
    ],
    ["a complaint", { type: "email.complained", complaint: { feedbackType: "abuse", userAgent: "x/1", reportedAt: NOON - 5 } }],
    ["a complaint that says little", { type: "email.complained", complaint: { feedbackType: "abuse", userAgent: null, reportedAt: null } }],
    ["a suppression", { type: "email.suppressed", suppression: { reason: "permanent_bounce", topic: "*", classification: "BadDomain" } }],
    ["an unsubscription", { type: "email.unsubscribed", topic: "news" }],
    ["a human's open", { type: "email.opened", tracking: { user_agent: "Mozilla/5.0" } }],
    ["a click", { type: "email.clicked", tracking: { url: "https://example.com/", user_agent: "Mozilla/5.0" } }],
  ])("of %s is what was recorded", (_, given) => {
    const event = anEvent(team, given);
    const { headers, ...rest } = event;
    expect(headers).toEqual({});
    expect(whole(event)).toEqual({ ...rest, exchange: event.exchange ?? null });
  });

  it("keeps a refusal whole, and of a receipt the beginning", () => {
    const long = `550 5.7.1 ${"é".repeat(500)}`;
    const bounce = { ...refused, smtpResponse: long };
    expect(whole(anEvent(team, { type: "email.bounced", smtpCode: 550, attempt: 1, bounce })).bounce?.smtpResponse).toBe(long);
    const receipt = `250 2.6.0 ${"x".repeat(93)}🎉 and more`;
    const kept = whole(anEvent(team, { smtpCode: 250, attempt: 1, exchange: { ...taken, response: receipt } })).exchange?.response ?? "";
    expect(receipt.startsWith(kept.slice(0, 100))).toBe(true);
    expect(kept.length).toBeLessThanOrEqual(103);
    expect(kept.isWellFormed()).toBe(true);
  });

  it("gives back any response of a bounce but for blanks before it, whatever its code", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(" ", "5", "50", "550", "null", "x", "é") }),
        fc.constantFrom(null, 5, 550),
        (smtpResponse, smtpCode) => {
          const bounce = { type: "permanent", classification: null, smtpCode, smtpResponse } as const;
          expect(whole(anEvent(team, { type: "email.bounced", smtpCode, bounce })).bounce?.smtpResponse).toBe(smtpResponse.trimStart());
        },
      ),
    );
  });
});

describe("a message's row", () => {
  it("gives back the whole record", () => {
    const message = aMessage(team, { recipients: ["a@example.org", "é@bücher.example"], subject: "Ünïcode 🎉" });
    const { day, cells } = packMessage(message);
    expect(placeOfMessage(message.emailId)).toEqual({ day, email: cells[0] });
    expect(unpackMessage(message.emailId, cells[1], cells[2])).toEqual(message);
  });

  it("lies in the day that its id tells", () => {
    expect(placeOfMessage("email_019f0000-0000-7000-8000-000000000000")?.day).toBe("20260625");
  });

  it.each([
    "",
    "email_",
    "email_x",
    "evt_019f0000-0000-7000-8000-000000000000",
    "email_ffffffff-ffff-7fff-bfff-ffffffffffff",
    `email_${"-".repeat(36)}`,
  ])("has no place for %j", (emailId) => {
    expect(placeOfMessage(emailId)).toBeUndefined();
  });
});
