// Tests what an event of the Email Service means for its recipient
// (src/mail/deliver/email-service/event-verdict.ts), with classification and suppression.
import { describe, expect, it } from "vitest";
import { EXPIRY_AFTER_MS, HOUR_MS } from "../../../../../src/limits.ts";
import { readEmailServiceEvent } from "../../../../../src/mail/deliver/email-service/email-service-event.ts";
import { judgeEvent } from "../../../../../src/mail/deliver/email-service/event-verdict.ts";
import {
  BOUNCED,
  COMPLAINED,
  DEFERRED,
  DELIVERED,
  documentedEvent,
  FAILED,
} from "./documented-events.ts";

type AttemptFacts = Parameters<typeof judgeEvent>[1];
type Json = Readonly<Record<string, unknown>>;

const ACCEPTED_AT = Date.UTC(2026, 5, 1);
const NOW = ACCEPTED_AT + HOUR_MS;
const DEADLINE = ACCEPTED_AT + EXPIRY_AFTER_MS;

function judge(body: Json, over: Partial<AttemptFacts> = {}) {
  return judgeEvent(readEmailServiceEvent(body, NOW)!, {
    recipient: "User@example.net",
    attempt: 1,
    startsAt: ACCEPTED_AT,
    isUnsettled: false,
    now: NOW,
    jitter: 0.5,
    speedup: 1,
    ...over,
  });
}

/** Judges an event that settles an attempt. Returns the attempt's record and next steps. */
function settlementOf(body: Json, over: Partial<AttemptFacts> = {}) {
  const verdict = judge(body, over);
  if (verdict.kind !== "settled") throw new Error(`a ${verdict.kind}`);
  const { record, nextAttemptAt, awaits } = verdict;
  const last = record.events.at(-1);
  return {
    types: record.events.map(({ type }) => type.slice("email.".length)).join(),
    code: last?.smtpCode,
    response: last?.exchange?.response,
    bounce: last?.bounce && `${last.bounce.type} ${last.bounce.classification}`,
    suppresses: record.suppress !== null,
    rule: last?.exchange?.rule,
    nextAttemptAt,
    awaits,
  };
}

const bounced = (smtpResponse: string, type = "hard"): Json =>
  documentedEvent("bounced", {
    delivery: { status: "bounced", smtpStatusCode: smtpResponse.slice(0, 3), smtpResponse },
    bounce: { type },
  });

const rejected = (rejection: Json): Json => documentedEvent("rejected", { rejection });

const failed = (smtpResponse: string): Json =>
  documentedEvent("failed", { delivery: { status: "failed", smtpResponse } });

const PLAIN = {
  rule: null,
  bounce: null,
  suppresses: false,
  nextAttemptAt: null,
  awaits: undefined,
};

describe("a delivered event", () => {
  it("is a delivery with the server's own reply", () => {
    const response = "250 2.0.0 OK 1714820445 a1b2c3 - gsmtp";
    expect(settlementOf(DELIVERED)).toEqual({ ...PLAIN, types: "delivered", code: 250, response });
  });

  it("is a delivery whatever it quotes", () => {
    const quoting = { smtpResponse: "550 5.1.1 No" };
    for (const delivery of [undefined, {}, quoting, { smtpResponse: "ok" }]) {
      const body = documentedEvent("delivered", { delivery });
      expect(settlementOf(body)).toMatchObject({ types: "delivered", code: 250 });
    }
  });

  it("adds the sent event a millisecond before, if the attempt was never settled", () => {
    const events = [
      { type: "email.sent", occurredAt: NOW - 1, recipient: "User@example.net", attempt: 1 },
      { type: "email.delivered", occurredAt: NOW },
    ];
    expect(judge(DELIVERED, { isUnsettled: true })).toMatchObject({ record: { events } });
    expect(settlementOf(DELIVERED, { isUnsettled: true, attempt: 2 }).types).toBe("delivered");
  });
});

