// What src/resources/events guarantees: list.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HistoryScope } from "../../../../src/db/client.ts";
import { newEmailId, newId } from "../../../../src/lib/ids.ts";
import { type EventFilters, matchOf } from "../../../../src/resources/events/index.ts";
import { eventId, type EventRecord } from "../../../../src/resources/events/records.ts";
import { packEvent } from "../../../../src/resources/events/rows.ts";
import { insertHistory, listEvents } from "../../../../src/resources/events/store.ts";
import { formatPosition, positionOf, type Window } from "../../../../src/resources/events/window.ts";
import { EVENT_TYPES } from "../../../../src/resources/events/wire.ts";
import { anEvent, DAY, newTeam, NOON, sorted } from "./sample.ts";

interface Ask {
  readonly filters?: EventFilters;
  readonly window?: Window;
  readonly limit?: number;
  readonly now?: number;
}

/** Every page of a request, as ids. `between` runs before each page but the first. */
async function pages(
  scope: HistoryScope,
  { filters = {}, window = { start: 0 }, limit = 100, now = NOON + 1 }: Ask,
  between?: () => Promise<void>,
): Promise<string[][]> {
  const all: string[][] = [];
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    if (!first) await between?.();
    const page = await listEvents(scope, filters, positionOf(window, after, scope.retentionDays, now), limit);
    all.push(page.events.map(({ id }) => id));
    after = page.next && formatPosition(page.next);
  }
  return all;
}

async function idsOf(scope: HistoryScope, ask: Ask = {}): Promise<string[]> {
  return (await pages(scope, ask)).flat();
}

function newestFirst(events: readonly EventRecord[]): EventRecord[] {
  return events.toSorted((left, right) => right.occurredAt - left.occurredAt);
}

/** The filters that an event has a value for. */
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

/** The filters' meaning, written down from contract.md §Pulled history and not from the code. */
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
  const emails = [newEmailId(NOON - 20 * DAY), newEmailId(NOON - 2 * DAY), newEmailId(NOON - DAY)] as const;
  const messageIds = emails.map((id) => `<${id.slice("email_".length)}@a.example>`);
  // One belongs to another email's form, one holds no id at all.
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
    emailId: values.email_id,
    messageId: values.message_id,
    fromDomain: values.domain,
    topic: fc.option(values.topic),
    campaign: fc.option(values.campaign),
    templateId: fc.option(values.template_id),
    ipPool: fc.option(values.ip_pool),
    tags: fc.uniqueArray(fc.constantFrom(...tagNames), { maxLength: 3 }),
    occurredAt: fc.integer({ min: NOON - 5 * DAY, max: NOON }),
    attempt: fc.integer({ min: 1, max: 9 }),
  });
  const anyFilters = fc.record({ ...values, tags: fc.uniqueArray(fc.constantFrom(...tagNames, "none"), { minLength: 1, maxLength: 3 }) });
  /** Up to four filters: values of their own, or those of one of the events, so that most combinations find something. */
  const anyAsk = fc.record({
    names: fc.subarray([...Object.keys(values), "tags"] as (keyof EventFilters)[], { maxLength: 4 }),
    own: anyFilters,
    like: fc.option(fc.nat(), { freq: 3 }),
  });

  it("finds what a plain loop over the events finds, for every combination", async () => {
    let finds = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvent, { minLength: 1, maxLength: 60 }),
        fc.array(anyAsk, { minLength: 12, maxLength: 12 }),
        async (given, asks) => {
          const [scope, neighbour] = [newTeam(), newTeam()];
          // Ids of this run's own: the same fields may have been an event of another before.
          const idOf = (fields: (typeof given)[number]) => eventId(fields.occurredAt, scope.teamId, JSON.stringify(fields));
          const made = given.map((fields) => anEvent(scope.teamId, { ...fields, id: idOf(fields) }));
          const events = [...new Map(made.map((event) => [event.id, event])).values()];
          const foreign = events.map((event) => ({ ...event, teamId: neighbour.teamId, id: eventId(event.occurredAt, event.id) }));
          await insertHistory(scope.db, [], [...events, ...foreign]);
          for (const { names, own, like } of asks) {
            const source = like === null ? own : { ...own, ...filtersOf(events[like % events.length]!) };
            const filters = Object.fromEntries(names.map((name) => [name, source[name]]));
            const expected = events.filter((event) => isAskedFor(event, filters)).map(({ id }) => id);
            finds += expected.length;
            expect(sorted(await idsOf(scope, { filters, limit: 7 }))).toEqual(sorted(expected));
          }
        },
      ),
      { numRuns: 15 },
    );
    expect(finds).toBeGreaterThan(200);
  });

  it.each([
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
      const scope = newTeam();
      const [wanted, other] = [anEvent(scope.teamId, fields), anEvent(scope.teamId, { campaign: "spring", topic: "receipts" })];
      await insertHistory(scope.db, [], [wanted, other]);
      expect(await idsOf(scope, { filters: { [name]: value } })).toEqual([wanted.id]);
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
    const scope = newTeam();
    await insertHistory(scope.db, [], [anEvent(scope.teamId, { emailId: emails[0] })]);
    expect(await idsOf(scope, { filters })).toEqual([]);
  });
});

