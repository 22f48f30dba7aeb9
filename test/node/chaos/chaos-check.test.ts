// Tests the checks after a storm (tools/chaos/check): they find each kind of violation.
import { describe, expect, it } from "vitest";
import { check } from "../../../tools/chaos/check/check.ts";
import type {
  CarriedCopy,
  EmailServiceFacts,
} from "../../../tools/chaos/email-service/carried-copies.ts";
import type {
  EventFact,
  JournalFact,
  MailFact,
  RoundFacts,
} from "../../../tools/chaos/recorded-facts.ts";
import { DELIVERED, MESSAGE, SENT } from "./round-facts.ts";

const TO = SENT.recipient;
const HOST = "gateway-a.chaos.example";
const EVENTS = [SENT, DELIVERED];

const taken: MailFact = {
  at: 5_000,
  what: "taken",
  n: "1",
  to: TO,
  by: HOST,
  messageId: SENT.message_id,
  subject: "a",
  isOwnText: true,
};
const refused: MailFact = { at: 5_000, what: "refused", to: TO, reply: "550 5.1.1 no such user" };
const journal: JournalFact = { key: "email_1/0/1", outcome: { kind: "reply", code: 250 } };
const hook = {
  name: "all",
  types: EVENTS.map(({ type }) => type),
  received: new Map(EVENTS.map(({ id }) => [id, 1])),
  firstAt: new Map<string, number>(),
  wrong: [],
};
const copy: CarriedCopy = {
  messageId: "<1@service.example>",
  recipient: TO,
  subject: "a",
  takenAt: 5_000,
  status: "delivered",
  attempts: 1,
  lastReply: "250 2.0.0 taken",
};
const service: EmailServiceFacts = {
  copies: [copy],
  lostAnswers: [],
  noted: new Set(),
  serviceKills: [],
  workerKills: [],
  stalls: [],
};

/** Returns the records of a round in which one message was delivered, with some `changes`. */
function round(changes: Partial<RoundFacts>): RoundFacts {
  return {
    sent: [MESSAGE],
    since: 0,
    events: EVENTS,
    mail: [taken],
    journal: [journal],
    hooks: [hook],
    bounced: new Set(),
    gatewayKills: [],
    gatewayRestarts: [],
    stalls: [],
    emailService: null,
    debited: 1,
    ...changes,
  };
}

const rulesOf = (changes: Partial<RoundFacts>): string =>
  check(round(changes))
    .violations.map(({ rule }) => rule)
    .join();

/** A round without webhooks, so that the check expects no deliveries of events. */
const quiet = { hooks: [] };
const nothing = { ...quiet, events: [], mail: [], journal: [] };
const BOUNCED: EventFact = { ...DELIVERED, type: "email.bounced", bounce_type: "permanent" };
const expired: EventFact = { ...BOUNCED, bounce_type: "expired" };
const afterBounce = { ...quiet, events: [SENT, BOUNCED], mail: [refused], journal: [] };
const suppressed: EventFact = { ...DELIVERED, type: "email.suppressed" };
const hooked = (changes: object) => ({ hooks: [{ ...hook, ...changes }] });
const lateSent = { ...SENT, occurred_at: "2026-01-01T00:00:09.000Z" };
const stranger = { ...taken, n: "2", messageId: "<2@x>" };
const twice = [taken, { ...taken, n: "2", at: 9_000 }];
const killedAt = (at: number, by = HOST) => ({ mail: twice, gatewayKills: [{ at, by }] });
const unknownOutcome: JournalFact = {
  key: journal.key,
  outcome: { kind: "failure", detail: "unknown fate: closed after the final dot" },
};
const byTwoIds = EVENTS.flatMap((event) => [
  event,
  { ...event, id: `${event.id}b`, email_id: "email_2" },
]);
const doubled = {
  events: byTwoIds,
  hooks: [{ ...hook, received: new Map(byTwoIds.map(({ id }) => [id, 1])) }],
  debited: 2,
};
const unkeyed = { ...MESSAGE, keyed: false, tries: 2 };
const canceled = { ...nothing, sent: [{ ...MESSAGE, isCanceled: true }], debited: 0 };
const held = (notBefore: number) => [{ ...MESSAGE, notBefore }];
const SENT_AT = Date.parse(SENT.occurred_at);

