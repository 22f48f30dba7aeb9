// Tests the order and the end of a walk (src/resources/events/walk.ts), wherever its pages lie.
import { describe, expect, it } from "vitest";
import { newestFirst, withTail, writeRows } from "./logged-events.ts";
import { anEvent, DAY, newTeam, NOON, type SampleTeam, write } from "./sample-events.ts";
import { type Asked, HOUR, MINUTE, pagesOf } from "./walk-harness.ts";

describe("a walk", () => {
  /** Writes a page for each row, with events at these moments, appended at `at`. */
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

  it("waits for a page that was appended before those it has read, if it may hold events of a second later", async () => {
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

  it("finds the events of a ten-minute attempt in pages appended at its end", async () => {
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

  it("finds events after its start in pages begun before it, an hour or a second earlier", async () => {
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

  it("shows events that were appended hours late in their place, from any number of pages", async () => {
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

  it("sorts events of one moment by id, and can go on between two of them", async () => {
    const team = newTeam();
    const events = Array.from({ length: 9 }, () => anEvent(team.id));
    await write(team, events.slice(0, 6), { perPage: 2 });
    const pages = await pagesOf(withTail(events.slice(4), 2), team, { limit: 2 });
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 2, 1]);
    expect(pages.flat()).toEqual(newestFirst(events));
  });

  it("never promises an empty page", async () => {
    const team = newTeam();
    const events = [1, 2, 3, 4].map((minute) =>
      anEvent(team.id, { occurredAt: NOON - minute * MINUTE }),
    );
    await write(team, events.slice(2));
    for (const bound of [withTail(events.slice(0, 2)), withTail(events)])
      expect((await pagesOf(bound, team, { limit: 2 })).map((page) => page.length)).toEqual([2, 2]);
  });

  it("returns final events after some 200 pages, or none and where to go on", async () => {
    const team = newTeam();
    // Each page has the topic and the campaign that are asked for, but no event has both.
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
