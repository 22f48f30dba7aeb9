// Tests src/resources/stats/pull-counts.ts: events that are in no chunk yet count too, and each day
// is read from its own shard.
import { describe, expect, it } from "vitest";
import type { Team } from "../../../../src/endpoint.ts";
import type { Env } from "../../../../src/env.ts";
import {
  type RecentEvents,
  type EventOrigin,
  type RecentEventsRequest,
  RECENT_EVENTS,
} from "../../../../src/rpc/recent-events-calls.ts";
import { DAY_MS, HOUR_MS } from "../../../../src/limits.ts";
import type { EventRecord } from "../../../../src/rpc/event-records.ts";
import { pullHours } from "../../../../src/resources/stats/pull-counts.ts";
import { WindowCounts } from "../../../../src/resources/stats/entries.ts";
import type { CountWindow } from "../../../../src/resources/stats/count-window.ts";
import { ON_SHARD_0 } from "../../../support/shard-bindings.ts";
import { withRecentEvents as withLedger } from "../events/logged-events.ts";
import { anEvent, env, newTeam, NOON } from "../events/sample-events.ts";
import { dayOf } from "../../../../src/db/days.ts";
import { aPage, writeCounted } from "./sample-counts.ts";

function asTeam(team: Pick<Team, "id" | "number">, shards = ON_SHARD_0): Team {
  return { ...team, shards } as Team;
}

/** Makes an environment in which ledgers return these recent events and record the calls. */
function withRecentEvents(
  events: readonly EventRecord[],
  {
    most,
    meanwhile,
    seqOf = () => 1_000,
    origin,
  }: {
    most?: number;
    meanwhile?: () => Promise<void>;
    seqOf?: (event: EventRecord) => number;
    origin?: EventOrigin;
  } = {},
) {
  const asked: RecentEventsRequest[] = [];
  const ledger = withLedger(events, most).TEAM_LEDGER.getByName("");
  const readTail = async (request: RecentEventsRequest): Promise<RecentEvents> => {
    asked.push(request);
    const tail = await ledger.readTail(request);
    await meanwhile?.();
    const origins = tail.origins.map((own) => origin ?? own);
    return { ...tail, seqs: tail.events.map(seqOf), origins };
  };
  const TEAM_LEDGER = { getByName: () => ({ readTail }) };
  return { asked, env: { ...env, TEAM_LEDGER } as unknown as Env };
}

const day = (interval: CountWindow["interval"] = "day"): CountWindow => ({
  interval,
  start: NOON - 12 * HOUR_MS,
  end: NOON + 12 * HOUR_MS,
});
const sums = async (of: Env, team: Team, window: CountWindow) => {
  const counts = new WindowCounts(window);
  await pullHours(of, team, window, { isReal: false }, (at, hour) => counts.add(at, hour));
  return counts.entries().map(({ counts: own }) => own);
};

