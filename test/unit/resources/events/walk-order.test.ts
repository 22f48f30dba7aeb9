// Tests the order and the end of a walk (src/resources/events/walk.ts), wherever its pages lie.
import { describe, expect, it } from "vitest";
import { withRecentEvents, writeRows } from "./logged-events.ts";
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
    const [page] = await pagesOf(withRecentEvents([]), team, asked);
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

  it("never promises an empty page", async () => {
    const team = newTeam();
    const events = [1, 2, 3, 4].map((minute) =>
      anEvent(team.id, { occurredAt: NOON - minute * MINUTE }),
    );
    await write(team, events.slice(2));
    for (const bound of [withRecentEvents(events.slice(0, 2)), withRecentEvents(events)])
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
    const pages = await pagesOf(withRecentEvents([]), team, { filters, start: NOON - DAY });
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([[], [], [wanted.id]]);
  });
});
