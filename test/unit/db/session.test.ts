// What src/db/session.ts guarantees: against D1 itself, and against sessions that fail as a replica's would.
import { env as bindings } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { shownHistoryFor } from "../../../src/db/client.ts";
import { type Bookmark, HistorySession, type Reads, toBookmark } from "../../../src/db/session.ts";
import type { Env } from "../../../src/env.ts";
import { ON_SHARD_0 } from "../../support/shards.ts";

const env = bindings as unknown as Env;
const { SHARD_0: db } = env;
const TEXT = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";

const one = async (reads: Reads) => reads.prepare("SELECT 1 AS one").first<number>("one");
const never = () => Promise.reject(new Error("the primary was asked"));

/** A database whose sessions have seen `bookmark` and fail with `fault`. Notes what they were begun with. */
function failing(fault: Error, bookmark: string | null) {
  const begun: (string | undefined)[] = [];
  const session = { prepare: () => ({ first: () => Promise.reject(fault) }), getBookmark: () => bookmark };
  const withSession = (text?: string) => {
    begun.push(text);
    return session;
  };
  return { begun, db: { withSession } as unknown as D1Database };
}

describe("HistorySession", () => {
  it("has a bookmark of D1's once something was read, that the next one goes on from", async () => {
    const first = new HistorySession(db, 7);
    expect(first.bookmark()).toBeUndefined();
    expect(await first.read(one, never)).toBe(1);
    const seen = first.bookmark();
    expect(seen).toEqual({ shard: 7, text: expect.stringMatching(/^[0-9a-f]{8}-/) });
    const second = new HistorySession(db, 7, seen);
    expect(second.bookmark()).toEqual(seen);
    expect(await second.read(one, never)).toBe(1);
    expect(second.bookmark()!.text >= seen!.text).toBe(true);
  });

  it("begins at the primary unless the bookmark is of its own shard", () => {
    const given: (Bookmark | undefined)[] = [undefined, { shard: 1, text: TEXT }, { shard: 0, text: TEXT }];
    const { db: spied, begun } = failing(new Error("unused"), null);
    for (const seen of given) expect(new HistorySession(spied, 0, seen)).toBeDefined();
    expect(begun).toEqual(["first-primary", "first-primary", TEXT]);
  });

  it("asks the primary for what a replica could not answer, and from then on for everything", async () => {
    const session = new HistorySession(failing(new Error("D1_ERROR: bookmark refused"), TEXT).db, 0, { shard: 0, text: TEXT });
    const onPrimary = () => Promise.resolve("primary");
    expect(await session.read(async (reads) => `${await one(reads)}`, onPrimary)).toBe("primary");
    expect(session.bookmark()).toBeUndefined();
    expect(await session.read(() => Promise.resolve("session"), onPrimary)).toBe("primary");
  });

  it("passes on the primary's own fault, asking it no second time", async () => {
    const session = new HistorySession(failing(new Error("D1_ERROR: overloaded"), null).db, 0);
    await expect(session.read(one, never)).rejects.toThrow("overloaded");
  });

  it.each(["no such table: events_20260101: SQLITE_ERROR", "no such column: e.tls at offset 9"])(
    "leaves it to the primary to mend a day (%s)",
    async (fault) => {
      const session = new HistorySession(failing(new Error(`D1_ERROR: ${fault}`), null).db, 0);
      expect(await session.read(one, () => Promise.resolve(2))).toBe(2);
    },
  );
});

describe("toBookmark", () => {
  it("takes no constraint, nothing empty and nothing long for one", () => {
    expect(toBookmark(3, TEXT)).toEqual({ shard: 3, text: TEXT });
    for (const text of ["", " ", "first-primary", "first-unconstrained", `${TEXT} `, `${TEXT}\n`, "💥", "a".repeat(101)])
      expect(toBookmark(0, text)).toBeUndefined();
  });
});

describe("shownHistoryFor", () => {
  const team = { id: "team_1", shards: ON_SHARD_0, eventRetentionDays: 30 };

  it("opens a session", () => {
    expect(shownHistoryFor(env, team).session).toBeInstanceOf(HistorySession);
  });
});