describe("listEvents: teams", () => {
  it("shows no team another's events, under any filter that both have", async () => {
    const [scope, neighbour] = [newTeam(), newTeam()];
    const own = anEvent(scope.teamId, { campaign: "spring" });
    const foreign = anEvent(neighbour.teamId, { campaign: "spring", emailId: own.emailId });
    await insertHistory(scope.db, [], [own, { ...foreign, id: eventId(NOON, "foreign") }]);
    for (const filters of [
      {},
      { campaign: "spring" },
      { email_id: own.emailId },
      { recipient: own.recipient },
      { domain: own.fromDomain },
    ]) {
      expect(await idsOf(scope, { filters })).toEqual([own.id]);
    }
  });

  it("shows no team another's row when their tokens collide, and pages past its own false finds", async () => {
    const [scope, neighbour] = [newTeam(), newTeam()];
    const wanted = [1, 2, 3].map((minute) => anEvent(scope.teamId, { campaign: "spring", occurredAt: NOON - minute * 60_000 }));
    const mixed = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0
        ? anEvent(scope.teamId, { campaign: "other", occurredAt: NOON - index * 5_000 })
        : anEvent(neighbour.teamId, { campaign: "spring", occurredAt: NOON - index * 5_000 }),
    );
    await insertHistory(scope.db, [], wanted);
    await insertHistory(scope.db, [], mixed);
    // What a collision is to the index: rows under a token that another value made.
    const token = matchOf(scope.teamId, { campaign: "spring" });
    for (const event of mixed) {
      const { day, key } = packEvent(event);
      await scope.db.prepare(`INSERT INTO event_index_${day} (rowid, tokens) VALUES (?1, ?2)`).bind(key, token).run();
    }
    const filters = { campaign: "spring" };
    expect(await pages(scope, { filters, limit: 2 })).toEqual([[wanted[0]?.id, wanted[1]?.id], [wanted[2]?.id]]);
  });
});

describe("listEvents: window", () => {
  it("includes its start, excludes its end, and is a day up to now by default", async () => {
    const scope = newTeam();
    const at = [NOON + 1, NOON, NOON - DAY, NOON - DAY - 1].map((occurredAt) => anEvent(scope.teamId, { occurredAt }));
    await insertHistory(scope.db, [], at);
    const [after, now, edge, before] = at.map(({ id }) => id);
    expect(await idsOf(scope, { window: {}, now: NOON })).toEqual([edge]);
    expect(await idsOf(scope, { window: {}, now: NOON + 1 })).toEqual([now]);
    expect(await idsOf(scope, { window: { start: NOON - DAY - 1, end: NOON + 2 }, now: NOON })).toEqual([after, now, edge, before]);
    expect(await idsOf(scope, { window: { start: NOON, end: NOON } })).toEqual([]);
    expect(await idsOf(scope, { window: { end: NOON - DAY }, now: NOON })).toEqual([before]);
  });

  it("meets at midnight: what one window ends with, the next one starts with", async () => {
    const scope = newTeam();
    const midnight = Date.UTC(2026, 9, 18);
    const events = [midnight, midnight - 1].map((occurredAt) => anEvent(scope.teamId, { occurredAt }));
    await insertHistory(scope.db, [], events);
    expect(await idsOf(scope, { window: { start: midnight } })).toEqual([events[0]?.id]);
    expect(await idsOf(scope, { window: { start: midnight - DAY, end: midnight } })).toEqual([events[1]?.id]);
  });

  it.each([3, 7, 30])("shows %d days to a plan of so many, and no event older", async (days) => {
    const scope = newTeam(days);
    const edge = NOON - days * DAY;
    const events = [NOON, edge, edge - 1].map((occurredAt) => anEvent(scope.teamId, { occurredAt }));
    await insertHistory(scope.db, [], events);
    expect(await idsOf(scope, { now: NOON, window: { start: 0, end: NOON + 1 } })).toEqual([events[0]?.id, events[1]?.id]);
  });

  it("walks 30 days of which most are empty in three round trips, newest first", async () => {
    const scope = newTeam();
    const events = [29, 17, 3, 0].flatMap((day) =>
      [1, 2].map((hour) => anEvent(scope.teamId, { occurredAt: NOON - day * DAY - hour * 3_600_000 })),
    );
    await insertHistory(scope.db, [], events);
    let trips = 0;
    const counting = {
      prepare: (sql: string) => scope.db.prepare(sql),
      batch: (statements: D1PreparedStatement[]) => {
        trips += 1;
        return scope.db.batch(statements);
      },
    } as unknown as D1Database;
    expect(await idsOf({ ...scope, db: counting })).toEqual(newestFirst(events).map(({ id }) => id));
    expect(trips).toBe(3);
  });

  it("skips days that have no tables", async () => {
    const scope = newTeam();
    const event = anEvent(scope.teamId, { occurredAt: Date.UTC(2021, 5, 10) });
    await insertHistory(scope.db, [], [event]);
    expect(await idsOf(scope, { now: Date.UTC(2021, 5, 20) })).toEqual([event.id]);
    expect(await idsOf(scope, { now: Date.UTC(2019, 5, 20) })).toEqual([]);
  });

  it("goes on when a day that it had seen was dropped meanwhile by another isolate", async () => {
    const scope = newTeam();
    const days = [Date.UTC(2020, 0, 2), Date.UTC(2020, 0, 1)].map((occurredAt) => anEvent(scope.teamId, { occurredAt }));
    await insertHistory(scope.db, [], days);
    const ask = { now: Date.UTC(2020, 0, 3) };
    expect(await idsOf(scope, ask)).toHaveLength(2);
    await scope.db.batch(
      ["DROP TABLE events_20200101", "DROP TABLE event_index_20200101", "DELETE FROM partitions WHERE day = '20200101'"].map((sql) =>
        scope.db.prepare(sql),
      ),
    );
    expect(await idsOf(scope, ask)).toEqual([days[0]?.id]);
  });
});

