// What src/resources/events/history.ts guarantees of walks: that they show every event once and in
// order, whatever was appended late and wherever it lies.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { newEmailId, newId } from "../../../../src/lib/ids.ts";
import { listEvents } from "../../../../src/resources/events/history.ts";
import {
  eventId,
  type EventRecord,
  type MessageRecord,
} from "../../../../src/contracts/event-records.ts";
import { matches } from "../../../../src/resources/events/tokens.ts";
import { formatPosition, positionOf } from "../../../../src/resources/events/event-window.ts";
import { dayOfRow, type TestLogRow, newestFirst, withTail, writeRows } from "./logged-events.ts";
import type { ShardSpan } from "../../../../src/contracts/shard-types.ts";
import type { WholeEventFilters, Position } from "../../../../src/contracts/history-query.ts";
import { EVENT_TYPES } from "../../../../src/contracts/event-types.ts";
import { dayOf } from "../../../../src/db/days.ts";
import {
  aMessage,
  anEvent,
  DAY,
  newTeam,
  NOON,
  ofMessage,
  type SampleTeam,
  write,
} from "./sample-events.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Two shards, one more from the day before the last. */
const SPANS: readonly ShardSpan[] = [
  { from: "20200101", shards: [0] },
  { from: dayOf(NOON - DAY), shards: [0, 1] },
];

interface Asked {
  readonly filters?: WholeEventFilters;
  readonly start?: number;
  readonly end?: number;
  readonly limit?: number;
}

/**
 * The pages that a client gets that goes on until there is no cursor left, each cursor as text
 * between.
 */
async function pagesOf(
  given: Env,
  team: SampleTeam,
  { filters = {}, start = 0, end = NOON + DAY, limit = 100 }: Asked,
): Promise<EventRecord[][]> {
  const pages: EventRecord[][] = [];
  let position: Position | null = positionOf({ start, end }, null, 30, NOON + DAY);
  while (position) {
    const page: Awaited<ReturnType<typeof listEvents>> = await listEvents(
      given,
      team,
      filters,
      position,
      limit,
    );
    expect(page.events.length).toBeLessThanOrEqual(limit);
    pages.push([...page.events]);
    position = page.next && positionOf({}, formatPosition(page.next), 30, NOON + DAY);
  }
  return pages;
}

