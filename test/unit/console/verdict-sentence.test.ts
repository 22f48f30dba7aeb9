// The console's verdicts (console/src/pages/messages): every status, every class of a bounce, every
// reason of a suppression, and what is known of each.
import { describe, expect, it } from "vitest";
import { BOUNCE_CLASSIFICATIONS } from "../../../src/contracts/event-types.ts";
import { BOUNCE_WORDS } from "../../../console/src/pages/message/bounce-words.ts";
import type { SuppressionFacts } from "../../../console/src/pages/message/suppression-words.ts";
import {
  type DecidingEvent,
  type VerdictFacts,
  verdictOf,
  verdictText,
} from "../../../console/src/pages/message/verdict-sentence.ts";

const NOW = Date.parse("2026-11-22T14:03:13.204Z");
const ACCEPTED = NOW - 62_000;
const JO = "jo.ferraro@contoso.net";

const EVENT: DecidingEvent = {
  occurred_at: new Date(NOW).toISOString(),
  attempt: 2,
  smtp_code: 550,
  smtp_response: "550 5.1.1 User unknown",
  stage: "rcpt",
  mx_host: "mx1.contoso.net",
  bounce_type: "permanent",
  bounce_classification: "InvalidRecipient",
  suppression: null,
  complaint: null,
};

const BOUNCED: SuppressionFacts = {
  topic: "*",
  reason: "permanent_bounce",
  classification: "InvalidRecipient",
  suppressed_at: "2026-11-22T14:03:13.204Z",
  expires_at: "2027-02-20T14:03:13.204Z",
};

function say(facts: Partial<VerdictFacts>): string {
  return verdictText(
    verdictOf({
      recipient: JO,
      status: "bounced",
      event: EVENT,
      acceptedAt: ACCEPTED,
      nextAttemptAt: null,
      wasDelivered: false,
      opens: 0,
      clicks: 0,
      suppressions: null,
      now: NOW,
      ...facts,
    }),
  );
}

describe("verdicts on a bounce", () => {
  it("say who refused whom, where, on which attempt, and until when the address is suppressed", () => {
    expect(say({ suppressions: [BOUNCED] })).toBe(
      "The mailbox does not exist. mx1.contoso.net refused jo.ferraro@contoso.net at RCPT on the " +
        "second attempt. The address is suppressed until 20 Feb 2027.",
    );
  });

  it.each(BOUNCE_CLASSIFICATIONS)("have a sentence of their own for %s", (classification) => {
    const words = BOUNCE_WORDS[classification];
    const event = { ...EVENT, bounce_classification: classification };
    expect(words?.headline).toMatch(/^[A-Z].*\.$/);
    expect(words?.advice ?? "It.").toMatch(/^[A-Z].*\.$/);
    expect(say({ event }).startsWith(`${words?.headline} mx1.contoso.net refused`)).toBe(true);
  });

  it("differ from class to class, and know no class that the service does not", () => {
    const headlines = BOUNCE_CLASSIFICATIONS.map((name) => BOUNCE_WORDS[name]?.headline);
    expect(new Set(headlines).size).toBe(BOUNCE_CLASSIFICATIONS.length);
    expect(Object.keys(BOUNCE_WORDS).toSorted()).toEqual(BOUNCE_CLASSIFICATIONS.toSorted());
  });

  it.each([
    ["connect", "refused jo.ferraro@contoso.net on connecting on the second attempt."],
    ["helo", "refused jo.ferraro@contoso.net at EHLO on the second attempt."],
    ["starttls", "refused jo.ferraro@contoso.net at STARTTLS on the second attempt."],
    ["mail", "refused jo.ferraro@contoso.net at MAIL on the second attempt."],
    ["data", "refused jo.ferraro@contoso.net at DATA on the second attempt."],
    ["end", "refused jo.ferraro@contoso.net after the content on the second attempt."],
  ])("name the stage %s", (stage, sentence) => {
    expect(say({ event: { ...EVENT, stage } })).toContain(sentence);
  });

  it("do without what the log does not know", () => {
    const { stage: _, mx_host: __, smtp_response: ___, ...event } = EVENT;
    expect(say({ event })).toBe(
      "The mailbox does not exist. The other side refused jo.ferraro@contoso.net on the second " +
        "attempt with 550.",
    );
    expect(say({ event: null })).toBe("The receiving server refused the message.");
  });

  it("tell a report from a refusal", () => {
    const event = { ...EVENT, stage: null, mx_host: null, attempt: null };
    expect(say({ event, wasDelivered: true, suppressions: [] })).toBe(
      "The mailbox does not exist. A report with 550 about jo.ferraro@contoso.net came back after " +
        "it was sent. The address is not suppressed: the next message to it is tried.",
    );
  });

  it("say that no server could be asked", () => {
    const event = {
      ...EVENT,
      attempt: 1,
      stage: null,
      mx_host: null,
      bounce_type: "transient",
      bounce_classification: "BadDomain",
    };
    expect(say({ event })).toBe(
      "The recipient's domain does not exist, or takes no mail. No server could be asked for " +
        "jo.ferraro@contoso.net on the first attempt.",
    );
  });

  it.each([
    [
      null,
      "It could not be delivered in time. It was tried 14 times for jo.ferraro@contoso.net within " +
        "1 min 2 s; the last answer was 451 from mx1.contoso.net at RCPT.",
    ],
    [
      "QuotaIssues",
      "It could not be delivered in time. The mailbox is full, or the message is too large for it. " +
        "It was tried 14 times for jo.ferraro@contoso.net within 1 min 2 s; the last answer was 451 " +
        "from mx1.contoso.net at RCPT. Sending it again later, or smaller, may work.",
    ],
  ])("say that the time was over (%s)", (classification, sentence) => {
    const event = {
      ...EVENT,
      attempt: 14,
      smtp_code: 451,
      bounce_type: "expired",
      bounce_classification: classification,
    };
    expect(say({ event })).toBe(sentence);
  });
});

