// Tests how chunks are written (src/resources/events/write-chunk.ts, store.ts): each chunk is
// written once and completely, and the index finds it only by values that it has.
import { describe, expect, it, vi } from "vitest";
import { dayOf, startOf } from "../../../../src/db/days.ts";
import { openChunk } from "../../../../src/resources/events/open-chunk.ts";
import {
  appendedAt,
  bodyOf,
  type NewChunk,
  chunkKey,
  type ChunkRow,
} from "../../../../src/resources/events/store.ts";
import { writeChunks } from "../../../../src/resources/events/write-chunk.ts";
import { matchOf } from "../../../../src/resources/events/chunk-tokens.ts";
import { anEvent, byMessage, DAY, env, newTeam, NOON, type SampleTeam } from "./sample-events.ts";
import { shopMessages } from "./shop.ts";

const HOUR = 3_600_000;
const { SHARD_0: db } = env;

function aPage(team: SampleTeam, given: Partial<NewChunk> = {}): NewChunk {
  const messages =
    given.messages ??
    byMessage([1, 2, 3].map((second) => anEvent(team.id, { occurredAt: NOON - second * 1_000 })));
  return { team, day: dayOf(NOON), at: NOON, lastSeq: 7, messages, isStray: false, ...given };
}

async function rowsOf(
  { number }: SampleTeam,
  day = dayOf(NOON),
): Promise<(ChunkRow & { last_seq: number })[]> {
  const sql =
    `SELECT key, last_seq, oldest, newest, hex(body) AS body FROM pages_${day} WHERE key >= ?1 ` +
    "AND key < ?2 ORDER BY key";
  const query = db.prepare(sql).bind(number * 2 ** 32, (number + 1) * 2 ** 32);
  return (await query.all<ChunkRow & { last_seq: number }>()).results;
}

/** Counts the index entries of the team's chunks. */
async function indexed(team: SampleTeam, filters = {}, day = dayOf(NOON)): Promise<number> {
  const sql = `SELECT count(*) AS n FROM page_index_${day} WHERE page_index_${day} MATCH ?1`;
  return (await db.prepare(sql).bind(matchOf(team.id, filters)).first<number>("n"))!;
}

const eventsIn = (team: SampleTeam, row: ChunkRow) =>
  openChunk(team.id, bodyOf(row))
    .events()
    .map(({ id }) => id);