describe("a walk", () => {
  const templates = [newId("template"), newId("template")] as const;
  const labels = {
    topic: ["receipts", "security"],
    campaign: ["spring", "autumn"],
    templateId: templates,
    tags: [["red"], ["blue", "red"], ["green"]],
    subject: ["Your order has been shipped", "Your receipt", "Ihr Beleg: Größe 42"],
  } as const;
  const anyMessage = fc.record({
    topic: fc.option(fc.constantFrom(...labels.topic)),
    campaign: fc.option(fc.constantFrom(...labels.campaign)),
    templateId: fc.option(fc.constantFrom(...labels.templateId)),
    tags: fc.constantFrom(...labels.tags),
    subject: fc.constantFrom(...labels.subject),
    fromDomain: fc.constantFrom("a.example", "b.example"),
  });
  /**
   * How long before its appending an event happened: most at once, some at the end of an attempt,
   * few at any time.
   */
  const delay = fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: -1_000, max: 3_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 10 * MINUTE }) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc.integer({ min: -2 * MINUTE, max: HOUR }),
        fc.integer({ min: 0, max: 30 * HOUR }),
      ),
    },
  );
  const gap = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 2_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 20 * MINUTE }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 * HOUR }) },
  );
  const anyRow = fc.record({
    gap,
    events: fc.array(
      fc.record({ delay, message: fc.nat(), type: fc.nat(), recipient: fc.nat(1) }),
      { minLength: 1, maxLength: 3 },
    ),
  });
  const anyLog = fc.record({
    messages: fc.array(anyMessage, { minLength: 1, maxLength: 6 }),
    rows: fc.array(anyRow, { minLength: 1, maxLength: 150, size: "max" }),
    /** How many rows each page takes, in turn. */
    pages: fc.array(fc.constantFrom(1, 1, 1, 2, 6), { minLength: 1, maxLength: 4 }),
    /** How many of the last rows are in no page, and how many more are in the tail all the same. */
    unpaged: fc.nat(6),
    overlap: fc.nat(4),
    tailMost: fc.constantFrom(3, 1_000),
  });
  const anyAsk = fc.record({
    names: fc.subarray(
      [
        "event_type",
        "topic",
        "campaign",
        "template_id",
        "tags",
        "domain",
        "recipient",
        "email_id",
        "subject",
      ] as const,
      {
        maxLength: 3,
      },
    ),
    like: fc.nat(),
    start: fc.option(fc.integer({ min: NOON - 3 * DAY, max: NOON + DAY })),
    end: fc.option(fc.integer({ min: NOON - 3 * DAY, max: NOON + DAY })),
    limit: fc.constantFrom(2, 7, 30),
  });

  /** Rows hold events of one day: those of another begin a row of their own. */
  function rowsOf(
    given: readonly (typeof anyRow extends fc.Arbitrary<infer Row> ? Row : never)[],
    messages: readonly MessageRecord[],
  ): TestLogRow[] {
    let [at, seq] = [NOON - 2 * DAY, 0];
    return given.flatMap(({ gap: wait, events }) => {
      at += wait;
      const made = events.map(({ delay: late, message, type, recipient }, index) => {
        const about = messages[message % messages.length]!;
        const occurredAt = at - late;
        const what = {
          type: EVENT_TYPES[type % EVENT_TYPES.length]!,
          recipient: about.recipients[recipient]!,
        };
        return ofMessage(about, {
          occurredAt,
          id: eventId(occurredAt, about.emailId, `${seq} ${index}`),
          ...what,
        });
      });
      return Array.from(
        Map.groupBy(made, ({ occurredAt }) => dayOf(occurredAt)),
        ([, own]) => ({ seq: (seq += 1), at: (at += 1), events: own }),
      );
    });
  }

  async function writeLog(
    team: SampleTeam,
    log: typeof anyLog extends fc.Arbitrary<infer Log> ? Log : never,
    messages: readonly MessageRecord[],
  ) {
    const rows = rowsOf(log.rows, messages);
    const paged = rows.slice(0, Math.max(0, rows.length - log.unpaged));
    const pages: TestLogRow[][] = [];
    for (const onDay of Map.groupBy(paged, dayOfRow).values())
      for (let first = 0, page = 0; first < onDay.length; page += 1) {
        const count = log.pages[page % log.pages.length]!;
        pages.push(onDay.slice(first, first + count));
        first += count;
      }
    await Promise.all(pages.map((page) => writeRows(team, page, messages)));
    const tail = rows.slice(Math.max(0, paged.length - log.overlap)).flatMap((row) => row.events);
    return {
      events: newestFirst(rows.flatMap((row) => row.events)),
      bound: withTail(tail, log.tailMost),
    };
  }

  function filtersLike(event: EventRecord, names: readonly string[]): WholeEventFilters {
    const all: WholeEventFilters = {
      event_type: event.type,
      topic: event.topic ?? "receipts",
      campaign: event.campaign ?? "spring",
      template_id: event.templateId ?? templates[0],
      tags: [...event.tags],
      domain: event.fromDomain,
      recipient: event.recipient.toLowerCase(),
      email_id: event.emailId,
      subject: event.subject.toUpperCase().split(" ").slice(-2).join(" "),
    };
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
  }

  it("shows what a plain sorted list shows, whatever lies where and however late it was appended", async () => {
    let finds = 0;
    await fc.assert(
      fc.asyncProperty(
        anyLog,
        fc.array(anyAsk, { minLength: 8, maxLength: 8 }),
        async (log, asks) => {
          const team = newTeam(30, SPANS);
          const messages = log.messages.map((given) =>
            aMessage(team.id, { emailId: newEmailId(NOON - 2 * DAY), ...given }),
          );
          const { events, bound } = await writeLog(team, log, messages);
          for (const { names, like, start, end, limit } of asks) {
            const filters = filtersLike(events[like % events.length]!, names);
            const window = { start: start ?? 0, end: end ?? NOON + DAY };
            const expected = events.filter(
              (event) =>
                event.occurredAt >= window.start &&
                event.occurredAt < window.end &&
                matches(event, filters),
            );
            finds += expected.length;
            const found = (await pagesOf(bound, team, { filters, ...window, limit })).flat();
            expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
            expect(found).toEqual(expected);
          }
        },
      ),
      { numRuns: 8, seed: 16, endOnFailure: true },
    );
    expect(finds).toBeGreaterThan(500);
  });

  /** A page for each row, of events at these moments, appended at `at`. */
  async function pagesAt(
    team: SampleTeam,
    rows: readonly { readonly at: number; readonly times: readonly number[] }[],
  ): Promise<void> {
    await Promise.all(
      rows.map(({ at, times }, seq) =>
        writeRows(
          team,
          [{ seq, at, events: times.map((occurredAt) => anEvent(team.id, { occurredAt })) }],
          [],
        ),
      ),
    );
  }

  async function timesOf(team: SampleTeam, asked: Asked): Promise<number[]> {
    const [page] = await pagesOf(withTail([]), team, asked);
    return page!.map(({ occurredAt }) => occurredAt - NOON);
  }

  it("waits for a page that was appended before those it has read, and may hold what happened a second after", async () => {
    const team = newTeam();
    const late = { at: NOON - 7, times: [NOON + 993] };
    await pagesAt(team, [
      ...Array.from({ length: 12 }, (_, index) => ({
        at: NOON - index,
        times: [NOON - index],
      })).toSpliced(7, 1),
      late,
    ]);
    expect(await timesOf(team, { limit: 3 })).toEqual([993, 0, -1]);
  });

  it("looks for what happened in an attempt of ten minutes among the pages of its end", async () => {
    const team = newTeam();
    await pagesAt(team, [
      { at: NOON, times: [NOON - 10 * MINUTE] },
      { at: NOON - 1, times: [NOON - 1] },
      { at: NOON - 20 * MINUTE, times: [NOON - 20 * MINUTE] },
    ]);
    expect(await timesOf(team, { end: NOON - 10 * MINUTE + 1 })).toEqual([
      -10 * MINUTE,
      -20 * MINUTE,
    ]);
  });

  it("looks for its start in pages that were begun before it, an hour ago or a second", async () => {
    const team = newTeam();
    const row = (seq: number, at: number, occurredAt = at) => ({
      seq,
      at,
      events: [anEvent(team.id, { occurredAt })],
    });
    await writeRows(team, [row(1, NOON - 2 * HOUR), row(2, NOON - HOUR), row(3, NOON - 5_000)], []);
    await writeRows(team, [row(4, NOON, NOON + 1_000)], []);
    await writeRows(team, [row(5, NOON + 1)], []);
    expect(await timesOf(team, { start: NOON - 5_000 })).toEqual([1_000, 1, -5_000]);
    expect(await timesOf(team, { start: NOON - 90 * MINUTE })).toEqual([1_000, 1, -5_000, -HOUR]);
    expect(await timesOf(team, { start: NOON + 1_000 })).toEqual([1_000]);
  });

  it("shows what was appended hours late in its place, of however many pages", async () => {
    const team = newTeam();
    const strays = Array.from({ length: 12 }, (_, index) => ({
      at: NOON + 9 * HOUR + index,
      times: [NOON - index * 1_000, NOON - index * 1_000 - MINUTE],
    }));
    await pagesAt(team, [{ at: NOON, times: [NOON - 500] }, ...strays]);
    expect(await timesOf(team, { end: NOON + 1, limit: 8 })).toEqual([
      0, -500, -1_000, -2_000, -3_000, -4_000, -5_000, -6_000,
    ]);
    const all = (await pagesOf(withTail([]), team, { end: NOON + 1, limit: 5 }))
      .flat()
      .map(({ occurredAt }) => occurredAt);
    expect(all).toEqual(
      strays
        .flatMap(({ times }) => times)
        .concat(NOON - 500)
        .toSorted((left, right) => right - left),
    );
  });

  it("shows events of one moment by their ids, and goes on between two of them", async () => {
    const team = newTeam();
    const events = Array.from({ length: 9 }, () => anEvent(team.id));
    await write(team, events.slice(0, 6), { perPage: 2 });
    const pages = await pagesOf(withTail(events.slice(4), 2), team, { limit: 2 });
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 2, 1]);
    expect(pages.flat()).toEqual(newestFirst(events));
  });

  it("promises no page that would be empty", async () => {
    const team = newTeam();
    const events = [1, 2, 3, 4].map((minute) =>
      anEvent(team.id, { occurredAt: NOON - minute * MINUTE }),
    );
    await write(team, events.slice(2));
    for (const bound of [withTail(events.slice(0, 2)), withTail(events)])
      expect((await pagesOf(bound, team, { limit: 2 })).map((page) => page.length)).toEqual([2, 2]);
  });

  it("answers after some 200 pages with what is final, if only with where to go on", async () => {
    const team = newTeam();
    // Each page has the topic and the campaign that are asked for, and no event has both.
    const decoys = Array.from({ length: 450 }, (_, index) => NOON - index * 1_000).map(
      (at, seq) => ({
        seq,
        at,
        events: [
          anEvent(team.id, { occurredAt: at, topic: "receipts" }),
          anEvent(team.id, { occurredAt: at - 1, campaign: "spring" }),
        ],
      }),
    );
    const wanted = anEvent(team.id, {
      occurredAt: NOON - HOUR,
      topic: "receipts",
      campaign: "spring",
    });
    await Promise.all(decoys.map((row) => writeRows(team, [row], [])));
    await write(team, [wanted]);
    const filters = { topic: "receipts", campaign: "spring" };
    const pages = await pagesOf(withTail([]), team, { filters, start: NOON - DAY });
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([[], [], [wanted.id]]);
  });
});
