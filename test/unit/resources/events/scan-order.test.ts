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
    const written = rows.map(({ at, times }, seq) => {
      const events = times.map((occurredAt) => anEvent(team.id, { occurredAt }));
      return writeRows(team, [{ seq, at, events }], []);
    });
    await Promise.all(written);
  }

  async function timesOf(team: SampleTeam, asked: Asked): Promise<number[]> {
    const [page] = await pagesOf(withRecentEvents([]), team, asked);
    return page!.map(({ occurredAt }) => occurredAt - NOON);
  }

  it("is in order even if a chunk has an event of up to a second after the chunk was appended", async () => {
    const team = newTeam();
    const others = Array.from({ length: 12 }, (_, index) => NOON - index).toSpliced(7, 1);
    const late = { at: NOON - 7, times: [NOON + 993] };
    await pagesAt(team, [...others.map((at) => ({ at, times: [at] })), late]);
    expect(await timesOf(team, { limit: 3 })).toEqual([993, 0, -1]);
  });

  it("returns no cursor that leads to an empty page", async () => {
    const team = newTeam();
    const events = [1, 2, 3, 4].map((minute) =>
      anEvent(team.id, { occurredAt: NOON - minute * MINUTE }),
    );
    await write(team, events.slice(2));
    for (const bound of [withRecentEvents(events.slice(0, 2)), withRecentEvents(events)])
      expect((await pagesOf(bound, team, { limit: 2 })).map((page) => page.length)).toEqual([2, 2]);
  });

  it("stops after some 200 chunks, and returns the events so far, possibly none, with a cursor", async () => {
    const team = newTeam();
    // Each chunk has events with the filter's topic and events with its campaign, but no single
    // event has both.
    const decoys = Array.from({ length: 450 }, (_, seq) => {
      const at = NOON - seq * 1_000;
      const topical = anEvent(team.id, { occurredAt: at, topic: "receipts" });
      const other = anEvent(team.id, { occurredAt: at - 1, campaign: "spring" });
      return { seq, at, events: [topical, other] };
    });
    const labels = { topic: "receipts", campaign: "spring" };
    const wanted = anEvent(team.id, { occurredAt: NOON - HOUR, ...labels });
    await Promise.all(decoys.map((row) => writeRows(team, [row], [])));
    await write(team, [wanted]);
    const asked = { filters: labels, start: NOON - DAY };
    const pages = await pagesOf(withRecentEvents([]), team, asked);
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([[], [], [wanted.id]]);
  });
});
