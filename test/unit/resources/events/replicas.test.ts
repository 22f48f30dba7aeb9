// Tests reads that a database replica may answer (src/resources/events, src/mail/lookup,
// docs/scaling.md §Read replication). Local D1 has no replicas, so some tests use a fake session
// that behaves like one.
import { beforeEach, describe, expect, it } from "vitest";
import type { ApiRequest, ListPage, Team } from "../../../../src/endpoint.ts";
import type { Env } from "../../../../src/env.ts";
import { newEmailId } from "../../../../src/lib/ids.ts";
import { findEmail } from "../../../../src/mail/lookup/lookup.ts";
import { eventEndpoints } from "../../../../src/resources/events/routes.ts";
import type { EventRecord } from "../../../../src/rpc/event-records.ts";
import { EventQuery, PulledEvent } from "../../../../src/resources/events/wire.ts";
import { withRecentEvents } from "./logged-events.ts";
import {
  aMessage,
  anEvent,
  DAY,
  env,
  newTeam,
  NOON,
  ofMessage,
  type SampleTeam,
  write,
} from "./sample-events.ts";
import type { Reads } from "../../../../src/rpc/shard-types.ts";
import { ON_SHARD_0 } from "../../../support/shard-bindings.ts";

const BOOKMARK = /^\d+\.\d+\.evt_[0-9a-f]+\.0:[0-9a-f-]+$/;
const MINUTE = 60_000;

/** Shard 0 of a test, with a record of its sessions and round trips. */
interface Watched {
  readonly env: Env;
  /** The D1 constraint or the bookmark with which each session was begun. */
  readonly begun: string[];
  /** Number of round trips to the database, in sessions and outside of sessions. */
  readonly trips: { session: number; plain: number };
}

/**
 * Records which sessions and queries a shard gets. `session` may return a fake in place of a real
 * session.
 */
function watch(
  session: (begun: string, real: D1DatabaseSession) => Reads = (_, real) => real,
): Watched {
  const real = env.SHARD_0;
  const begun: string[] = [];
  const trips = { session: 0, plain: 0 };
  const db = counting(real, () => (trips.plain += 1));
  const withSession = (text: string) => {
    begun.push(text);
    const opened = real.withSession(text);
    return {
      ...counting(session(text, opened), () => (trips.session += 1)),
      getBookmark: () => opened.getBookmark(),
    };
  };
  const SHARD_0 = { ...db, withSession } as unknown as D1Database;
  return { env: { ...env, SHARD_0 }, begun, trips };
}

function counting(real: Reads, trip: () => void) {
  const batch = (statements: D1PreparedStatement[]) => {
    trip();
    return real.batch(statements);
  };
  const prepare = (sql: string) => {
    if (!sql.includes("pages_")) trip();
    return real.prepare(sql);
  };
  return { prepare, batch };
}

const failing = (fault: string): Reads => ({
  prepare: (sql) => env.SHARD_0.prepare(sql),
  batch: () => Promise.reject(new Error(`D1_ERROR: ${fault}`)),
});

let team: SampleTeam & Team;
let events: EventRecord[];

beforeEach(async () => {
  const limits = { deliveryRatePerMinute: 600 };
  team = { ...newTeam(), limits } as SampleTeam & Team;
  events = [1, 2, 3, 4, 5].map((minute) =>
    anEvent(team.id, { occurredAt: NOON - minute * MINUTE }),
  );
  await write(team, events);
});

async function page(
  bound: Env,
  after: ListPage["after"],
  limit = 2,
  query = {},
): Promise<{ ids: string[]; next: string | null }> {
  const asked = { query: EventQuery.parse(query), page: { limit, after } };
  const request = { env: bound, caller: { team }, ...asked, now: NOON };
  const { list } = await eventEndpoints[0]!.handle(request as unknown as ApiRequest);
  return { ids: list!.data.map((event) => PulledEvent.parse(event).id), next: list!.next };
}

