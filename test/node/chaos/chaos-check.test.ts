// Tests the checks after a storm (tools/chaos/check): they find each kind of violation.
import { describe, expect, it } from "vitest";
import { check } from "../../../tools/chaos/check/check.ts";
import type { SentMessage } from "../../../tools/chaos/clients.ts";
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

const ID = "email_1";
const TO = "ok-a@d1.chaos.example";
const [MESSAGE_ID, HOST] = ["<1@bench.example>", "gateway-a.chaos.example"];

describe("the check", () => {
  const rulesOf = (facts: RoundFacts): string[] => check(facts).violations.map(({ rule }) => rule);

  it("finds nothing when a message was sent and delivered once", () => {
    expect(check(round({}))).toEqual({ violations: [], unknownFates: [], recipients: 1 });
  });

  it("finds a promise without an outcome", () => {
    expect(rulesOf(round({ events: [], mail: [], journal: [], hooks: [] }))).toEqual([
      "lost",
      "one end",
    ]);
  });

  it("finds two outcomes, and an event after the outcome", () => {
    expect(rulesOf(round({ events: [sent, delivered, { ...delivered, id: "evt_3" }] }))).toContain(
      "one end",
    );
    expect(
      rulesOf(round({ events: [{ ...sent, occurred_at: "2026-01-01T00:00:09.000Z" }, delivered] })),
    ).toContain("sent before");
  });

  it("finds a delivery that the mail server does not have, and mail that was never sent", () => {
    expect(rulesOf(round({ mail: [] }))).toEqual(["delivered"]);
    expect(rulesOf(round({ mail: [{ ...taken, isOwnText: false }] }))).toEqual(["unaccounted"]);
    expect(
      rulesOf(round({ mail: [taken, { ...taken, n: "2", messageId: "<2@bench.example>" }] })),
    ).toEqual(["unaccounted"]);
  });

  it("finds a second copy, or lists it if the first copy's fate was unknown", () => {
    const twice = [taken, { ...taken, n: "2", at: 9_000 }];
    expect(rulesOf(round({ mail: twice }))).toEqual(["sent twice"]);
    expect(rulesOf(round({ mail: twice, gatewayKills: [{ at: 60_000, by: HOST }] }))).toEqual([
      "sent twice",
    ]);
    const other = [{ at: 5_100, by: "another-host.example" }];
    expect(rulesOf(round({ mail: twice, gatewayKills: other }))).toEqual(["sent twice"]);
    expect(rulesOf(round({ journal: [journal, journal] }))).toEqual(["sent twice"]);
    const unknown: JournalFact = {
      key: `${ID}/0/1`,
      outcome: { kind: "failure", detail: "unknown fate: closed after the final dot" },
    };
    const killed = [{ at: 5_100, by: HOST }];
    for (const excuse of [{ gatewayKills: killed }, { journal: [unknown, journal] }]) {
      const judged = check(round({ mail: twice, ...excuse }));
      expect(judged.violations).toEqual([]);
      expect(judged.unknownFates).toMatchObject([{ recipient: TO, copies: 2 }]);
    }
  });

  it("finds one key accepted twice, but allows two accepted tries without a key", () => {
    const events = [sent, delivered].flatMap((event) => [
      event,
      { ...event, id: `${event.id}b`, email_id: "email_2" },
    ]);
    const hooks = [{ ...hook, received: new Map(events.map(({ id }) => [id, 1])) }];
    expect(rulesOf(round({ events, hooks, debited: 2 }))).toEqual(["accepted twice"]);
    expect(
      rulesOf(round({ events, hooks, debited: 2, sent: [{ ...message, keyed: false, tries: 2 }] })),
    ).toEqual([]);
  });

  it("finds a bounce without a server's refusal, and a bounce of a message that was taken", () => {
    const bounced: EventFact = { ...delivered, type: "email.bounced", bounce_type: "permanent" };
    expect(rulesOf(round({ ...quiet, events: [sent, bounced], mail: [], journal: [] }))).toEqual([
      "bounced",
    ]);
    expect(rulesOf(round({ ...quiet, events: [sent, bounced], mail: [refused] }))).toEqual([
      "bounced",
    ]);
    expect(
      rulesOf(round({ ...quiet, events: [sent, bounced], mail: [refused], journal: [] })),
    ).toEqual([]);
    expect(
      rulesOf(
        round({
          ...quiet,
          events: [sent, { ...bounced, bounce_type: "expired" }],
          mail: [refused],
          journal: [],
        }),
      ),
    ).toEqual(["bounced"]);
  });

  it("finds mail for a suppressed address, and a wrong suppression", () => {
    const suppressed: EventFact = { ...delivered, type: "email.suppressed" };
    const nothing = { ...quiet, mail: [], journal: [] };
    expect(rulesOf(round({ bounced: new Set([TO]) }))).toEqual(["suppressed"]);
    expect(rulesOf(round({ events: [suppressed], ...nothing }))).toEqual(["suppressed"]);
    expect(rulesOf(round({ events: [suppressed], ...nothing, bounced: new Set([TO]) }))).toEqual(
      [],
    );
  });

  it("finds an event that a webhook lacks, one that it should not have, and a wrong signature", () => {
    expect(rulesOf(round({ hooks: [{ ...hook, received: new Map([[sent.id, 1]]) }] }))).toEqual([
      "webhook",
    ]);
    expect(rulesOf(round({ hooks: [{ ...hook, types: ["email.delivered"] }] }))).toEqual([
      "webhook",
    ]);
    expect(rulesOf(round({ hooks: [{ ...hook, wrong: ["a signature"] }] }))).toEqual(["webhook"]);
  });

  describe("of a round that the Email Service carried", () => {
    const second: CarriedCopy = { ...copy, messageId: "<2@service.example>", takenAt: 9_000 };
    const mailOf = ({ messageId, takenAt }: CarriedCopy): MailFact => ({
      ...taken,
      n: messageId,
      at: takenAt,
      messageId,
    });
    const carried = (changes: Partial<EmailServiceFacts>, more: Partial<RoundFacts> = {}) =>
      round({
        mail: [mailOf(copy)],
        journal: [],
        emailService: { ...service, ...changes },
        ...more,
      });
    const twice = (changes: Partial<EmailServiceFacts>): RoundFacts =>
      carried({ copies: [copy, second], ...changes }, { mail: [copy, second].map(mailOf) });

    it("finds nothing when the mail has the id that the service gave the copy", () => {
      expect(check(carried({}))).toEqual({ violations: [], unknownFates: [], recipients: 1 });
    });

    it("finds a delivery without mail, and mail of a copy that the service never took", () => {
      expect(rulesOf(carried({}, { mail: [] }))).toEqual(["delivered"]);
      expect(rulesOf(carried({}, { mail: [mailOf(copy), mailOf(second)] }))).toEqual([
        "unaccounted",
      ]);
    });

    it("finds a second copy, or lists it if no process could know of the first", () => {
      expect(rulesOf(twice({}))).toEqual(["sent twice"]);
      const late = [30_000];
      expect(rulesOf(twice({ workerKills: late, serviceKills: late, stalls: late }))).toEqual([
        "sent twice",
      ]);
      for (const excuse of [
        { workerKills: [5_100] },
        { serviceKills: [5_100] },
        { stalls: [4_000] },
        { lostAnswers: [{ at: 4_900, recipient: TO }] },
        { copies: [{ ...copy, status: "failed" as const }, second] },
      ]) {
        const judged = check(twice(excuse));
        expect(judged.violations).toEqual([]);
        expect(judged.unknownFates).toMatchObject([{ recipient: TO, copies: 2 }]);
      }
    });

    it("finds a second copy after a kill if the history names the first", () => {
      const noted = new Set([copy.messageId]);
      expect(rulesOf(twice({ noted, workerKills: [5_100] }))).toEqual(["sent twice"]);
      expect(rulesOf(twice({ noted, lostAnswers: [{ at: 4_900, recipient: TO }] }))).toEqual([
        "sent twice",
      ]);
    });

    it("finds a bounce of a message that the service knew was taken", () => {
      const bounced: EventFact = { ...delivered, type: "email.bounced", bounce_type: "permanent" };
      const facts = { ...quiet, events: [sent, bounced] };
      expect(rulesOf(carried({}, { ...facts, mail: [refused, mailOf(copy)] }))).toEqual([
        "bounced",
      ]);
      expect(rulesOf(carried({}, { ...facts, mail: [refused] }))).toEqual([]);
    });
  });

  describe("of an event's time", () => {
    const at = Date.parse(delivered.occurred_at);
    const answered: MailFact = { at, what: "answered", n: "1", to: TO };
    const repliedAt = (time: number, changes: Partial<RoundFacts> = {}): string[] =>
      rulesOf(
        round({
          mail: [
            { ...taken, at: time },
            { ...answered, at: time },
          ],
          ...changes,
        }),
      );
    const told = (time: number) => [{ ...hook, firstAt: new Map([[delivered.id, time]]) }];

    it("finds an event whose time is after its report, and accepts the time of the reply", () => {
      expect(repliedAt(at, { hooks: told(at) })).toEqual([]);
      expect(repliedAt(at, { hooks: told(at - 1_000) })).toEqual(["times"]);
    });

    it("finds a delivery and a bounce that are dated before the reply", () => {
      expect(repliedAt(at + 1_000)).toEqual(["times"]);
      const bounced: EventFact = { ...delivered, type: "email.bounced", bounce_type: "permanent" };
      const facts = { ...quiet, events: [sent, bounced], journal: [] };
      expect(rulesOf(round({ ...facts, mail: [{ ...refused, at }] }))).toEqual([]);
      expect(rulesOf(round({ ...facts, mail: [{ ...refused, at: at + 1_000 }] }))).toEqual([
        "times",
      ]);
    });

    it("finds a delivery that is dated by the question, unless the gateway's host could not know the time", () => {
      expect(repliedAt(at - 60_000)).toEqual(["times"]);
      expect(repliedAt(at - 60_000, { gatewayRestarts: [at - 61_000] })).toEqual(["times"]);
      expect(repliedAt(at - 60_000, { gatewayRestarts: [at - 1] })).toEqual([]);
      const hooks = told(at + 2);
      expect(repliedAt(at - 60_000, { hooks, gatewayRestarts: [at + 1] })).toEqual([]);
      expect(repliedAt(at - 60_000, { hooks, gatewayRestarts: [at + 3] })).toEqual(["times"]);
      expect(repliedAt(at - 60_000, { gatewayRestarts: null })).toEqual([]);
      expect(repliedAt(at - 60_000, { stalls: [at - 1] })).toEqual([]);
      expect(repliedAt(at - 60_000, { stalls: [at - 61_000, at + 1] })).toEqual(["times"]);
    });
  });

  it("finds a debit that differs from the accepted messages", () => {
    expect(rulesOf(round({ debited: 2 }))).toEqual(["quota"]);
    expect(rulesOf(round({ debited: 0 }))).toEqual(["quota"]);
    expect(rulesOf(round({ debited: null }))).toEqual([]);
  });

  it("finds a scheduled message that came before its time", () => {
    const at = Date.parse(sent.occurred_at);
    const held = (notBefore: number) => [{ ...message, notBefore }];
    expect(rulesOf(round({ sent: held(at), mail: [] }))).not.toContain("too early");
    expect(rulesOf(round({ sent: held(at + 1) }))).toContain("too early");
  });

  it("finds a canceled message that has an event, arrived, or was debited", () => {
    const canceled = [{ ...message, isCanceled: true }];
    const nothing = { sent: canceled, events: [], mail: [], journal: [], hooks: [] };
    expect(rulesOf(round({ ...nothing, debited: 0 }))).toEqual([]);
    expect(rulesOf(round({ ...nothing, debited: 1 }))).toEqual(["quota"]);
    expect(rulesOf(round({ ...nothing, debited: 0, events: [sent] }))).toContain("canceled");
    const { mail } = round({});
    expect(rulesOf(round({ ...nothing, debited: 0, mail }))).toContain("unaccounted");
  });
});

