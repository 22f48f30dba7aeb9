// Tests reads through sessions (src/db/shard-session.ts), with real D1 sessions and with sessions
// that fail like those of a replica.
import { env as bindings } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import {
  isBookmark,
  laterBookmarks,
  ShardSession,
  ShardSessions,
} from "../../../src/db/shard-session.ts";
import type { Reads } from "../../../src/rpc/shard-types.ts";
import type { Env } from "../../../src/env.ts";

const env = bindings as unknown as Env;
const { SHARD_0: db } = env;
const TEXT = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";

const one = async (reads: Reads) => reads.prepare("SELECT 1 AS one").first<number>("one");
const never = () => Promise.reject(new Error("the primary was asked"));

/**
 * Returns a database whose sessions have seen `bookmark` and fail with `fault`. Records the
 * argument with which each session was begun.
 */
function failing(fault: Error, bookmark: string | null) {
  const begun: (string | undefined)[] = [];
  const session = {
    prepare: () => ({ first: () => Promise.reject(fault) }),
    getBookmark: () => bookmark,
  };
  const withSession = (text?: string) => {
    begun.push(text);
    return session;
  };
  return { begun, db: { withSession } as unknown as D1Database };
}

/** A session at a database that fails. It continues from the bookmark that its database saw. */
const onFailing = (message: string, bookmark: string | null = null) =>
  new ShardSession(failing(new Error(message), bookmark).db, 0, bookmark ?? undefined);

describe("ShardSession", () => {
  it("has a bookmark after a read, from which the next session continues", async () => {
    const first = new ShardSession(db, 7, undefined);
    expect(first.bookmark()).toBeUndefined();
    expect(await first.read(one, never)).toBe(1);
    const seen = first.bookmark();
    expect(seen).toMatch(/^[0-9a-f]{8}-/);
    const second = new ShardSession(db, 7, seen);
    expect(second.bookmark()).toBe(seen);
    expect(await second.read(one, never)).toBe(1);
    expect(second.bookmark()! >= seen!).toBe(true);
  });

  it("starts at the primary without a bookmark", () => {
    const { db: spied, begun } = failing(new Error("unused"), null);
    for (const seen of [undefined, "first-unconstrained", "", TEXT])
      expect(new ShardSession(spied, 0, seen)).toBeDefined();
    expect(begun).toEqual(["first-primary", "first-primary", "first-primary", TEXT]);
  });

  it("asks the primary after a replica failed, and for every later read", async () => {
    const session = onFailing("D1_ERROR: bookmark refused", TEXT);
    const onPrimary = () => Promise.resolve("primary");
    expect(await session.read(async (reads) => `${await one(reads)}`, onPrimary)).toBe("primary");
    expect(session.bookmark()).toBeUndefined();
    expect(await session.read(() => Promise.resolve("session"), onPrimary)).toBe("primary");
  });

  it("rethrows the primary's own fault without asking again", async () => {
    const session = onFailing("D1_ERROR: overloaded");
    await expect(session.read(one, never)).rejects.toThrow("overloaded");
  });

  it("asks the primary whether a day is really missing", async () => {
    const session = onFailing("D1_ERROR: no such table: pages_20260101: SQLITE_ERROR");
    expect(await session.read(one, () => Promise.resolve(2))).toBe(2);
  });
});

describe("ShardSessions", () => {
  it("begin one session per shard, from the bookmark of that shard", async () => {
    const [first, second] = [TEXT, null].map((seen) => failing(new Error("unused"), seen));
    const shards = { SHARD_0: first!.db, SHARD_1: second!.db };
    const sessions = new ShardSessions({ ...env, ...shards }, { 0: TEXT, 2: "01" });
    expect(sessions.on(0)).toBe(sessions.on(0));
    sessions.on(1);
    expect([first!.begun, second!.begun]).toEqual([[TEXT], ["first-primary"]]);
    expect(sessions.bookmarks()).toEqual({ 0: TEXT, 2: "01" });
  });
});

describe("bookmarks", () => {
  it("are refused when they are a constraint, empty or long", () => {
    expect(isBookmark(TEXT)).toBe(true);
    const constraints = ["first-primary", "first-unconstrained"];
    for (const text of ["", " ", ...constraints, `${TEXT} `, `${TEXT}\n`, "💥", "a".repeat(101)])
      expect(isBookmark(text)).toBe(false);
  });

  it("are merged to the later one of each shard", () => {
    const later = laterBookmarks({ 0: "01", 1: "05" }, { 1: "04", 2: "03" });
    expect(later).toEqual({ 0: "01", 1: "05", 2: "03" });
    expect(laterBookmarks({ 0: "01" }, { 0: "0100" })).toEqual({ 0: "0100" });
  });
});
