// Compares scans with a plain sorted list (src/resources/events/history.ts): a scan shows every
// event once and in order, wherever the event lies and however late it was appended.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { dayOf } from "../../../../src/db/days.ts";
import { newEmailId, newId } from "../../../../src/lib/ids.ts";
import {
  eventId,
  type EventRecord,
  type MessageRecord,
} from "../../../../src/rpc/event-records.ts";
import { matchesMessage } from "../../../../src/resources/events/event-filters.ts";
import { type WholeEventFilters } from "../../../../src/rpc/history-query.ts";
import { EVENT_TYPES } from "../../../../src/rpc/event-types.ts";
import {
  dayOfRow,
  type TestLogRow,
  newestFirst,
  withRecentEvents,
  writeRows,
} from "./logged-events.ts";
import { aMessage, DAY, newTeam, NOON, ofMessage, type SampleTeam } from "./sample-events.ts";
import { HOUR, MINUTE, pagesOf, SPANS } from "./scan-harness.ts";

describe("a scan", () => {
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
   * Time between an event and its appending. Most events are appended at once, some at the end of
   * an attempt, a few at any time.
   */
  const delay = fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: -1_000, max: 3_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 10 * MINUTE }) },
    { weight: 1, arbitrary: fc.integer({ min: -2 * MINUTE, max: HOUR }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 30 * HOUR }) },
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
    /** Number of rows in each chunk. The list starts again after its last number. */
    pages: fc.array(fc.constantFrom(1, 1, 1, 2, 6), { minLength: 1, maxLength: 4 }),
    /**
     * `unpaged`: the number of newest rows that are not yet in a chunk. `overlap`: the number of
     * rows that are already in a chunk, but also still among the recent events.
     */
    unpaged: fc.nat(6),
    overlap: fc.nat(4),
    recentMost: fc.constantFrom(3, 1_000),
  });
  const anyAsk = fc.record({
    names: fc.subarray(
      "event_type topic campaign template_id tags domain recipient email_id subject".split(" "),
      { maxLength: 3 },
    ),
    like: fc.nat(),
    start: fc.option(fc.integer({ min: NOON - 3 * DAY, max: NOON + DAY })),
    end: fc.option(fc.integer({ min: NOON - 3 * DAY, max: NOON + DAY })),
    limit: fc.constantFrom(2, 7, 30),
  });

  /** Rows hold events of one day, so each day begins a new row. */
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
        const id = eventId(occurredAt, about.emailId, `${seq} ${index}`);
        const what = EVENT_TYPES[type % EVENT_TYPES.length]!;
        const to = about.recipients[recipient]!;
        return ofMessage(about, { occurredAt, id, type: what, recipient: to });
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
    const recent = rows.slice(Math.max(0, paged.length - log.overlap)).flatMap((row) => row.events);
    return {
      events: newestFirst(rows.flatMap((row) => row.events)),
      bound: withRecentEvents(recent, log.recentMost),
    };
  }

  const filtersOf = (event: EventRecord) => ({
    event_type: event.type,
    topic: event.topic ?? "receipts",
    campaign: event.campaign ?? "spring",
    template_id: event.templateId ?? templates[0],
    tags: [...event.tags],
    domain: event.fromDomain,
    recipient: event.recipient.toLowerCase(),
    email_id: event.emailId,
    subject: event.subject.toUpperCase().split(" ").slice(-2).join(" "),
  });

  function filtersLike(event: EventRecord, names: readonly string[]): WholeEventFilters {
    const all = Object.entries(filtersOf(event));
    return Object.fromEntries(all.filter(([name]) => names.includes(name)));
  }

  /**
   * Decides by contract.md §Pulled history whether an event passes the filters. Only the filter by
   * subject uses the product's code, which other tests cover.
   */
  function isAskedFor(event: EventRecord, { tags, subject, ...exact }: WholeEventFilters): boolean {
    const { topic, campaign, templateId: template_id } = event;
    const own = { ...filtersOf(event), topic, campaign, template_id };
    return (
      Object.entries(exact).every(([name, value]) => own[name as keyof typeof own] === value) &&
      (tags === undefined || tags.some((tag) => event.tags.includes(tag))) &&
      (subject === undefined || matchesMessage(event, { subject }))
    );
  }

  it("shows the same as a plain sorted list, wherever events lie and however late they were appended", async () => {
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
                isAskedFor(event, filters),
            );
            finds += expected.length;
            const found = (await pagesOf(bound, team, { filters, ...window, limit })).flat();
            expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
            expect(found).toEqual(expected);
          }
        },
      ),
      { numRuns: 3, seed: 16, endOnFailure: true },
    );
    expect(finds).toBeGreaterThan(90);
  });
});