describe("writing chunks", () => {
  it("stores the chunk with its last row number and times, and creates the day's tables if needed", async () => {
    const team = newTeam();
    const at = NOON - 400 * DAY;
    const events = [5, 9].map((second) => anEvent(team.id, { occurredAt: at - second * 1_000 }));
    const page = aPage(team, { day: dayOf(at), at, messages: byMessage(events) });
    expect(await writeChunks(db, [page], [])).toEqual({ lastSeq: 7 });
    const rows = await rowsOf(team, dayOf(at));
    expect(rows).toMatchObject([{ last_seq: 7, oldest: at - 9_000, newest: at - 5_000 }]);
    expect(eventsIn(team, rows[0]!)).toEqual(events.map(({ id }) => id));
    expect(appendedAt(dayOf(at), rows[0]!.key)).toBe(at);
  });

  it("leaves an existing chunk as it is, and returns its last row number", async () => {
    const team = newTeam();
    const first = aPage(team);
    const late = byMessage([anEvent(team.id, { campaign: "late" })]);
    const grown = aPage(team, { lastSeq: 12, messages: [...first.messages, ...late] });
    await writeChunks(db, [first], []);
    expect(await writeChunks(db, [grown], [])).toEqual({ lastSeq: 7 });
    const rows = await rowsOf(team);
    expect(rows.map((row) => eventsIn(team, row))).toEqual([
      first.messages.flatMap(({ events }) => events.map(({ id }) => id)),
    ]);
    expect([await indexed(team), await indexed(team, { campaign: "late" })]).toEqual([1, 0]);
  });

  it("stores one chunk if several are written with the same key at once", async () => {
    const team = newTeam();
    const at = NOON - 401 * DAY;
    const day = dayOf(at);
    const messages = byMessage([anEvent(team.id, { occurredAt: at })]);
    const answers = await Promise.all(
      [1, 2, 3].map((lastSeq) =>
        writeChunks(db, [aPage(team, { day, at, lastSeq, messages })], []),
      ),
    );
    expect(new Set(answers.map(({ lastSeq }) => lastSeq)).size).toBe(1);
    expect([(await rowsOf(team, day)).length, await indexed(team, {}, day)]).toEqual([1, 1]);
  });

  it("runs the caller's statements before the chunk exists, and writes nothing if one of them fails", async () => {
    const team = newTeam();
    const key = chunkKey(team, dayOf(NOON), NOON);
    await db.prepare("CREATE TABLE IF NOT EXISTS notes (note INTEGER)").run();
    const isNew = `NOT EXISTS (SELECT 1 FROM pages_${dayOf(NOON)} WHERE key = ?1)`;
    const note = () => db.prepare(`INSERT INTO notes SELECT ?1 WHERE ${isNew}`).bind(key);
    const noted = () =>
      db.prepare("SELECT count(*) AS n FROM notes WHERE note = ?1").bind(key).first("n");
    const failing = db.prepare("INSERT INTO nowhere VALUES (1)");
    await expect(writeChunks(db, [aPage(team)], [note(), failing])).rejects.toThrow("nowhere");
    expect([await noted(), await rowsOf(team), await indexed(team)]).toEqual([0, [], 0]);
    for (const _ of [1, 2]) await writeChunks(db, [aPage(team)], [note()]);
    expect([await noted(), (await rowsOf(team)).length]).toEqual([1, 1]);
  });

  it("bills three rows per chunk, and takes at most 90 bytes per event with its index", async () => {
    const team = newTeam();
    const at = NOON - 402 * DAY;
    const day = dayOf(at);
    const shop = shopMessages(team.id, 64 * 20, 1_000).map(({ message, events }) => ({
      message,
      events: events.map((event) => ({ ...event, occurredAt: event.occurredAt - 402 * DAY })),
    }));
    await writeChunks(db, [aPage(team, { day, at: at - 1, messages: shop.slice(0, 1) })], []);
    const batches = vi.spyOn(db, "batch");
    const size = async () => (await db.prepare("SELECT 1").run()).meta.size_after;
    const before = await size();
    for (let page = 0; page < 20; page += 1) {
      const messages = shop.slice(page * 64, (page + 1) * 64);
      await writeChunks(db, [aPage(team, { day, at: at + page * 64_000, messages })], []);
    }
    const results = (await Promise.all(batches.mock.results.map(({ value }) => value))).flat();
    const written = results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
    expect(written / 20).toBeLessThanOrEqual(3);
    expect(((await size()) - before) / (20 * 128)).toBeLessThanOrEqual(90);
  });
});

describe("a chunk's key", () => {
  const team = { number: 2 ** 21 - 1 };
  const day = "20261020";
  const midnight = startOf(day);

  it("is a safe integer of JavaScript within the team's range, and grows in the order of appending", () => {
    const moments = [midnight - HOUR, midnight, midnight + 1, midnight + DAY, midnight + 36 * DAY];
    const keys = moments.map((at) => chunkKey(team, day, at));
    expect(keys).toEqual(keys.toSorted((left, right) => left - right));
    expect(keys.every((key) => Number.isSafeInteger(key))).toBe(true);
    expect(keys.map((key) => Math.floor(key / 2 ** 32))).toEqual(moments.map(() => team.number));
    expect(keys.map((key) => appendedAt(day, key))).toEqual(moments);
  });

  it.each([midnight - HOUR - 1, midnight + 50 * DAY, midnight + 0.5, Number.NaN])(
    "does not exist for a moment at which no chunk of the day can begin (%d)",
    (at) => {
      expect(() => chunkKey(team, day, at)).toThrow("no chunk of 20261020");
    },
  );
});