describe("the check", () => {
  it("finds nothing when a message was sent and delivered once", () => {
    expect(check(round({}))).toEqual({ violations: [], unknownFates: [], recipients: 1 });
  });

  it.each<[what: string, changes: Partial<RoundFacts>, rules: string]>([
    ["a promise without an outcome", nothing, "lost,one end"],
    ["two outcomes", { events: [...EVENTS, { ...DELIVERED, id: "evt_3" }] }, "one end,webhook"],
    ["an event after the outcome", { events: [lateSent, DELIVERED] }, "sent before"],
    ["a delivery that the mail server does not have", { mail: [] }, "delivered"],
    ["mail that was never sent", { mail: [{ ...taken, isOwnText: false }] }, "unaccounted"],
    ["mail of another Message-ID", { mail: [taken, stranger] }, "unaccounted"],
    ["a second copy", { mail: twice }, "sent twice"],
    ["a second copy long before a kill", killedAt(60_000), "sent twice"],
    ["a second copy after another host's kill", killedAt(5_100, "other.example"), "sent twice"],
    ["a second outcome in the journal", { journal: [journal, journal] }, "sent twice"],
    ["one key accepted twice", doubled, "accepted twice"],
    ["two accepted tries without a key", { ...doubled, sent: [unkeyed] }, ""],
    ["a bounce without a refusal", { ...afterBounce, mail: [] }, "bounced"],
    ["a bounce of a message that was taken", { ...afterBounce, journal: [journal] }, "bounced"],
    ["a bounce after a refusal", afterBounce, ""],
    ["an expiry after a refusal", { ...afterBounce, events: [SENT, expired] }, "bounced"],
    ["mail for a suppressed address", { bounced: new Set([TO]) }, "suppressed"],
    ["a wrong suppression", { ...nothing, events: [suppressed] }, "suppressed"],
    ["a suppression", { ...nothing, events: [suppressed], bounced: new Set([TO]) }, ""],
    ["an event that a webhook lacks", hooked({ received: new Map([[SENT.id, 1]]) }), "webhook"],
    ["an event that a webhook should not have", hooked({ types: ["email.delivered"] }), "webhook"],
    ["a wrong signature", hooked({ wrong: ["a signature"] }), "webhook"],
    ["a debit that is too high", { debited: 2 }, "quota"],
    ["a debit that is too low", { debited: 0 }, "quota"],
    ["a debit that is unknown", { debited: null }, ""],
    ["a scheduled message without mail", { sent: held(SENT_AT), mail: [] }, "delivered"],
    ["a scheduled message before its time", { sent: held(SENT_AT + 1) }, "too early"],
    ["a canceled message", canceled, ""],
    ["a canceled message that was debited", { ...canceled, debited: 1 }, "quota"],
    ["a canceled message with an event", { ...canceled, events: [SENT] }, "canceled,unaccounted"],
    ["a canceled message that arrived", { ...canceled, mail: [taken] }, "unaccounted"],
  ])("judges %s", (_, changes, rules) => {
    expect(rulesOf(changes)).toBe(rules);
  });

  it.each<[string, Partial<RoundFacts>]>([
    ["the gateway was killed", killedAt(5_100)],
    ["the journal does not know", { journal: [unknownOutcome, journal] }],
  ])("lists a second copy if the first copy's fate was unknown: %s", (_, excuse) => {
    const judged = check(round({ mail: twice, ...excuse }));
    expect(judged.violations).toEqual([]);
    expect(judged.unknownFates).toMatchObject([{ recipient: TO, copies: 2 }]);
  });
});

