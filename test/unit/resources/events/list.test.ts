// What src/resources/events guarantees: list.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { newEmailId, newId } from "../../../../src/lib/ids.ts";
import { listEvents } from "../../../../src/resources/events/history.ts";
import { eventId, type EventRecord } from "../../../../src/contracts/event-records.ts";
import { matchOf } from "../../../../src/resources/events/tokens.ts";
import {
  formatPosition,
  positionOf,
  type EventWindow,
} from "../../../../src/resources/events/event-window.ts";
import { newestFirst, withTail } from "./logged-events.ts";
import type { EventFilters } from "../../../../src/contracts/history-query.ts";
import { EVENT_TYPES } from "../../../../src/contracts/event-types.ts";
import { dayOf } from "../../../../src/db/days.ts";
import {
  anEvent,
  DAY,
  env,
  newTeam,
  NOON,
  type SampleTeam,
  sorted,
  write,
} from "./sample-events.ts";

interface Ask {
  readonly filters?: EventFilters;
  readonly window?: EventWindow;
  readonly limit?: number;
  readonly now?: number;
  readonly bound?: Env;
}

/** Every page of a request, as ids. `between` runs before each page but the first. */
async function pages(
  team: SampleTeam,
  { filters = {}, window = { start: 0 }, limit = 100, now = NOON + 1, bound = withTail([]) }: Ask,
  between?: () => Promise<void>,
): Promise<string[][]> {
  const all: string[][] = [];
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    if (!first) await between?.();
    const page = await listEvents(
      bound,
      team,
      filters,
      positionOf(window, after, team.eventRetentionDays, now),
      limit,
    );
    all.push(page.events.map(({ id }) => id));
    after = page.next && formatPosition(page.next);
  }
  return all;
}