describe("a deferred event", () => {
  it("is a delay, and the attempt stays open until the 72 hours are over", () => {
    const lastReply = { code: 451, enhanced: "4.2.0", text: "Temporary mailbox error" };
    const response = "451 4.2.0 Temporary mailbox error";
    const delayed = { types: "delayed", code: 451, response };
    const awaits = { until: DEADLINE, lastReply };
    expect(settlementOf(DEFERRED)).toEqual({ ...PLAIN, ...delayed, awaits });
  });

  it("ends the wait for a verdict at once when the 72 hours are over", () => {
    expect(settlementOf(DEFERRED, { now: DEADLINE + 5 }).awaits?.until).toBe(DEADLINE + 5);
    expect(settlementOf(DEFERRED, { speedup: 144 }).awaits?.until).toBe(NOW);
  });

  it.each([
    ["a refusal", { smtpStatusCode: "550", smtpResponse: "550 5.1.1 Unknown" }, "Unknown"],
    ["a success", { smtpStatusCode: "250", smtpResponse: "250 OK" }, "OK"],
    ["no reply", {}, ""],
  ])("is a delay with code 450, whatever reply it quotes: %s", (_, delivery, text) => {
    const body = documentedEvent("deferred", { delivery });
    const awaits = { lastReply: { code: 450, enhanced: "4.0.0", text } };
    const delayed = { types: "delayed", code: 450, suppresses: false, awaits };
    expect(settlementOf(body)).toMatchObject(delayed);
  });
});

describe("a bounced event", () => {
  it.each([
    ["an unknown address", BOUNCED, "permanent InvalidRecipient", true],
    ["a gone mailbox", bounced("550 5.2.1 Account is disabled"), "permanent InactiveMailbox", true],
    ["a policy", bounced("550 5.7.1 Message rejected by policy"), "permanent PolicyRelated", false],
    ["spam", bounced("554 5.7.1 Message rejected as spam"), "permanent SpamContent", false],
    ["a full mailbox at last", bounced("452 4.2.2 Full", "soft"), "expired QuotaIssues", false],
    ["greylisting at last", bounced("451 4.7.1 Try again later", "soft"), "expired null", false],
  ])("is classified and suppresses like any server's reply: %s", (_, body, bounce, suppresses) => {
    const settled = { types: "bounced", bounce, suppresses, nextAttemptAt: null };
    expect(settlementOf(body)).toMatchObject(settled);
  });

  it("without a reply is permanent or expired as the service says, and suppresses no address", () => {
    const bare = (bounce: Json): Json => documentedEvent("bounced", { bounce });
    for (const [reason, bounce] of [
      ["mailbox gone", "permanent InactiveMailbox"],
      ["user unknown", "permanent InvalidRecipient"],
      ["xyzzy", "permanent Uncategorized"],
    ]) {
      const rule = "provider: undelivered_by_provider";
      const settled = { bounce, response: `550 5.0.0 ${reason}`, suppresses: false, rule };
      expect(settlementOf(bare({ type: "hard", reason }))).toMatchObject(settled);
    }
    for (const bounce of [{ type: "soft" }, {}, { type: "medium" }])
      expect(settlementOf(bare(bounce))).toMatchObject({ bounce: "expired null", code: 450 });
  });
});

