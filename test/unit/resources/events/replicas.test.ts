// What src/resources/events and src/mail/lookup guarantee of reads that replicas may answer (docs/scaling.md §Read replication). D1's local sessions have no
// replica behind them: where one matters, a session of the test's own stands for it.
import { beforeEach, describe, expect, it } from "vitest";
import type { Reads } from "../../../../src/db/session.ts";
import type { ApiRequest, Page, Team } from "../../../../src/endpoint.ts";
import type { Env } from "../../../../src/env.ts";
import { newEmailId, newId } from "../../../../src/lib/ids.ts";
import { findEmail } from "../../../../src/mail/lookup/lookup.ts";
import { eventEndpoints } from "../../../../src/resources/events/routes.ts";
import type { EventRecord } from "../../../../src/resources/events/records.ts";
import { insertHistory, listEvents } from "../../../../src/resources/events/store.ts";
import { positionOf } from "../../../../src/resources/events/window.ts";
import { EventQuery, PulledEvent } from "../../../../src/resources/events/wire.ts";
import { aMessage, anEvent, DAY, env, NOON } from "./sample.ts";
import { ON_SHARD_0 } from "../../../support/shards.ts";

const BOOKMARK = /^\d+\.\d{8}\.\d+\.0\.[0-9a-f-]+$/;
const MINUTE = 60_000;

/** Shard 0 under observation. */
interface Watched {
  readonly env: Env;
  /** What each session was begun with. */
  readonly begun: string[];
  /** Round trips, in sessions and beside them. */
  readonly trips: { session: number; plain: number };
}

/** `session` may put another database in the place of the session that was begun. */
function watch(session: (begun: string, real: D1DatabaseSession) => Reads = (_, real) => real): Watched {
  const real = env.SHARD_0;
  const begun: string[] = [];
  const trips = { session: 0, plain: 0 };
  const db = counting(real, () => (trips.plain += 1));
  const withSession = (text: string) => {
    begun.push(text);
    const opened = real.withSession(text);
    return { ...counting(session(text, opened), () => (trips.session += 1)), getBookmark: () => opened.getBookmark() };
  };
  return { env: { ...env, SHARD_0: { ...db, withSession } as unknown as D1Database }, begun, trips };
}

function counting(real: Reads, trip: () => void) {
  const batch = (statements: D1PreparedStatement[]) => {
    trip();
    return real.batch(statements);
  };
  const prepare = (sql: string) => {
    if (!sql.includes("event_index_")) trip();
    return real.prepare(sql);
  };
  return { prepare, batch };
}

const failing = (fault: string): Reads => ({
  prepare: (sql) => env.SHARD_0.prepare(sql),
  batch: () => Promise.reject(new Error(`D1_ERROR: ${fault}`)),
});

let team: Team;
let events: EventRecord[];

beforeEach(async () => {
  team = { id: newId("team"), shards: ON_SHARD_0, eventRetentionDays: 30 } as Team;
  events = [1, 2, 3, 4, 5].map((minute) => anEvent(team.id, { occurredAt: NOON - minute * MINUTE }));
  await insertHistory(env.SHARD_0, [], events);
});

async function page(bound: Env, after: Page["after"], limit = 2): Promise<{ ids: string[]; next: string | null }> {
  const request = { env: bound, caller: { team }, query: EventQuery.parse({}), page: { limit, after }, now: NOON };
  const { list } = await eventEndpoints[0]!.handle(request as unknown as ApiRequest);
  return { ids: list!.data.map((event) => PulledEvent.parse(event).id), next: list!.next };
}

async function walk(bound: Env): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    const shown = await page(bound, after);
    ids.push(...shown.ids);
    after = shown.next;
  }
  return ids;
}

const idsOf = (from = 0, to = events.length) => events.slice(from, to).map(({ id }) => id);