async function idsOf(team: SampleTeam, ask: Ask = {}): Promise<string[]> {
  return (await pages(team, ask)).flat();
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
    /** A Message-ID of the email's own, of another's form, or one that holds no id at all. */
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
   * Up to four filters: values of their own, or those of one of the events, so that most
   * combinations find something.
   */
  const anyAsk = fc.record({
    names: fc.subarray([...Object.keys(values), "tags"] as (keyof EventFilters)[], {
      maxLength: 4,
    }),
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
  it("shows no team another's events, under any filter that both have", async () => {
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

  it("pages past what its index finds by mistake, and never looks into another team's pages", async () => {
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
    // What a collision is to the index: every page of the day under a token that another value
    // made.
    const day = dayOf(NOON);
    const sql = `INSERT INTO page_index_${day} (rowid, tokens) SELECT key, ?1 FROM pages_${day} ORDER BY key`;
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

describe("listEvents: window", () => {
  it("includes its start, excludes its end, and is a day up to now by default", async () => {
    const team = newTeam();
    const at = [NOON + 1, NOON, NOON - DAY, NOON - DAY - 1].map((occurredAt) =>
      anEvent(team.id, { occurredAt }),
    );
    await write(team, at);
    const [after, now, edge, before] = at.map(({ id }) => id);
    expect(await idsOf(team, { window: {}, now: NOON })).toEqual([edge]);
    expect(await idsOf(team, { window: {}, now: NOON + 1 })).toEqual([now]);
    expect(
      await idsOf(team, { window: { start: NOON - DAY - 1, end: NOON + 2 }, now: NOON }),
    ).toEqual([after, now, edge, before]);
    expect(await idsOf(team, { window: { start: NOON, end: NOON } })).toEqual([]);
    expect(await idsOf(team, { window: { end: NOON - DAY }, now: NOON })).toEqual([before]);
  });

  it("meets at midnight: what one window ends with, the next one starts with", async () => {
    const team = newTeam();
    const midnight = Date.UTC(2026, 9, 18);
    const events = [midnight, midnight - 1].map((occurredAt) => anEvent(team.id, { occurredAt }));
    await write(team, events);
    expect(await idsOf(team, { window: { start: midnight } })).toEqual([events[0]?.id]);
    expect(await idsOf(team, { window: { start: midnight - DAY, end: midnight } })).toEqual([
      events[1]?.id,
    ]);
  });

  it.each([3, 7, 30])("shows %d days to a plan of so many, and no event older", async (days) => {
    const team = newTeam(days);
    const edge = NOON - days * DAY;
    const events = [NOON, edge, edge - 1].map((occurredAt) => anEvent(team.id, { occurredAt }));
    await write(team, events);
    expect(await idsOf(team, { now: NOON, window: { start: 0, end: NOON + 1 } })).toEqual([
      events[0]?.id,
      events[1]?.id,
    ]);
  });

  it("walks 30 days of which most are empty in three round trips, newest first", async () => {
    const team = newTeam();
    const events = [29, 17, 3, 0].flatMap((day) =>
      [1, 2].map((hour) => anEvent(team.id, { occurredAt: NOON - day * DAY - hour * 3_600_000 })),
    );
    await write(team, events);
    let trips = 0;
    const withSession = (begin: string) => {
      const session = env.SHARD_0.withSession(begin);
      const batch = (statements: D1PreparedStatement[]) => {
        trips += 1;
        return session.batch(statements);
      };
      return {
        batch,
        prepare: (sql: string) => session.prepare(sql),
        getBookmark: () => session.getBookmark(),
      };
    };
    const bound = withTail(
      [],
      1_000,
      {},
      { ...env, SHARD_0: { withSession } as unknown as D1Database },
    );
    expect(await idsOf(team, { bound })).toEqual(newestFirst(events).map(({ id }) => id));
    expect(trips).toBe(3);
  });

  it("skips days that have no tables", async () => {
    const team = newTeam();
    const event = anEvent(team.id, { occurredAt: Date.UTC(2021, 5, 10) });
    await write(team, [event]);
    expect(await idsOf(team, { now: Date.UTC(2021, 5, 20) })).toEqual([event.id]);
    expect(await idsOf(team, { now: Date.UTC(2019, 5, 20) })).toEqual([]);
  });

  it("goes on when a day that it had seen was dropped meanwhile by another isolate", async () => {
    const team = newTeam();
    const days = [Date.UTC(2020, 0, 2), Date.UTC(2020, 0, 1)].map((occurredAt) =>
      anEvent(team.id, { occurredAt }),
    );
    await write(team, days);
    const ask = { now: Date.UTC(2020, 0, 3) };
    expect(await idsOf(team, ask)).toHaveLength(2);
    const drops = [
      "DROP TABLE pages_20200101",
      "DROP TABLE page_index_20200101",
      "DELETE FROM partitions WHERE day = '20200101'",
    ];
    await env.SHARD_0.batch(drops.map((sql) => env.SHARD_0.prepare(sql)));
    expect(await idsOf(team, ask)).toEqual([days[0]?.id]);
  });
});

describe("listEvents: pages", () => {
  it("are full, in order and end with a null, over days and within one millisecond", async () => {
    const team = newTeam();
    const events = Array.from({ length: 25 }, (_, index) =>
      anEvent(team.id, { occurredAt: NOON - Math.floor(index / 5) * 10 * 3_600_000 }),
    );
    await write(team, events);
    const all = await pages(team, { limit: 7 });
    expect(all.map((page) => page.length)).toEqual([7, 7, 7, 4]);
    expect(new Set(all.flat())).toEqual(new Set(events.map(({ id }) => id)));
    const times = new Map(events.map(({ id, occurredAt }) => [id, occurredAt]));
    expect(all.flat().map((id) => times.get(id))).toEqual(
      newestFirst(events).map(({ occurredAt }) => occurredAt),
    );
  });

  it("promise no next page that would be empty", async () => {
    const team = newTeam();
    const events = [0, 1, 2, 3].map((day) => anEvent(team.id, { occurredAt: NOON - day * DAY }));
    await write(team, events);
    expect((await pages(team, { limit: 2 })).map((page) => page.length)).toEqual([2, 2]);
    expect((await pages(team, { limit: 4 })).map((page) => page.length)).toEqual([4]);
    expect(await pages(newTeam(), {})).toEqual([[]]);
  });

  it("neither repeat nor leave out what was there at the first, while events arrive at every time", async () => {
    const team = newTeam();
    const at = (index: number) => NOON - 4 * DAY + Math.floor((index * 4 * DAY) / 60);
    const events = Array.from({ length: 60 }, (_, index) =>
      anEvent(team.id, { occurredAt: at(index) }),
    );
    await write(team, events);
    let arrivals = 0;
    const all = await pages(team, { limit: 9, now: NOON }, async () => {
      arrivals += 3;
      const late = [NOON - 1, NOON + arrivals, NOON - 3 * DAY].map((occurredAt) =>
        anEvent(team.id, { occurredAt }),
      );
      await write(team, late);
    });
    const shown = all.flat();
    expect(arrivals).toBeGreaterThan(15);
    expect(new Set(shown).size).toBe(shown.length);
    expect(events.filter(({ id }) => !shown.includes(id))).toEqual([]);
  });

  it("end with the first page's window, though the clock went on", async () => {
    const team = newTeam();
    const events = [1, 2, 3].map((hour) =>
      anEvent(team.id, { occurredAt: NOON - hour * 3_600_000 }),
    );
    const older = anEvent(team.id, { occurredAt: NOON - DAY - 1 });
    await write(team, [...events, older]);
    const first = await listEvents(withTail([]), team, {}, positionOf({}, null, 30, NOON), 1);
    const later = positionOf({ start: 0 }, formatPosition(first.next!), 30, NOON + DAY);
    const rest = await listEvents(withTail([]), team, {}, later, 100);
    expect([first.events[0]?.id, ...rest.events.map(({ id }) => id)]).toEqual(
      events.map(({ id }) => id),
    );
  });
});