describe("the check of a round that the Email Service carried", () => {
  const second: CarriedCopy = { ...copy, messageId: "<2@service.example>", takenAt: 9_000 };
  const mailOf = ({ messageId, takenAt }: CarriedCopy): MailFact => ({
    ...taken,
    n: messageId,
    at: takenAt,
    messageId,
  });
  const carried = (changes: Partial<EmailServiceFacts>, more: Partial<RoundFacts> = {}) => ({
    mail: [mailOf(copy)],
    journal: [],
    emailService: { ...service, ...changes },
    ...more,
  });
  const copiedTwice = (changes: Partial<EmailServiceFacts>) =>
    carried({ copies: [copy, second], ...changes }, { mail: both });
  const noted = new Set([copy.messageId]);
  const late = [30_000];
  const both = [copy, second].map(mailOf);
  const lostAnswers = [{ at: 4_900, recipient: TO }];
  const bounce = { hooks: [], events: [SENT, BOUNCED] };

  it("finds nothing when the mail has the id that the service gave the copy", () => {
    const judged = { violations: [], unknownFates: [], recipients: 1 };
    expect(check(round(carried({})))).toEqual(judged);
  });

  it.each<[what: string, changes: Partial<RoundFacts>, rules: string]>([
    ["a delivery without mail", carried({}, { mail: [] }), "delivered"],
    ["mail of a copy that the service never took", carried({}, { mail: both }), "unaccounted"],
    [
      "a bounce of a message that the service knew was taken",
      carried({}, { ...bounce, mail: [refused, mailOf(copy)] }),
      "bounced",
    ],
    ["a bounce after a refusal", carried({}, { ...bounce, mail: [refused] }), ""],
  ])("judges %s", (_, changes, rules) => {
    expect(rulesOf(changes)).toBe(rules);
  });

  it.each<[string, Partial<EmailServiceFacts>]>([
    ["without an excuse", {}],
    ["long before a kill and a stall", { workerKills: late, serviceKills: late, stalls: late }],
    ["after a kill, if the history names the first", { noted, workerKills: [5_100] }],
    ["after a lost answer, if the history names the first", { noted, lostAnswers }],
  ])("finds a second copy %s", (_, changes) => {
    expect(rulesOf(copiedTwice(changes))).toBe("sent twice");
  });

  it.each<Partial<EmailServiceFacts>>([
    { workerKills: [5_100] },
    { serviceKills: [5_100] },
    { stalls: [4_000] },
    { lostAnswers },
    { copies: [{ ...copy, status: "failed" }, second] },
  ])("lists a second copy if no process could know of the first: %j", (excuse) => {
    const judged = check(round(copiedTwice(excuse)));
    expect(judged.violations).toEqual([]);
    expect(judged.unknownFates).toMatchObject([{ recipient: TO, copies: 2 }]);
  });
});

describe("the check of an event's time", () => {
  const at = Date.parse(DELIVERED.occurred_at);
  const answered: MailFact = { at, what: "answered", n: "1", to: TO };
  const restarted = (...gatewayRestarts: number[]) => ({ gatewayRestarts });
  const told = (time: number, ...restarts: number[]) => ({
    ...hooked({ firstAt: new Map([[DELIVERED.id, time]]) }),
    ...restarted(...restarts),
  });
  const bouncedAt = (time: number) => ({ ...afterBounce, mail: [{ ...refused, at: time }] });
  const early = at - 60_000;

  it.each<[what: string, repliedAt: number, changes: Partial<RoundFacts>, rules: string]>([
    ["the time of the reply", at, told(at), ""],
    ["a time after its report", at, told(at - 1_000), "times"],
    ["a delivery before the reply", at + 1_000, {}, "times"],
    ["a bounce at the reply", at, bouncedAt(at), ""],
    ["a bounce before the reply", at, bouncedAt(at + 1_000), "times"],
    ["the time of the question", early, {}, "times"],
    ["the question's time after an earlier restart", early, restarted(at - 61_000), "times"],
    ["the question's time after a restart since", early, restarted(at - 1), ""],
    ["the question's time, reported after a restart", early, told(at + 2, at + 1), ""],
    ["the question's time, reported before a restart", early, told(at + 2, at + 3), "times"],
    ["the question's time without known restarts", early, { gatewayRestarts: null }, ""],
    ["the question's time after a stall since", early, { stalls: [at - 1] }, ""],
    ["the question's time beside other stalls", early, { stalls: [at - 61_000, at + 1] }, "times"],
  ])("judges %s", (_, time, changes, rules) => {
    const mail = [
      { ...taken, at: time },
      { ...answered, at: time },
    ];
    expect(rulesOf({ mail, ...changes })).toBe(rules);
  });
});