describe("GET /v1/events", () => {
  it("begins at the primary, and goes on from what the page before saw", async () => {
    const { env: bound, begun } = watch();
    const first = await page(bound, null);
    expect(first.next).toMatch(BOOKMARK);
    const second = await page(bound, first.next);
    expect(begun).toEqual(["first-primary", first.next!.split(".")[4]]);
    expect([...first.ids, ...second.ids]).toEqual(idsOf(0, 4));
    expect(await walk(bound)).toEqual(idsOf());
  });

  it("shows on a first page what was recorded the moment before", async () => {
    for (let second = 1; second <= 5; second += 1) {
      const event = anEvent(team.id, { occurredAt: NOON - second });
      await insertHistory(env.SHARD_0, [], [event]);
      expect((await page(env, null, 100)).ids).toContain(event.id);
    }
  });

  it("costs as many round trips as without a session", async () => {
    // So that every day of the window has its tables: then which those are is asked for once.
    await insertHistory(env.SHARD_0, [], [anEvent(team.id, { occurredAt: NOON - DAY })]);
    const { env: bound, trips } = watch();
    const shown = [await page(bound, null)];
    expect(trips).toEqual({ session: 2, plain: 0 });
    shown.push(await page(bound, null));
    shown.push(await page(bound, shown[1]!.next));
    expect(trips).toEqual({ session: 4, plain: 0 });
    const plain = { db: bound.SHARD_0, teamId: team.id, retentionDays: 30 };
    const first = await listEvents(plain, {}, positionOf({}, null, 30, NOON), 2);
    const second = await listEvents(plain, {}, first.next!, 2);
    expect(trips).toEqual({ session: 4, plain: 2 });
    expect(shown.slice(1).map(({ ids }) => ids)).toEqual([first, second].map((one) => one.events.map(({ id }) => id)));
    expect(first.next).not.toHaveProperty("seen");
  });

  it.each([
    ["none, as given out before there were any", ""],
    ["no bookmark's text", ".0.first-unconstrained"],
    ["one of another shard", ".1.00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683"],
  ])("goes on at the primary from a position whose bookmark is %s", async (_, bookmark) => {
    const { env: bound, begun } = watch();
    const [start, day, key] = (await page(env, null)).next!.split(".");
    const { ids, next } = await page(bound, `${start}.${day}.${key}${bookmark}`);
    expect([ids, begun]).toEqual([idsOf(2, 4), ["first-primary"]]);
    expect(next).toMatch(BOOKMARK);
  });

  it("goes on in D1 itself from a bookmark that it never gave out", async () => {
    const [start, day, key] = (await page(env, null)).next!.split(".");
    for (const text of ["0", "-", "ffffffff-ffffffff-ffffffff-ffffffffffffffffffffffffffffffff"])
      expect((await page(env, `${start}.${day}.${key}.0.${text}`)).ids).toEqual(idsOf(2, 4));
  });

  it.each([
    ["refuses the bookmark", "bookmark is invalid"],
    ["has not got the day yet", "no such table: events_20261020"],
    ["has the day of an earlier version", "no such column: e.tls"],
    ["is not there", "Network connection lost."],
  ])("has the primary answer when a replica %s", async (_, fault) => {
    const { env: bound, begun, trips } = watch((text, real) => (text === "first-primary" ? real : failing(fault)));
    const first = await page(bound, null);
    const second = await page(bound, first.next);
    expect(second.ids).toEqual(idsOf(2, 4));
    expect(trips.plain).toBeGreaterThan(0);
    // The walk goes on with what the primary shows.
    expect(second.next).not.toMatch(BOOKMARK);
    expect((await page(bound, second.next)).ids).toEqual(idsOf(4));
    expect(begun).toEqual(["first-primary", expect.stringMatching(/^[0-9a-f-]+$/), "first-primary"]);
  });

  it("refuses a domain that nobody sent from by what the primary says", async () => {
    const { env: bound, trips } = watch();
    const query = EventQuery.parse({ domain: "nowhere.example" });
    const request = { env: bound, caller: { team }, query, page: { limit: 2, after: null }, now: NOON };
    await expect(eventEndpoints[0]!.handle(request as unknown as ApiRequest)).rejects.toThrow("malformed");
    expect(trips.plain).toBeGreaterThan(0);
  });
});

describe("GET /v1/email/{id}", () => {
  it("reads message and events in one session that begins at the primary", async () => {
    const emailId = newEmailId(NOON - MINUTE);
    const own = anEvent(team.id, { emailId, occurredAt: NOON });
    await insertHistory(env.SHARD_0, [aMessage(team.id, { emailId })], [own]);
    const { env: bound, begun, trips } = watch();
    const found = await findEmail(bound, team, emailId, NOON + 1);
    expect(found?.recipients.flatMap((one) => one.events.map(({ id }) => id))).toEqual([own.id]);
    expect([begun, trips.plain]).toEqual([["first-primary"], 0]);
  });
});