describe("verdicts on a suppressed message", () => {
  const cause = (reason: string, topic = "*"): DecidingEvent => ({
    ...EVENT,
    attempt: null,
    stage: null,
    mx_host: null,
    smtp_code: null,
    suppression: { reason, topic, classification: null },
  });

  it.each([
    ["permanent_bounce", "an earlier message bounced for good"],
    ["complaint", "its owner reported a message as spam"],
    ["unsubscribed", "its owner unsubscribed"],
    ["manual", "it was put on the list by hand"],
  ])("say the reason %s", (reason, words) => {
    expect(say({ status: "suppressed", event: cause(reason) })).toBe(
      "It was not sent: the address was suppressed. The message to jo.ferraro@contoso.net was kept " +
        `back, because ${words}.`,
    );
  });

  it("name the topic, and how long it holds", () => {
    const now: SuppressionFacts = {
      topic: "orders",
      reason: "unsubscribed",
      classification: null,
      suppressed_at: "2026-11-01T00:00:00.000Z",
      expires_at: null,
    };
    const event = cause("unsubscribed", "orders");
    expect(say({ status: "suppressed", event, suppressions: [now] })).toContain(
      "(topic orders). The address is suppressed for good for the topic orders. " +
        "Since 1 Nov 2026, because its owner unsubscribed.",
    );
  });

  it("say when it is over", () => {
    expect(say({ status: "suppressed", event: cause("manual"), suppressions: [] })).toBe(
      "It was not sent: the address was suppressed. The message to jo.ferraro@contoso.net was kept " +
        "back, because it was put on the list by hand. It is not suppressed any more: the next " +
        "message to it is tried.",
    );
  });
});

describe("verdicts on what has not failed", () => {
  it.each<[string, Partial<VerdictFacts>, string]>([
    [
      "queued",
      { status: "queued", event: null, nextAttemptAt: NOW + 500 },
      `It waits to be sent. Nothing has been tried for ${JO} yet. The next attempt is due.`,
    ],
    [
      "sent",
      { status: "sent", event: { ...EVENT, bounce_type: null } },
      `It is on its way. The answer of the server for ${JO} is awaited.`,
    ],
    [
      "delayed",
      { status: "delayed", nextAttemptAt: NOW + 60_000 },
      `Not delivered yet. mx1.contoso.net put off ${JO} at RCPT on the second attempt. Next attempt in 1 min.`,
    ],
    [
      "greylisted",
      {
        status: "delayed",
        event: { ...EVENT, attempt: 11, smtp_response: "451 4.7.1 Greylisting in action" },
      },
      `Greylisted, and not delivered yet. mx1.contoso.net put off ${JO} at RCPT on attempt 11.`,
    ],
    [
      "delayed without a server",
      {
        status: "delayed",
        event: { ...EVENT, stage: null, mx_host: null, smtp_response: "Could not connect." },
      },
      `Not delivered yet. No server took ${JO} on the second attempt.`,
    ],
    [
      "delivered",
      { status: "delivered", event: { ...EVENT, attempt: 1 } },
      `Delivered. mx1.contoso.net took it for ${JO} on the first attempt, 1 min 2 s after it was accepted.`,
    ],
    [
      "opened and clicked",
      { status: "delivered", event: null, opens: 2, clicks: 1 },
      "Delivered. It was opened 2 times and clicked once.",
    ],
    [
      "complained",
      {
        status: "complained",
        event: { ...EVENT, complaint: { feedback_type: "abuse" } },
        suppressions: [{ ...BOUNCED, reason: "complaint", expires_at: null }],
      },
      `The recipient reported it as spam. A complaint (abuse) about the message to ${JO} came back. The address is suppressed for good.`,
    ],
  ])("say %s", (_name, facts, sentence) => {
    expect(say(facts)).toBe(sentence);
  });
});

describe("verdicts on a scheduled message", () => {
  it("say when it goes out, and that nothing is sent before", () => {
    const scheduledAt = Date.parse("2026-12-24T18:00:00Z");
    expect(say({ status: "scheduled", event: null, scheduledAt })).toBe(
      "It is scheduled for 24 Dec 2026, 18:00 UTC. Nothing is sent to jo.ferraro@contoso.net " +
        "before. It can be moved and canceled until then.",
    );
  });

  it("say that a canceled one is never sent", () => {
    expect(say({ status: "canceled", event: null })).toBe(
      "It was canceled. Nothing of it is sent to jo.ferraro@contoso.net.",
    );
  });
});
