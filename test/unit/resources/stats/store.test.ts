// Tests src/resources/stats/store.ts: the events of a chunk count once, however often the chunk is
// written.
import { describe, expect, it } from "vitest";
import type { Team } from "../../../../src/endpoint.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/limits.ts";
import { writeChunks } from "../../../../src/resources/events/write-chunk.ts";
import { countStatements, readCounts } from "../../../../src/resources/stats/store.ts";
import { env, newTeam, NOON } from "../events/sample-events.ts";
import { dayOf, startOf } from "../../../../src/db/days.ts";
import { aPage, keyOf, SIMULATED, writeCounted } from "./sample-counts.ts";

const db = env.SHARD_0;
const DAY = dayOf(NOON);

async function countsOf(
  team: Pick<Team, "number">,
  days = [DAY],
): Promise<Record<string, unknown>> {
  const { hours } = await readCounts(db, team, days);
  return Object.fromEntries(
    hours.map(([at, { all }]) => [
      new Date(at).toISOString().slice(5, 16),
      Object.fromEntries(all.types),
    ]),
  );
}

describe("the counts of a chunk", () => {
  it("are those of its hours, also of a day that had no tables", async () => {
    const team = newTeam();
    const at = NOON - 40 * DAY_MS;
    const sent = { at: at + 1, type: "email.sent" } as const;
    await writeCounted(db, aPage(team, [{ at }, sent, { at: at - 1 }, { at: at + 11 * HOUR_MS }]));
    expect(await countsOf(team, [dayOf(at)])).toEqual({
      "09-10T11:00": { delivered: 1 },
      "09-10T12:00": { delivered: 1, sent: 1 },
      "09-10T23:00": { delivered: 1 },
    });
  });

  it("of one hour are found together, whichever of a day's chunks they came in", async () => {
    const team = newTeam();
    await writeCounted(db, aPage(team, [{ at: NOON - HOUR_MS }, { at: NOON }]));
    await writeCounted(db, aPage(team, [{ at: NOON }, { at: NOON + HOUR_MS }]));
    expect(await countsOf(team)).toEqual({
      "10-20T11:00": { delivered: 1 },
      "10-20T12:00": { delivered: 2 },
      "10-20T13:00": { delivered: 1 },
    });
  });

  it("do not mix with other teams' counts, not even with those of neighbouring numbers", async () => {
    const [one, other, third] = [newTeam(), newTeam(), newTeam()];
    const edges = [{ at: startOf(DAY) }, { at: startOf(DAY) + DAY_MS - 1 }];
    for (const team of [one, third]) await writeCounted(db, aPage(team, edges));
    expect(await countsOf(other)).toEqual({});
    expect(await countsOf(third)).toEqual({
      "10-20T00:00": { delivered: 1 },
      "10-20T23:00": { delivered: 1 },
    });
  });

  it("are added once if the chunk is written again, whether it has grown or not", async () => {
    const team = newTeam();
    const page = aPage(team, [{ at: NOON }, { at: NOON }]);
    await writeCounted(db, page);
    await writeCounted(db, page);
    const grown = aPage(team, [{ at: NOON }, { at: NOON }, { at: NOON }], { at: page.at });
    await writeCounted(db, grown);
    expect(await countsOf(team)).toEqual({ "10-20T12:00": { delivered: 2 } });
    await writeCounted(db, { ...grown, at: grown.at + 1 });
    expect(await countsOf(team)).toEqual({ "10-20T12:00": { delivered: 5 } });
  });

  it("are added once if a batch that timed out takes effect after its repetition", async () => {
    const team = newTeam();
    const page = aPage(team, [{ at: NOON }]);
    const late = await countStatements(db, [page], keyOf(page), SIMULATED);
    await writeCounted(db, page);
    await writeCounted(db, { ...page, at: page.at + 1 });
    await writeChunks(db, [page], late);
    expect(await countsOf(team)).toEqual({ "10-20T12:00": { delivered: 2 } });
  });

  it("are not written if the chunk's batch fails", async () => {
    const team = newTeam();
    const page = aPage(team, [{ at: NOON }]);
    await writeCounted(db, page);
    const statements = await countStatements(db, [{ ...page, at: page.at + 1 }], 1, SIMULATED);
    const all = [...statements, db.prepare("SELECT json('no JSON')")];
    const failing = writeChunks(db, [{ ...page, at: page.at + 1 }], all);
    await expect(failing).rejects.toThrow("malformed");
    expect(await countsOf(team)).toEqual({ "10-20T12:00": { delivered: 1 } });
  });

  it("take one statement, however many hours the chunk has", async () => {
    const hours = Array.from({ length: 24 }, (_, hour) => ({ at: startOf(DAY) + hour * HOUR_MS }));
    const page = aPage(newTeam(), [...hours, ...hours]);
    expect(await countStatements(db, [page], 1, SIMULATED)).toHaveLength(1);
  });
});

describe("reading the counts of days", () => {
  it("finds nothing for days without tables, and nothing for an empty list of days", async () => {
    const nothing = { hours: [], reached: [] };
    for (const days of [[300, 400].map((later) => dayOf(NOON + later * DAY_MS)), []])
      expect(await readCounts(db, newTeam(), days)).toEqual(nothing);
  });

  it("returns the last row of the log that each day's chunks reach", async () => {
    const [team, neighbour] = [newTeam(), newTeam()];
    for (const [of, lastSeq] of [
      [neighbour, 90],
      [team, 7],
      [team, 19],
    ] as const)
      await writeCounted(db, aPage(of, [{ at: NOON + lastSeq }], { lastSeq }));
    await writeCounted(db, aPage(team, [{ at: NOON + DAY_MS }], { lastSeq: 30 }));
    const days = [DAY, dayOf(NOON + DAY_MS)];
    expect((await readCounts(db, team, days)).reached).toEqual([
      [days[0], 19],
      [days[1], 30],
    ]);
    expect((await readCounts(db, newTeam(), days)).reached).toEqual([]);
  });

  it("reads the given days, and none between them", async () => {
    const team = newTeam();
    for (const day of [0, 1, 2]) await writeCounted(db, aPage(team, [{ at: NOON + day * DAY_MS }]));
    const days = [dayOf(NOON), dayOf(NOON + 2 * DAY_MS)];
    const hours = Object.keys(await countsOf(team, days)).toSorted();
    expect(hours).toEqual(["10-20T12:00", "10-22T12:00"]);
  });

  it("skips a day that was dropped since this isolate saw it", async () => {
    const team = newTeam();
    const days = [60, 61].map((back) => NOON - back * DAY_MS);
    for (const at of days) await writeCounted(db, aPage(team, [{ at }]));
    expect(Object.keys(await countsOf(team, days.map(dayOf)))).toHaveLength(2);
    const gone = dayOf(days[1]!);
    await db.batch([
      db.prepare(`DROP TABLE counts_${gone}`),
      db.prepare("DELETE FROM partitions WHERE day = ?1").bind(gone),
    ]);
    expect(Object.keys(await countsOf(team, days.map(dayOf)))).toHaveLength(1);
  });
});
