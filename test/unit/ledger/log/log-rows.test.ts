// Tests src/ledger/log/log-rows.ts: every event is in one row of its day, beside its message, and
// no row is too large.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import type { LoggedMessage } from "../../../../src/rpc/ledger-calls.ts";
import {
  LOG_ROW_CHARACTERS,
  LOG_ROW_EVENTS,
  toLogRows,
} from "../../../../src/ledger/log/log-rows.ts";
import { dayOf } from "../../../../src/db/days.ts";
import { eventOf, messageOf, NOON } from "../ledger-harness.ts";

const DAY = 24 * 60 * 60_000;

function messages(events: readonly (readonly number[])[], headerCharacters = 0): LoggedMessage[] {
  const headers = headerCharacters > 0 ? { x_long: "x".repeat(headerCharacters) } : {};
  return events.map((days, index) => {
    const message = messageOf(`email_${index}`, { headers });
    const eventAt = (day: number, at: number) =>
      eventOf(message.emailId, NOON + day * DAY + at, { attempt: at + 1 });
    return { message, events: days.map(eventAt) };
  });
}

describe("rows of the log", () => {
  it("hold each event once, beside its message, in rows of its day, for any input", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: -1, max: 1 }), { maxLength: 90 }), { maxLength: 12 }),
        (days) => {
          const given = messages(days);
          const rows = toLogRows(given, NOON + 2 * DAY);
          const held = rows.flatMap(({ day, text, count, oldest, newest }) => {
            const parsed = JSON.parse(text) as LoggedMessage[];
            const events = parsed.flatMap(({ message, events: own }) =>
              own.map((event) => ({ emailId: message.emailId, event })),
            );
            const times = events.map(({ event }) => event.occurredAt);
            expect(new Set(times.map(dayOf))).toEqual(new Set([day]));
            const seen = [events.length, Math.min(...times), Math.max(...times)];
            expect(seen).toEqual([count, oldest, newest]);
            expect(count).toBeLessThanOrEqual(LOG_ROW_EVENTS);
            expect(new Set(parsed.map(({ message }) => message.emailId)).size).toBe(parsed.length);
            return events;
          });
          const wanted = given.flatMap(({ message, events }) =>
            events.map((event) => ({ emailId: message.emailId, event })),
          );
          const byId = (all: typeof wanted) =>
            all.toSorted((left, right) => (left.event.id < right.event.id ? -1 : 1));
          expect(byId(held)).toEqual(byId(wanted));
        },
      ),
    );
  });

  it("are as few as the events need", () => {
    expect(toLogRows(messages(Array.from({ length: 96 }, () => [0, 0])), NOON)).toHaveLength(3);
    expect(toLogRows([], NOON)).toEqual([]);
  });

  it("give an event from a clock that is a day ahead the time of its appending", () => {
    const [row] = toLogRows(messages([[1]]), NOON);
    expect([row?.day, row?.newest]).toEqual([dayOf(NOON), NOON]);
  });

  it("end before they are too large, and a larger message has a row of its own", () => {
    const large = toLogRows(messages([[0], [0], [0], [0]], LOG_ROW_CHARACTERS / 3), NOON);
    expect(large.map(({ count }) => count)).toEqual([2, 2]);
    const larger = toLogRows(messages([[0], [0, 0], [0]], LOG_ROW_CHARACTERS), NOON);
    expect(larger.map(({ count }) => count)).toEqual([1, 1, 1, 1]);
    for (const { text } of large) expect(text.length).toBeLessThan(LOG_ROW_CHARACTERS + 1_000);
  });
});
