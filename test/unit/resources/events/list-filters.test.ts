// Tests the filters of listEvents() (src/resources/events/history.ts), and that teams see only
// their own events.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOf } from "../../../../src/db/days.ts";
import { newEmailId, newId } from "../../../../src/lib/ids.ts";
import { eventId, type EventRecord } from "../../../../src/contracts/event-records.ts";
import { type EventFilters } from "../../../../src/contracts/history-query.ts";
import { matchOf } from "../../../../src/resources/events/tokens.ts";
import { EVENT_TYPES } from "../../../../src/contracts/event-types.ts";
import { newestFirst } from "./logged-events.ts";
import { anEvent, DAY, env, newTeam, NOON, sorted, write } from "./sample-events.ts";
import { idsOf, pages } from "./list-harness.ts";

/** Returns the filters that an event has a value for. */
function filtersOf(event: EventRecord): EventFilters {
  const all = {
    event_type: event.type,
    recipient: event.recipient.toLowerCase(),
    email_id: event.emailId,
    message_id: event.messageId,
    domain: event.fromDomain,
    topic: event.topic,
    campaign: event.campaign,
    template_id: event.templateId,
    ip_pool: event.ipPool,
    tags: event.tags.length === 0 ? null : event.tags,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/**
 * States the meaning of filters according to contract.md §Pulled history, independently of the
 * code.
 */
function isAskedFor(event: EventRecord, { tags, ...exact }: EventFilters): boolean {
  const own = filtersOf(event);
  return (
    Object.entries(exact).every(([name, value]) => own[name as keyof EventFilters] === value) &&
    (tags === undefined || tags.some((tag) => event.tags.includes(tag)))
  );
}

describe("listEvents: filters", () => {
  const templates = [newId("template"), newId("template")] as const;
  const domains = ["a.example", "b.example"] as const;
  const tagNames = ["red", "Red", "blue", "green"] as const;
  const emails = [
    newEmailId(NOON - 20 * DAY),
    newEmailId(NOON - 2 * DAY),
    newEmailId(NOON - DAY),
  ] as const;
  const messageIds = emails.map((id) => `<${id.slice("email_".length)}@a.example>`);
  const allMessageIds = [...messageIds, "<CAF@mail.example>"] as const;
  const values = {
    event_type: fc.constantFrom(...EVENT_TYPES.slice(0, 3)),
    recipient: fc.constantFrom("ada@example.org", "grace@example.org", "élodie@example.org"),
    email_id: fc.constantFrom(...emails),
    message_id: fc.constantFrom(...allMessageIds),
    domain: fc.constantFrom(...domains),
    topic: fc.constantFrom("receipts", "security"),
    campaign: fc.constantFrom("Spring", "spring", 'a b AND "c"'),
    template_id: fc.constantFrom(...templates),
    ip_pool: fc.constantFrom("fast", "slow"),
  };
  const anyEvent = fc.record({
    type: values.event_type,
    recipient: fc.oneof(values.recipient, fc.constantFrom("Ada@Example.org", "ÉLODIE@example.org")),
    /** The Message-ID of the email itself, one of another form, or one without an id. */
    messageId: fc.option(values.message_id, { freq: 2 }),
    fromDomain: values.domain,
    topic: fc.option(values.topic),
    campaign: fc.option(values.campaign),
    templateId: fc.option(values.template_id),
    ipPool: fc.option(values.ip_pool),
    tags: fc.uniqueArray(fc.constantFrom(...tagNames), { maxLength: 3 }),
    occurredAt: fc.integer({ min: NOON - 5 * DAY, max: NOON }),
    attempt: fc.integer({ min: 1, max: 9 }),
  });
  const anyFilters = fc.record({
    ...values,
    tags: fc.uniqueArray(fc.constantFrom(...tagNames, "none"), { minLength: 1, maxLength: 3 }),
  });
  /**
   * Asks with at most four filters with values of their own or of one of the events, so that most combinations
   * find something.
   */
  const anyAsk = fc.record({
    names: fc.subarray([...Object.keys(values), "tags"] as (keyof EventFilters)[], {
      maxLength: 4,
    }),
    own: anyFilters,
    like: fc.option(fc.nat(), { freq: 3 }),
  });

  it("finds the same events as a plain loop over all events, for every combination", async () => {
    let finds = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvent, { minLength: 1, maxLength: 60 }),
        fc.array(anyAsk, { minLength: 12, maxLength: 12 }),
        async (given, asks) => {
          const [team, neighbour] = [newTeam(), newTeam()];
          const made = given.map(({ messageId, ...fields }, index) => {
            const emailId = newEmailId(fields.occurredAt);
            const sender = `hello@${fields.fromDomain}`;
            const own = {
              ...fields,
              emailId,
              from: sender,
              id: eventId(fields.occurredAt, team.id, `${index}`),
            };
            return anEvent(team.id, messageId === null ? own : { ...own, messageId });
          });
          const events = newestFirst(made).toReversed();
          const foreign = events.map((event) => ({
            ...event,
            teamId: neighbour.id,
            id: eventId(event.occurredAt, event.id),
          }));
          await write(team, events, { perPage: 9 });
          await write(neighbour, foreign, { perPage: 9 });
          for (const { names, own, like } of asks) {
            const source =
              like === null ? own : { ...own, ...filtersOf(events[like % events.length]!) };
            const filters: EventFilters = Object.fromEntries(
              names.map((name) => [name, source[name as keyof typeof source]]),
            );
            const expected = events
              .filter((event) => isAskedFor(event, filters))
              .map(({ id }) => id);
            finds += expected.length;
            expect(sorted(await idsOf(team, { filters, limit: 7 }))).toEqual(sorted(expected));
          }
        },
      ),
      { numRuns: 15 },
    );
    expect(finds).toBeGreaterThan(200);
  });

  it.each([
    ["subject", "GRÖSSE beleg", { subject: "Ihr Beleg: Größe 42, größe 43" }],
    ["event_type", "email.bounced", { type: "email.bounced" }],
    ["recipient", "grace@example.org", { recipient: "Grace@Example.org" }],
    ["email_id", emails[1], { emailId: emails[1] }],
    ["message_id", "<own@elsewhere.example>", { messageId: "<own@elsewhere.example>" }],
    ["domain", "b.example", { fromDomain: "b.example" }],
    ["topic", "security", { topic: "security" }],
    ["campaign", "Spring", { campaign: "Spring" }],
    ["template_id", templates[1], { templateId: templates[1] }],
    ["ip_pool", "fast", { ipPool: "fast" }],
    ["tags", ["blue"], { tags: ["red", "blue"] }],
  ] satisfies [keyof EventFilters, unknown, Partial<EventRecord>][])(
    "%s alone finds its event and no other",
    async (name, value, fields) => {
      const team = newTeam();
      const [wanted, other] = [
        anEvent(team.id, fields),
        anEvent(team.id, { campaign: "spring", topic: "receipts" }),
      ];
      await write(team, [wanted, other]);
      expect(await idsOf(team, { filters: { [name]: value } })).toEqual([wanted.id]);
    },
  );

  it.each([
    { email_id: "nonsense" },
    { email_id: emails[0].slice("email_".length) },
    { email_id: emails[0].toUpperCase() },
    { message_id: "" },
    { template_id: "template_1" },
    { topic: "*" },
    { campaign: "' OR 1=1 --" },
    { ip_pool: "\0" },
    { tags: ['"', "(", "NEAR"] },
    { recipient: "💥" },
  ] satisfies EventFilters[])("answers %j with an empty page", async (filters) => {
    const team = newTeam();
    await write(team, [anEvent(team.id, { emailId: emails[0] })]);
    expect(await idsOf(team, { filters })).toEqual([]);
  });
});

