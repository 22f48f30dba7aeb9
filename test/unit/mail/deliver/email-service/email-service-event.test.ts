// Tests how an event of the Email Service is read
// (src/mail/deliver/email-service/email-service-event.ts): each documented event, and any other
// message that the queue may have.
import { fc } from "../../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { readEmailServiceEvent } from "../../../../../src/mail/deliver/email-service/email-service-event.ts";
import {
  BOUNCED,
  COMPLAINED,
  DEFERRED,
  DELIVERED,
  documentedEvent,
  EVENT_AT,
  FAILED,
  PROVIDER_ID,
  REJECTED,
} from "./documented-events.ts";

const RECEIVED_AT = EVENT_AT + 2_000;

const read = (body: unknown) => readEmailServiceEvent(body, RECEIVED_AT);

/**
 * Reads a bounce event of the Email Service. `payload` is added to the members that every event
 * has.
 */
const readBounce = (payload: Readonly<Record<string, unknown>>) =>
  read(documentedEvent("bounced", payload));

describe("a documented event", () => {
  const common = {
    eventId: "0190d0c4-7e8c-7d3a-9b1e-2f5a6c8d9e01",
    providerId: PROVIDER_ID,
    sender: "noreply@example.com",
    recipient: "user@example.net",
    at: EVENT_AT,
    reason: "",
    rejectedAs: "",
    isHard: false,
    feedbackType: "abuse",
  };

  const unknown = "The email account that you tried to reach does not exist";
  const replyOf = (code: number, enhanced: string, text: string) => ({ code, enhanced, text });
  const suppressed = { reason: "Recipient is suppressed", rejectedAs: "suppressed" };

  it.each([
    [
      DELIVERED,
      { kind: "delivered", reply: replyOf(250, "2.0.0", "OK 1714820445 a1b2c3 - gsmtp") },
    ],
    [
      DEFERRED,
      {
        kind: "deferred",
        reply: replyOf(451, "4.2.0", "Temporary mailbox error"),
        reason: "451 4.2.0 Temporary mailbox error",
      },
    ],
    [
      BOUNCED,
      {
        kind: "bounced",
        reply: replyOf(550, "5.1.1", unknown),
        reason: `550 5.1.1 ${unknown}`,
        isHard: true,
      },
    ],
    [FAILED, { kind: "failed", reply: null, reason: "delivery_failed" }],
    [REJECTED, { kind: "rejected", reply: null, ...suppressed }],
    [COMPLAINED, { kind: "complained", reply: null }],
  ])("is read with all that it says: $type", (body, expected) => {
    expect(read(body)).toEqual({ ...common, ...expected });
  });
});

describe("a server's reply in an event", () => {
  it("of several lines becomes one text, without the codes of each line", () => {
    const smtpResponse =
      "550-5.1.1 The email account that you tried to reach\r\n550-5.1.1 does not exist.\r\n550 5.1.1 gsmtp";
    expect(readBounce({ delivery: { smtpStatusCode: "550", smtpResponse } })?.reply).toEqual({
      code: 550,
      enhanced: "5.1.1",
      text: "The email account that you tried to reach does not exist. gsmtp",
    });
    const bare = readBounce({ delivery: { smtpResponse: "\n452-4.2.2 Full\n452 later" } });
    expect(bare?.reply).toEqual({ code: 452, enhanced: "4.2.2", text: "Full later" });
  });

  it.each([
    ["there is no delivery", undefined],
    ["the response is empty", { smtpResponse: "" }],
    ["the response is null", { smtpResponse: null }],
  ])("is taken from the bounce's reason where %s", (_, delivery) => {
    const { reply } = readBounce({ delivery, bounce: { reason: "550 5.1.1 Unknown" } })!;
    expect(reply).toEqual({ code: 550, enhanced: "5.1.1", text: "Unknown" });
  });

  it("takes its code from the status, as text or number, rather than from the words", () => {
    for (const [delivery, code, text] of [
      [{ smtpStatusCode: "552", smtpResponse: "Too big" }, 552, "Too big"],
      [{ smtpStatusCode: 552, smtpResponse: "Too big" }, 552, "Too big"],
      [{ smtpStatusCode: "550" }, 550, ""],
    ] as const)
      expect(readBounce({ delivery })?.reply).toEqual({ code, enhanced: null, text });
  });

  it("is null if neither the status nor the words have an SMTP code", () => {
    for (const delivery of [
      undefined,
      {},
      { smtpStatusCode: "0", smtpResponse: "timeout" },
      { smtpStatusCode: 99, smtpResponse: "1234 things" },
      { smtpStatusCode: "5xx" },
      { smtpStatusCode: 550.5 },
    ])
      expect(readBounce({ delivery })?.reply).toBeNull();
  });

  it("keeps its words in UTF-8, and is cut where it is very long", () => {
    const long = `550 5.7.1 Größe ${"ä".repeat(20_000)}`;
    const { text } = readBounce({ delivery: { smtpResponse: long } })!.reply!;
    expect(text.startsWith("Größe ää")).toBe(true);
    expect(text.length).toBeLessThanOrEqual(1_024);
  });
});