async function scan(bound: Env): Promise<string[]> {
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
  it("begins at the primary, and continues from the bookmark of the previous page", async () => {
    const { env: bound, begun } = watch();
    const first = await page(bound, null);
    expect(first.next).toMatch(BOOKMARK);
    const second = await page(bound, first.next);
    expect(begun).toEqual(["first-primary", first.next!.split(":")[1]]);
    expect([...first.ids, ...second.ids]).toEqual(idsOf(0, 4));
    expect(await scan(bound)).toEqual(idsOf());
  });

  it("costs one round trip, and one more for a day that this isolate has not read before", async () => {
    // The write creates the tables of every day in the window. The first read looks each table up,
    // and later reads need not.
    await write(team, [anEvent(team.id, { occurredAt: NOON - DAY })]);
    const { env: bound, trips } = watch();
    const first = await page(bound, null);
    expect(trips).toEqual({ session: 2, plain: 0 });
    await page(bound, null);
    await page(bound, first.next);
    expect(trips).toEqual({ session: 4, plain: 0 });
  });

  it("begins at its ledger's bookmark, unless the previous page has a later bookmark", async () => {
    const [early, late] = ["00000001-00000000-00000000-0", "00000003-00000000-00000000-0"];
    const of = (bookmark: string) => (begun: string, real: D1DatabaseSession) =>
      begun === bookmark ? real : failing("it is behind");
    const { env: real, begun } = watch(of(late));
    const { next } = await page(env, null);
    const from = (bookmark: string) => next!.replace(/:.*/, `:${bookmark}`);
    for (const [bookmark, after, ids] of [
      [late, null, idsOf(0, 2)],
      [late, from(early), idsOf(2, 4)],
      [early, from(late), idsOf(2, 4)],
    ] as const)
      expect((await page(withRecentEvents([], 1_000, { 0: bookmark }, real), after)).ids).toEqual(
        ids,
      );
    expect(begun).toEqual([late, late, late]);
  });

  it("returns a bookmark for each shard that is read next, and for no other", async () => {
    const dayBefore = [1, 2, 3].map((minute) =>
      anEvent(team.id, { occurredAt: NOON - DAY - minute * MINUTE }),
    );
    const own = newTeam(30, [ON_SHARD_0[0]!, { from: "20261020", shards: [1] }]);
    const all = [...events, ...dayBefore].map((event) => ({ ...event, teamId: own.id }));
    await write(own, all);
    team = own as SampleTeam & Team;
    const shardsIn = (next: string | null) =>
      next
        ?.split(".")
        .slice(3)
        .map((part) => part.split(":")[0]);
    const start = new Date(NOON - 2 * DAY).toISOString();
    const first = await page(env, null, 2, { start });
    const third = await page(env, first.next, 4, { start });
    expect([shardsIn(first.next), shardsIn(third.next)]).toEqual([["0", "1"], ["0"]]);
    expect((await page(env, third.next, 4)).ids).toEqual(dayBefore.slice(1).map(({ id }) => id));
  });

  it("continues with the right events even from a bookmark that it never returned", async () => {
    const [start, at, id] = (await page(env, null)).next!.split(".");
    for (const text of ["0", "-", "ffffffff-ffffffff-ffffffff-ffffffffffffffffffffffffffffffff"])
      expect((await page(env, `${start}.${at}.${id}.0:${text}`)).ids).toEqual(idsOf(2, 4));
  });

  it.each([
    ["refuses the bookmark", "bookmark is invalid"],
    ["does not have the day's tables yet", "no such table: pages_20261020"],
    ["can't be reached", "Network connection lost."],
  ])("gets its answer from the primary if a replica %s", async (_, fault) => {
    const watched = watch((text, real) => (text === "first-primary" ? real : failing(fault)));
    const { env: bound, begun, trips } = watched;
    const first = await page(bound, null);
    const second = await page(bound, first.next);
    expect(second.ids).toEqual(idsOf(2, 4));
    expect(trips.plain).toBeGreaterThan(0);
    // The scan continues after the fault with the primary's data, and no longer with a replica's.
    expect(second.next).not.toMatch(BOOKMARK);
    expect((await page(bound, second.next)).ids).toEqual(idsOf(4));
    const bookmark = expect.stringMatching(/^[0-9a-f-]+$/) as string;
    expect(begun).toEqual(["first-primary", bookmark, "first-primary"]);
  });

  it("asks the primary before it refuses a domain without mail", async () => {
    const { env: bound, begun, trips } = watch();
    const refused = page(bound, null, 2, { domain: "nowhere.example" });
    await expect(refused).rejects.toThrow("malformed");
    expect([begun, trips.plain]).toEqual([["first-primary", "first-primary"], 0]);
  });
});

describe("GET /v1/email/{id}", () => {
  it("reads the events in a session that begins at the primary, and the message at the primary", async () => {
    const message = aMessage(team.id, { emailId: newEmailId(NOON - MINUTE) });
    const own = ofMessage(message, { occurredAt: NOON });
    await write(team, [own], { messages: [message] });
    const { env: bound, begun, trips } = watch();
    const found = await findEmail(bound, team, message.emailId, NOON + 1);
    expect(found?.message).toEqual(message);
    expect(found?.recipients.flatMap((one) => one.events.map(({ id }) => id))).toEqual([own.id]);
    expect(begun).toEqual(["first-primary"]);
    expect(trips.plain).toBeGreaterThan(0);
  });
});
