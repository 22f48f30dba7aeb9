// Tests the order of a scan's events, and where the scan ends (src/resources/events/chunk-scan.ts),
// wherever its chunks lie.
import { describe, expect, it } from "vitest";
import { withRecentEvents, writeRows } from "./logged-events.ts";
import { anEvent, DAY, newTeam, NOON, type SampleTeam, write } from "./sample-events.ts";
import { type Asked, HOUR, MINUTE, pagesOf } from "./scan-harness.ts";

describe("a scan", () => {
  /** Writes one chunk for each row. The chunk has events at `times`, and was appended at `at`. */
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

  it("waits for an earlier chunk, if that chunk may have events up to a second later", async () => {
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

  it("never has a next cursor that leads to an empty page", async () => {
    const team = newTeam();
    const events = [1, 2, 3, 4].map((minute) =>
      anEvent(team.id, { occurredAt: NOON - minute * MINUTE }),
    );
    await write(team, events.slice(2));
    for (const bound of [withRecentEvents(events.slice(0, 2)), withRecentEvents(events)])
      expect((await pagesOf(bound, team, { limit: 2 })).map((page) => page.length)).toEqual([2, 2]);
  });

  it("returns after some 200 chunks: the events so far, or none, and a cursor", async () => {
    const team = newTeam();
    // Each chunk has events with the filter's topic and events with its campaign, but no single
    // event has both.
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
