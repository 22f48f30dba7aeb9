// Tests the record of a copy that a courier's provider took
// (src/mail/deliver/provider-record.ts).
import { describe, expect, it } from "vitest";
import { EXPIRY_AFTER_MS, HOUR_MS } from "../../../../src/limits.ts";
import { recordNoVerdict, recordTaken } from "../../../../src/mail/deliver/provider-record.ts";
import type { ClaimedDelivery } from "../../../../src/mail/deliver/claimed-delivery.ts";

const MINUTE_MS = HOUR_MS / 60;
const ACCEPTED_AT = Date.UTC(2026, 5, 1);
const DEADLINE = ACCEPTED_AT + EXPIRY_AFTER_MS;
const NOW = ACCEPTED_AT + 1_000;
const TIMES = { handedAt: NOW - 200, nextAttemptAt: NOW + MINUTE_MS, now: NOW };
const COPY = { sender: "a@example.com", recipient: "b@example.net", at: TIMES.handedAt };

const UNCLEAR = "provider: unclear_answer_of_provider";
const LOST = { providerId: null };

const deliveryOf = (attempt: number) =>
  ({
    message: { acceptedAt: ACCEPTED_AT, from: { name: null, email: "a@example.com" } },
    recipient: "b@example.net",
    grant: { emailId: "email_1", recipientIndex: 0, attempt },
  }) as unknown as ClaimedDelivery;

describe("a copy that the provider took", () => {
  it("is sent, and its verdict is awaited until the 72 hours are over", () => {
    const sent = {
      type: "email.sent",
      occurredAt: TIMES.handedAt,
      recipient: "b@example.net",
      attempt: 1,
      smtpCode: null,
      exchange: { response: "queued as m1" },
    };
    expect(recordTaken(deliveryOf(1), { providerId: "m1" }, TIMES, 1)).toMatchObject({
      record: { events: [sent], suppress: null },
      nextAttemptAt: null,
      awaits: { until: DEADLINE, lastReply: null },
      copyTaken: { ...COPY, providerId: "m1" },
    });
  });

  it("makes no event after the first attempt", () => {
    const { record, awaits } = recordTaken(deliveryOf(2), { providerId: "m1" }, TIMES, 1);
    expect(record.events).toEqual([]);
    expect(awaits?.until).toBe(DEADLINE);
  });

  it("has at least 15 minutes to get its verdict, which a speedup divides like the 72 hours", () => {
    const late = { ...TIMES, now: DEADLINE - MINUTE_MS };
    const untilOf = (times: typeof TIMES, speedup: number) =>
      recordTaken(deliveryOf(9), { providerId: "m1" }, times, speedup).awaits?.until;
    expect(untilOf(late, 1)).toBe(DEADLINE + 14 * MINUTE_MS);
    expect(untilOf({ ...TIMES, now: ACCEPTED_AT }, 72)).toBe(ACCEPTED_AT + HOUR_MS);
  });

  it("is delayed for ten minutes at least if the provider did not answer", () => {
    const taken = recordTaken(deliveryOf(1), LOST, TIMES, 1);
    expect(taken).toMatchObject({
      record: { events: [{ type: "email.sent" }, { type: "email.delayed", smtpCode: 451 }] },
      nextAttemptAt: NOW + 10 * MINUTE_MS,
      copyTaken: { ...COPY, providerId: null },
    });
    expect(taken.awaits).toBeUndefined();
    const later = { ...TIMES, nextAttemptAt: NOW + HOUR_MS };
    expect(recordTaken(deliveryOf(5), LOST, later, 1).nextAttemptAt).toBe(NOW + HOUR_MS);
    expect(recordTaken(deliveryOf(1), LOST, TIMES, 10).nextAttemptAt).toBe(NOW + MINUTE_MS);
  });

  it("shows the provider's words if it answered with an unknown error", () => {
    const words = { ...LOST, words: "internal error; reference = #" };
    const told = (nextAttemptAt: number | null) =>
      recordTaken(deliveryOf(1), words, { ...TIMES, nextAttemptAt }, 1).record.events.at(-1);
    const exchange = { response: `451 4.3.0 ${words.words}`, rule: UNCLEAR };
    expect(told(NOW + HOUR_MS)).toMatchObject({ type: "email.delayed", exchange });
    const bounce = { type: "expired", classification: null, smtpResponse: exchange.response };
    expect(told(null)).toMatchObject({ type: "email.bounced", exchange, bounce });
  });

  it("expires if the provider gave no answer and the 72 hours are over", () => {
    const last = { ...TIMES, nextAttemptAt: null };
    expect(recordTaken(deliveryOf(9), LOST, last, 1)).toMatchObject({
      record: { events: [{ type: "email.bounced", bounce: { type: "expired" } }], suppress: null },
      nextAttemptAt: null,
    });
  });
});

describe("a copy without an event from the provider", () => {
  type Unheard = Parameters<typeof recordNoVerdict>[1];
  const record = (unheard: Unheard) => recordNoVerdict(deliveryOf(2), unheard, DEADLINE);

  it("is expired with the last reply, and suppresses no address", () => {
    const lastReply = { code: 450, enhanced: "4.2.1", text: "The user does not exist yet" };
    const bounce = { type: "expired", smtpResponse: "450 4.2.1 The user does not exist yet" };
    const event = { type: "email.bounced", attempt: 2, smtpCode: 450, bounce };
    expect(record({ lastReply })).toMatchObject({ events: [event], suppress: null });
  });

  it("is expired with the service's own text if no reply came", () => {
    const event = { type: "email.bounced", smtpCode: 451, bounce: { type: "expired" } };
    expect(record({ lastReply: null })).toMatchObject({ events: [event], suppress: null });
  });

  it("is delivered without a code, after ten minutes, if the provider never reports on the recipient", () => {
    const taken = { providerId: "m1", isSilent: true } as const;
    const until = NOW + 10 * MINUTE_MS;
    expect(recordTaken(deliveryOf(2), taken, TIMES, 1).awaits).toEqual({
      until,
      lastReply: null,
      isSilent: true,
    });
    const event = { type: "email.delivered", attempt: 2, smtpCode: null, bounce: null };
    expect(record({ lastReply: null, isSilent: true })).toMatchObject({ events: [event] });
  });
});
