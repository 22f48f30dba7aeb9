// Tests src/resources/events/pack-chunk.ts and open-chunk.ts: a chunk returns what was packed into
// it, and takes few bytes.
import { inflateRawSync } from "node:zlib";
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { newId, uuidv7Of } from "../../../../src/lib/ids.ts";
import { openChunk } from "../../../../src/resources/events/open-chunk.ts";
import { packChunk } from "../../../../src/resources/events/pack-chunk.ts";
import {
  eventId,
  type EventRecord,
  type MessageEvents,
  type MessageRecord,
  type OwnEvent,
} from "../../../../src/rpc/event-records.ts";
import { aMessage, anEvent, byMessage, NOON } from "./sample-events.ts";
import {
  BOUNCE_CLASSIFICATIONS,
  BOUNCE_TYPES,
  EVENT_TYPES,
} from "../../../../src/rpc/event-types.ts";
import { shopMessages } from "./shop.ts";

const TEAM = newId("team");

/** Returns the facts that a message shares with its events. */
function factsOf(message: MessageRecord) {
  const {
    domainId: _1,
    recipients: _2,
    roles: _3,
    scheduledAt: _4,
    copyOf: _5,
    ...facts
  } = message;
  return facts;
}

/** Sorts events oldest first, and events of one moment by id. */
function inOrder(messages: readonly MessageEvents[]): EventRecord[] {
  const events = messages.flatMap(({ message, events: own }) =>
    own.map((event) => ({ ...factsOf(message), ...event })),
  );
  return events.toSorted(
    (left, right) => left.occurredAt - right.occurredAt || (left.id < right.id ? -1 : 1),
  );
}

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", "\u007f", "\u007fu", "\u007f=x", "\u007fh\u007fu", "\ud800"),
  fc.constantFrom("𝒳 ünï", "0", "__proto__"),
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const any = maybe(text);
const code = maybe(fc.integer({ min: 200, max: 599 }));

const anyMessage = fc
  .record({
    at: fc.integer({ min: NOON - 40 * 86_400_000, max: NOON + 5_000 }),
    random: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    from: fc.constantFrom("hello@mail.example.com", "a@b@münchen.example", "nobody"),
    fromName: fc.constantFrom(null, "", "The Shop"),
    fromDomain: fc.constantFrom("mail.example.com", "other.example"),
    domainId: fc.constantFrom("", "domain_1"),
    subject: text,
    messageId: maybe(text),
    recipients: fc.uniqueArray(
      fc.constantFrom("ada@example.org", "Ada@example.org", "élodie@example.org", "", "7"),
      { maxLength: 5 },
    ),
    roles: maybe(fc.constantFrom("t", "tcb", "")),
    topic: maybe(text),
    campaign: maybe(text),
    templateId: maybe(fc.constantFrom("template_00000000-0000-4000-8000-000000000001", "")),
    ipPool: maybe(text),
    tags: fc.array(text, { maxLength: 3 }),
    headers: fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true }),
    metadata: maybe(fc.dictionary(text, text, { minKeys: 1, maxKeys: 3, noNullPrototype: true })),
    scheduledAt: maybe(fc.nat()),
    copyOf: maybe(fc.constantFrom("email_x", "")),
  })
  .map(
    ({ at, random, messageId, roles, metadata, scheduledAt, copyOf, ...facts }): MessageRecord => {
      const uuid = uuidv7Of(at, random);
      const minted = `<${uuid}@${facts.fromDomain}>`;
      const ids = {
        emailId: `email_${uuid}`,
        messageId: messageId === null ? minted : messageId + uuid,
      };
      const message = {
        teamId: TEAM,
        ...ids,
        ...facts,
        ...(metadata && { metadata }),
        ...(scheduledAt !== null && { scheduledAt }),
        ...(copyOf !== null && { copyOf }),
      };
      return roles === null ? message : { ...message, roles };
    },
  );

const proxy = fc.record({ source: text, kind: fc.constant("proxy" as const) });
const anyOwn = fc.record({
  type: fc.constantFrom(...EVENT_TYPES),
  occurredAt: fc.oneof(
    fc.integer({ min: NOON, max: NOON + 3 }),
    fc.integer({ min: NOON - 10_000, max: NOON + 10_000 }),
  ),
  recipient: fc.oneof(fc.nat(4), text),
  attempt: maybe(fc.integer({ min: 1, max: 200 })),
  smtpCode: code,
  bounce: maybe(
    fc.record({
      type: fc.constantFrom(...BOUNCE_TYPES),
      classification: maybe(fc.oneof(fc.constantFrom(...BOUNCE_CLASSIFICATIONS), text)),
      smtpCode: code,
      smtpResponse: maybe(text),
    }),
  ),
  complaint: maybe(
    fc.record({ feedbackType: text, userAgent: maybe(text), reportedAt: maybe(fc.nat()) }),
  ),
  suppression: maybe(fc.record({ reason: text, topic: text, classification: maybe(text) })),
  tracking: maybe(fc.record({ url: text, user_agent: text, bot: proxy }, { requiredKeys: [] })),
  exchange: maybe(fc.record({ stage: any, response: any, mxHost: any, tls: any, rule: any })),
  discriminator: fc.constantFrom("attempt", "other"),
  saysUuid: fc.boolean(),
  answersAlike: fc.boolean(),
});