describe("an event whose members are missing or of a wrong type", () => {
  it.each([
    ["delivery", { delivery: "delivered" }],
    ["bounce", { bounce: ["hard"] }],
    ["rejection", { rejection: 7 }],
    ["failure", { failure: null }],
    ["complaint", { complaint: "abuse" }],
    ["all of them", { delivery: null, bounce: 1, rejection: [], failure: "", complaint: false }],
  ])("is read without its %s", (_, payload) => {
    expect(readBounce(payload)).toMatchObject({
      kind: "bounced",
      providerId: PROVIDER_ID,
      reply: null,
      reason: "",
      isHard: false,
      feedbackType: "abuse",
    });
  });

  it("is read with the other members of a group if one member is of a wrong type", () => {
    const delivery = { smtpStatusCode: "550", smtpEnhancedStatusCode: 5, smtpResponse: "550 No" };
    expect(readBounce({ delivery, bounce: { type: "hard", reason: {} } })).toMatchObject({
      reply: { code: 550, enhanced: null, text: "No" },
      isHard: true,
      reason: "",
    });
  });

  it.each([
    ["no metadata", undefined],
    ["no timestamp", {}],
    ["a number as its timestamp", { eventTimestamp: 1_780_000_000 }],
    ["words as its timestamp", { eventTimestamp: "yesterday" }],
  ])("has the time of its arrival if it has %s", (_, other) => {
    expect(read({ ...DELIVERED, metadata: other })?.at).toBe(RECEIVED_AT);
  });

  it.each([
    ["an event id", { eventId: undefined }],
    ["text as its event id", { eventId: 7 }],
    ["an event id of a usual length", { eventId: "e".repeat(256) }],
    ["a message id", { messageId: "" }],
    ["an @ in its sender", { sender: "noreply" }],
    ["a recipient", { recipient: null }],
    ["a recipient of a usual length", { recipient: `${"r".repeat(320)}@example.net` }],
  ])("is not read without %s", (_, over) => {
    const payload = DELIVERED["payload"] as object;
    expect(read({ ...DELIVERED, payload: { ...payload, ...over } })).toBeNull();
  });

  it.each([
    "cf.email.sending.message.opened",
    "cf.email.sending.message.delivered.twice",
    "xcf.email.sending.message.delivered",
    "cf.r2.bucket.created",
    "",
    7,
  ])("is not read if its type is %j", (type) => {
    expect(read({ ...DELIVERED, type })).toBeNull();
  });

  it("never throws, whatever the body is", () => {
    const member = fc.oneof(fc.anything(), fc.constant(DELIVERED["payload"]));
    const body = fc.oneof(
      fc.anything(),
      fc.record({ type: fc.constant(DELIVERED["type"]), payload: member, metadata: fc.anything() }),
      fc.anything().map((delivery) => documentedEvent("bounced", { delivery })),
    );
    fc.assert(fc.property(body, (one) => void read(one)));
  });
});