describe("listEvents: pages", () => {
  it("are full, in order and end with a null, over days and within one millisecond", async () => {
    const scope = newTeam();
    const events = Array.from({ length: 25 }, (_, index) =>
      anEvent(scope.teamId, { occurredAt: NOON - Math.floor(index / 5) * 10 * 3_600_000 }),
    );
    await insertHistory(scope.db, [], events);
    const all = await pages(scope, { limit: 7 });
    expect(all.map((page) => page.length)).toEqual([7, 7, 7, 4]);
    expect(new Set(all.flat())).toEqual(new Set(events.map(({ id }) => id)));
    const times = new Map(events.map(({ id, occurredAt }) => [id, occurredAt]));
    expect(all.flat().map((id) => times.get(id))).toEqual(newestFirst(events).map(({ occurredAt }) => occurredAt));
  });

  it("promise no next page that would be empty", async () => {
    const scope = newTeam();
    const events = [0, 1, 2, 3].map((day) => anEvent(scope.teamId, { occurredAt: NOON - day * DAY }));
    await insertHistory(scope.db, [], events);
    expect((await pages(scope, { limit: 2 })).map((page) => page.length)).toEqual([2, 2]);
    expect((await pages(scope, { limit: 4 })).map((page) => page.length)).toEqual([4]);
    expect(await pages(newTeam(), {})).toEqual([[]]);
  });

  it("neither repeat nor leave out what was there at the first, while events arrive at every time", async () => {
    const scope = newTeam();
    const at = (index: number) => NOON - 4 * DAY + Math.floor((index * 4 * DAY) / 60);
    const events = Array.from({ length: 60 }, (_, index) => anEvent(scope.teamId, { occurredAt: at(index) }));
    await insertHistory(scope.db, [], events);
    let arrivals = 0;
    const all = await pages(scope, { limit: 9, now: NOON }, async () => {
      arrivals += 3;
      const late = [NOON - 1, NOON + arrivals, NOON - 3 * DAY].map((occurredAt) => anEvent(scope.teamId, { occurredAt }));
      await insertHistory(scope.db, [], late);
    });
    const shown = all.flat();
    expect(arrivals).toBeGreaterThan(15);
    expect(new Set(shown).size).toBe(shown.length);
    expect(events.filter(({ id }) => !shown.includes(id))).toEqual([]);
  });

  it("end with the first page's window, though the clock went on", async () => {
    const scope = newTeam();
    const events = [1, 2, 3].map((hour) => anEvent(scope.teamId, { occurredAt: NOON - hour * 3_600_000 }));
    const older = anEvent(scope.teamId, { occurredAt: NOON - DAY - 1 });
    await insertHistory(scope.db, [], [...events, older]);
    const first = await listEvents(scope, {}, positionOf({}, null, 30, NOON), 1);
    const later = positionOf({ start: 0 }, formatPosition(first.next!), 30, NOON + DAY);
    const rest = await listEvents(scope, {}, later, 100);
    expect([first.events[0]?.id, ...rest.events.map(({ id }) => id)]).toEqual(events.map(({ id }) => id));
  });
});