describe("listEvents: teams", () => {
  it("shows no team the events of another, under any filter that both match", async () => {
    const [team, neighbour] = [newTeam(), newTeam()];
    const own = anEvent(team.id, { campaign: "spring" });
    const foreign = anEvent(neighbour.id, { campaign: "spring", emailId: own.emailId });
    await write(team, [own]);
    await write(neighbour, [{ ...foreign, id: eventId(NOON, "foreign") }]);
    for (const filters of [
      {},
      { campaign: "spring" },
      { email_id: own.emailId },
      { recipient: own.recipient },
      { domain: own.fromDomain },
    ]) {
      expect(await idsOf(team, { filters })).toEqual([own.id]);
    }
  });

  it("skips pages that the index finds by mistake, and never opens another team's pages", async () => {
    const [team, neighbour] = [newTeam(), newTeam()];
    const wanted = [1, 2, 3].map((minute) =>
      anEvent(team.id, { campaign: "spring", occurredAt: NOON - minute * 60_000 }),
    );
    const others = [team, neighbour].map((one) =>
      Array.from({ length: 20 }, (_, index) =>
        anEvent(one.id, { campaign: "other", occurredAt: NOON - index * 10_000 }),
      ),
    );
    await write(team, [...wanted, ...others[0]!], { perPage: 1 });
    await write(neighbour, others[1]!, { perPage: 1 });
    // A collision looks like this to the index: every page of the day has a token that another
    // value made.
    const day = dayOf(NOON);
    const sql =
      `INSERT INTO page_index_${day} (rowid, tokens) SELECT key, ?1 FROM pages_${day} ORDER BY ` +
      "key";
    await env.SHARD_0.prepare(sql)
      .bind(matchOf(team.id, { campaign: "spring" }).replaceAll(/[()]/g, ""))
      .run();
    const filters = { campaign: "spring" };
    expect(await pages(team, { filters, limit: 2 })).toEqual([
      [wanted[0]?.id, wanted[1]?.id],
      [wanted[2]?.id],
    ]);
  });
});