const anyPage = fc
  .array(fc.tuple(anyMessage, fc.array(anyOwn, { minLength: 1, maxLength: 6 })), {
    minLength: 1,
    maxLength: 30,
  })
  .map((given) =>
    given.map(([message, own]): MessageEvents => {
      const uuid = message.emailId.slice("email_".length);
      const events = own.map(
        ({ discriminator, saysUuid, answersAlike, recipient: which, ...event }): OwnEvent => {
          const recipient =
            typeof which === "number" ? (message.recipients[which] ?? "none") : which;
          const what = discriminator === "attempt" ? String(event.attempt) : JSON.stringify(event);
          const said = saysUuid ? ` <${uuid}@x> ${uuid.replaceAll("-", "")}` : "";
          const exchange = event.exchange && {
            ...event.exchange,
            response: event.exchange.response && event.exchange.response + said,
          };
          const bounce = event.bounce && {
            ...event.bounce,
            ...(answersAlike && exchange ? { smtpResponse: exchange.response } : {}),
          };
          const id = eventId(event.occurredAt, message.emailId, recipient, event.type, what);
          return { ...event, id, recipient, exchange, bounce };
        },
      );
      return { message, events: [...new Map(events.map((event) => [event.id, event])).values()] };
    }),
  );

describe("a chunk", () => {
  it("returns every event and every message unchanged, newest first", () => {
    fc.assert(
      fc.property(anyPage, (messages) => {
        const page = openChunk(TEAM, packChunk(messages));
        expect(page.events().toReversed()).toEqual(inOrder(messages));
        for (const { message } of messages) expect(page.message(message.emailId)).toEqual(message);
      }),
    );
  });

  it("holds the largest messages: 50 recipients, 25 headers of 8,192 characters", () => {
    const headers = Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [`x_${index}`, "é".repeat(8_192 - index)]),
    );
    const recipients = Array.from({ length: 50 }, (_, index) => `recipient${index}@example.org`);
    const message = aMessage(TEAM, { headers, recipients, roles: "t".repeat(50) });
    const events = recipients.map((recipient, index) =>
      anEvent(TEAM, { emailId: message.emailId, recipient, occurredAt: NOON + index }),
    );
    const page = openChunk(TEAM, packChunk([{ message, events }]));
    expect(page.message(message.emailId)).toEqual(message);
    expect(page.events().map(({ recipient }) => recipient)).toEqual(recipients.toReversed());
    expect(page.events()[0]?.headers).toEqual(headers);
  });

  it("has each message and each event once, however often it was passed", () => {
    const message = aMessage(TEAM);
    const [first, second] = [1, 2].map((at) =>
      anEvent(TEAM, { emailId: message.emailId, occurredAt: NOON + at }),
    );
    const twice = packChunk([
      { message, events: [first!] },
      { message: { ...message, subject: "another" }, events: [second!, { ...first!, attempt: 9 }] },
    ]);
    const page = openChunk(TEAM, twice);
    expect(page.message(message.emailId)).toEqual(message);
    expect(page.events().map(({ id, attempt }) => [id, attempt])).toEqual([
      [second!.id, null],
      [first!.id, null],
    ]);
  });

  it("keeps an id that can't be derived from the event: one of another time or of another form", () => {
    const events = [eventId(NOON - 1, "x"), eventId(NOON, "x"), "evt_1", "0"].map((id) =>
      anEvent(TEAM, { id }),
    );
    const kept = openChunk(TEAM, packChunk(byMessage(events))).events();
    const idsOf = (all: readonly EventRecord[]) => all.map(({ id }) => id).toSorted();
    expect(idsOf(kept)).toEqual(idsOf(events));
  });

  it("refuses ids that the service did not make, and bytes that are not a chunk", () => {
    const zeros = "00000000-0000-7000-8000-00000000000";
    for (const emailId of ["", "email_1", `mail_${zeros}0`, `email_${zeros}A`])
      expect(() => packChunk(byMessage([anEvent(TEAM, { emailId })]))).toThrow("not a message id");
    expect(() => openChunk(TEAM, new Uint8Array(9))).toThrow();
  });

  it.each([100, 1_000, 20_000])(
    "takes at most 35 bytes per event of a shop that sends every %d ms",
    (every) => {
      const messages = shopMessages(TEAM, 64, every);
      const events = messages.flatMap((one) => one.events);
      expect(events).toHaveLength(128);
      expect(packChunk(messages).length / events.length).toBeLessThanOrEqual(35);
    },
  );
});

describe("a chunk with metadata", () => {
  const pageOf = (...given: Partial<MessageRecord>[]) =>
    packChunk(
      given.map((one) => {
        const message = aMessage(TEAM, one);
        return { message, events: [anEvent(TEAM, { emailId: message.emailId })] };
      }),
    );
  /** Returns the label columns in the packed bytes of a chunk. */
  const labelsOf = (page: Uint8Array) =>
    (JSON.parse(inflateRawSync(page).toString()) as [number, unknown[]])[1].at(-1);

  it("has a column for metadata, and a chunk without metadata has no such column", () => {
    expect(labelsOf(pageOf({}, {}))).toHaveLength(6);
    expect(labelsOf(pageOf({}, { metadata: { order_id: "1042" } }, {}))).toHaveLength(7);
  });
});