describe("a failed event", () => {
  it("is a delay until the schedule's next attempt", () => {
    const delayed = { types: "delayed", code: 451, nextAttemptAt: NOW + 60_000, awaits: undefined };
    expect(settlementOf(FAILED)).toMatchObject(delayed);
    expect(settlementOf(FAILED, { attempt: 2 }).nextAttemptAt).toBe(NOW + 5 * 60_000);
    expect(settlementOf(FAILED, { speedup: 60 }).nextAttemptAt).toBe(NOW + 1_000);
  });

  it("is an expired bounce after the 72 hours", () => {
    const expired = { types: "bounced", bounce: "expired null", nextAttemptAt: null };
    expect(settlementOf(FAILED, { now: DEADLINE })).toMatchObject(expired);
  });

  it("counts like the reply that it quotes", () => {
    const gone = { bounce: "permanent InvalidRecipient", suppresses: true, nextAttemptAt: null };
    expect(settlementOf(failed("550 5.1.1 User unknown"))).toMatchObject(gone);
    const closing = { types: "delayed", code: 421, nextAttemptAt: NOW + 60_000 };
    expect(settlementOf(failed("421 4.3.2 Closing"))).toMatchObject(closing);
    expect(settlementOf(failed("250 OK"))).toMatchObject({ types: "delayed", code: 451 });
  });

  it("adds the sent event if the attempt was never settled", () => {
    expect(settlementOf(FAILED, { isUnsettled: true }).types).toBe("sent,delayed");
  });
});

describe("a rejected event", () => {
  const liftedThere = (words: string) =>
    `550 5.7.1 ${words} This address is on the suppression list of the Cloudflare account that ` +
    "sends the mail. The operator of that account can remove it in Cloudflare's dashboard, " +
    "under Compute > Email Service > Email Sending > Suppressions. Lifting the team's " +
    "suppression does not change that list.";

  const suppressed = (detail: string) => ({ reason: "suppressed", detail });
  const invalid = { reason: "validation_failed", detail: "Header too long" };
  const listed = { ...suppressed("Recipient is suppressed"), party: "recipient" };
  const cut = `${"word ".repeat(60).trim()}.`;

  it.each<[string, Json, number, string]>([
    ["a suppressed recipient", listed, 550, liftedThere("Recipient is suppressed.")],
    ["spam", { reason: "spam", party: "sender", detail: "Like spam" }, 550, "550 5.7.1 Like spam"],
    ["an invalid message", invalid, 554, "554 5.6.0 Header too long"],
    ["an invalid message without details", { reason: "invalid" }, 554, "554 5.6.0 invalid"],
    ["an invalid address", suppressed("No valid address"), 550, liftedThere("No valid address.")],
    ["a suppression in many words", suppressed("word ".repeat(2_000)), 550, liftedThere(cut)],
    ["a suppression without words", suppressed(""), 550, liftedThere("suppressed.")],
    ["no words", {}, 550, "550 5.7.1"],
  ])("is a bounce that suppresses no address: %s", (_, rejection, code, response) => {
    const settled = { types: "bounced", code, response, suppresses: false, nextAttemptAt: null };
    expect(settlementOf(rejected(rejection))).toMatchObject(settled);
  });

  it.each([
    ["suppressed", "suppressed_by_provider"],
    ["validation_failed", "content_refused_by_provider"],
    ["recipient_not_allowed", "recipient_not_allowed_by_provider"],
    ["sender_domain_not_onboarded", "sender_not_set_up_at_provider"],
    ["spam", "refused_by_provider"],
  ])("is the provider's own refusal: %s", (reason, refusal) => {
    expect(settlementOf(rejected({ reason }))).toMatchObject({ rule: `provider: ${refusal}` });
  });

  it("suppresses no address with words about the address, since no server refused it", () => {
    const detail = "550 5.1.1 User unknown: the mailbox does not exist";
    const settled = { types: "bounced", suppresses: false };
    for (const reason of ["suppressed", "validation"])
      expect(settlementOf(rejected({ reason, detail }))).toMatchObject(settled);
  });
});

describe("a complained event", () => {
  it("is a complaint with the event's feedback type", () => {
    const typeOf = (body: Json) => judge(body) as { kind: string; feedbackType?: string };
    expect(typeOf(COMPLAINED)).toEqual({ kind: "complaint", feedbackType: "abuse" });
    const fraud = documentedEvent("complained", { complaint: { type: "fraud" } });
    expect(typeOf(fraud).feedbackType).toBe("fraud");
    expect(typeOf(documentedEvent("complained", {})).feedbackType).toBe("abuse");
  });
});