describe("the counted events", () => {
  it("are those of the chunks and of the ledger's recent events together", async () => {
    const team = newTeam();
    await writeCounted(env.SHARD_0, aPage(team, [{ at: NOON }, { at: NOON, type: "email.sent" }]));
    const { env: of } = withRecentEvents([
      anEvent(team.id, { occurredAt: NOON + 1 }),
      anEvent(team.id, { occurredAt: NOON, type: "email.clicked" }),
    ]);
    expect(await sums(of, asTeam(team), day())).toEqual([
      expect.objectContaining({ sent: 1, delivered: 2, clicked: 1, bounced: 0 }),
    ]);
  });

  it("include each recent event once, even if the ledger returns events of one moment in several parts", async () => {
    const team = newTeam();
    const events = Array.from({ length: 95 }, (_, index) =>
      anEvent(team.id, { occurredAt: NOON - Math.floor(index / 10) * 1_000 }),
    );
    const { env: of, asked } = withRecentEvents(events, { most: 10 });
    expect(await sums(of, asTeam(team), day())).toMatchObject([{ delivered: 95 }]);
    expect(asked).toHaveLength(10);
    for (const { limit, filters } of asked) expect([limit, filters]).toEqual([RECENT_EVENTS, {}]);
  });

  it("are those in the window: its start is included, its end excluded", async () => {
    const team = newTeam();
    const { start, end } = day();
    const edges = [start - 1, start, end - 1, end];
    const { env: of } = withRecentEvents(
      edges.map((occurredAt) => anEvent(team.id, { occurredAt })),
    );
    expect(await sums(of, asTeam(team), day())).toMatchObject([{ delivered: 2 }]);
    for (const at of edges) await writeCounted(env.SHARD_0, aPage(team, [{ at }]));
    expect(await sums(withRecentEvents([]).env, asTeam(team), day("hour"))).toHaveLength(24);
    expect(await sums(withRecentEvents([]).env, asTeam(team), day())).toMatchObject([
      { delivered: 2 },
    ]);
  });

  it("include a chunk that is written while the ledger is asked", async () => {
    const team = newTeam();
    const moved = aPage(team, [{ at: NOON }]);
    const { env: of } = withRecentEvents([], { meanwhile: () => writeCounted(env.SHARD_0, moved) });
    expect(await sums(of, asTeam(team), day())).toMatchObject([{ delivered: 1 }]);
  });

  it.each(["while the ledger is asked", "before the ledger was killed and so kept the events"])(
    "include each event once if its chunk was written %s",
    async (when) => {
      const team = newTeam();
      const [paged, later] = [
        anEvent(team.id, { occurredAt: NOON }),
        anEvent(team.id, { occurredAt: NOON + 1 }),
      ];
      const write = () => writeCounted(env.SHARD_0, aPage(team, [{ at: NOON }], { lastSeq: 7 }));
      const isMeanwhile = when.startsWith("while");
      if (!isMeanwhile) await write();
      const { env: of } = withRecentEvents([paged, later], {
        seqOf: (event) => (event === paged ? 7 : 8),
        ...(isMeanwhile ? { meanwhile: write } : {}),
      });
      expect(await sums(of, asTeam(team), day())).toMatchObject([{ delivered: 2 }]);
    },
  );

  it("have the attempt's start and the mail server from the ledger", async () => {
    const team = newTeam();
    const { env: of } = withRecentEvents(
      [anEvent(team.id, { occurredAt: NOON, recipient: "a@acme.example", attempt: 1 })],
      { origin: { startedAt: NOON - 50_000, mxHost: "smtp.google.com" } },
    );
    const found: unknown[] = [];
    await pullHours(of, asTeam(team), day(), { isReal: true }, (_at, { outcomes }) =>
      found.push(...Array.from(outcomes, ([name, { times }]) => [name, times.within(1)])),
    );
    expect(found).toEqual([["google", 60]]);
  });

  it("of a day come from that day's chunks only", async () => {
    const team = newTeam();
    await writeCounted(env.SHARD_0, aPage(team, [{ at: NOON }], { lastSeq: 9 }));
    const { env: of } = withRecentEvents([anEvent(team.id, { occurredAt: NOON - DAY_MS })], {
      seqOf: () => 8,
    });
    expect(await sums(of, asTeam(team), { ...day(), start: NOON - 36 * HOUR_MS })).toMatchObject([
      { delivered: 1 },
      { delivered: 1 },
    ]);
  });

  it("are read from each day's own shards, although the team was widened in between", async () => {
    const team = newTeam();
    const of = { ...withRecentEvents([]).env, SHARD_1: env.DB } as unknown as Env;
    const days = [0, 1, 2, 3].map((later) => NOON + later * DAY_MS);
    const shards = [...ON_SHARD_0, { from: dayOf(days[1]!), shards: [0, 1] }];
    // The error names a shard for which the worker has no binding.
    const unbound = { ...of, SHARD_1: undefined } as unknown as Env;
    const window = { ...day(), end: NOON + 4 * DAY_MS };
    const refused = sums(unbound, asTeam(team, shards), window);
    await expect(refused).rejects.toThrow("shard 1 is not bound");
    const asked: string[] = [];
    const watched = (name: string, db: D1Database) =>
      ({
        prepare: (sql: string) => {
          const [, table] = /FROM counts_(\d{8})/.exec(sql) ?? [];
          if (table !== undefined) asked.push(`${name} ${table}`);
          return db.prepare(sql);
        },
        batch: (statements: D1PreparedStatement[]) => db.batch(statements),
      }) as unknown as D1Database;
    for (const at of days) await writeCounted(env.SHARD_0, aPage(team, [{ at }]));
    const [SHARD_0, SHARD_1] = ["0", "1"].map((name) => watched(name, env.SHARD_0));
    const both = { ...of, SHARD_0, SHARD_1 } as unknown as Env;
    const days4 = { ...day(), end: NOON - 12 * HOUR_MS + 4 * DAY_MS };
    const found = await sums(both, asTeam(team, shards), days4);
    expect(found.map(({ delivered }) => delivered)).toEqual([1, 1, 1, 1]);
    expect(asked.toSorted()).toEqual(
      ["0 20261020", "0 20261022", "1 20261021", "1 20261023"].toSorted(),
    );
  });
});