const message: SentMessage = {
  token: "a",
  recipients: [TO],
  sensitive: false,
  via: "single",
  keyed: true,
  tries: 1,
  emailId: ID,
  notBefore: 0,
  isCanceled: false,
  log: [],
};
const sent: EventFact = {
  id: "evt_1",
  type: "email.sent",
  occurred_at: "2026-01-01T00:00:01.000Z",
  email_id: ID,
  message_id: MESSAGE_ID,
  recipient: TO,
  subject: "a",
  attempt: 1,
  smtp_code: null,
  bounce_type: null,
  bounce_classification: null,
};
const delivered: EventFact = {
  ...sent,
  id: "evt_2",
  type: "email.delivered",
  occurred_at: "2026-01-01T00:00:02.000Z",
  smtp_code: 250,
};
const taken: MailFact = {
  at: 5_000,
  what: "taken",
  n: "1",
  to: TO,
  by: HOST,
  messageId: MESSAGE_ID,
  subject: "a",
  isOwnText: true,
};
const refused: MailFact = { at: 5_000, what: "refused", to: TO, reply: "550 5.1.1 no such user" };
const journal: JournalFact = { key: `${ID}/0/1`, outcome: { kind: "reply", code: 250 } };
const hook = {
  name: "all",
  types: ["email.sent", "email.delivered"],
  received: new Map([sent, delivered].map(({ id }) => [id, 1])),
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

/** The state without webhooks, so that the check expects no deliveries of events. */
const quiet = { hooks: [] };

/** Returns the records of a round in which one message was delivered, with some `changes`. */
function round(changes: Partial<RoundFacts>): RoundFacts {
  return {
    sent: [message],
    since: 0,
    events: [sent, delivered],
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
