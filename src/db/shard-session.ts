// Reads shards through D1's sessions, so that a nearby replica may answer (docs/scaling.md §Read
// replication). Every read of a session sees at least what earlier reads saw. The first read goes
// to the primary, unless a bookmark tells what was seen before. Reads that a decision or a write
// depends on use no session and go to the primary.
import type { Bookmarks, Reads } from "../rpc/shard-types.ts";
import type { Env } from "../env.ts";
import { logWarning, safeMessage } from "../lib/log.ts";
import { shardDatabase } from "./client.ts";
import { isMissingPartition } from "./partitions.ts";

/**
 * The characters of a bookmark. No constraint of withSession() consists only of these, so a client
 * cannot pass a constraint as a bookmark.
 */
const BOOKMARK = /^[0-9a-f-]{1,100}$/;

export function isBookmark(text: string): boolean {
  return BOOKMARK.test(text);
}

/**
 * Merges two sets of bookmarks: returns the later bookmark of each shard. D1's bookmarks sort as
 * text.
 */
export function laterBookmarks(one: Bookmarks, other: Bookmarks): Bookmarks {
  const later: Record<number, string> = { ...one };
  for (const [shard, text] of Object.entries(other)) {
    const known = later[Number(shard)];
    if (known === undefined || known < text) later[Number(shard)] = text;
  }
  return later;
}

/** A session for each shard, begun at the first read of the shard. */
export class ShardSessions {
  readonly #env: Env;
  readonly #seen: Bookmarks;
  readonly #sessions = new Map<number, ShardSession>();

  /**
   * `seen` has the bookmark from which each shard is read. Without one, the first read goes to the
   * primary.
   */
  constructor(env: Env, seen: Bookmarks) {
    this.#env = env;
    this.#seen = seen;
  }

  on(shard: number): ShardSession {
    let session = this.#sessions.get(shard);
    if (!session)
      this.#sessions.set(
        shard,
        (session = new ShardSession(shardDatabase(this.#env, shard), shard, this.#seen[shard])),
      );
    return session;
  }

  /**
   * Returns the bookmarks of all reads so far, including earlier sessions. A shard without a usable
   * bookmark is left out.
   */
  bookmarks(): Bookmarks {
    const read = Array.from(this.#sessions, ([shard, session]) => [shard, session.bookmark()]);
    const all = {
      ...this.#seen,
      ...(Object.fromEntries(read) as Record<number, string | undefined>),
    };
    return Object.fromEntries(
      Object.entries(all).filter(([, text]) => text !== undefined),
    ) as Bookmarks;
  }
}

export class ShardSession {
  readonly db: D1Database;
  readonly #shard: number;
  #session: D1DatabaseSession | undefined;

  constructor(db: D1Database, shard: number, seen: string | undefined) {
    this.db = db;
    this.#shard = shard;
    this.#session = db.withSession(seen !== undefined && isBookmark(seen) ? seen : "first-primary");
  }

  /**
   * Runs `read` in the session. If a replica cannot answer, runs `onPrimary` for this and every
   * later read, so that no read sees less than the one before.
   */
  async read<Result>(
    read: (db: Reads) => Promise<Result>,
    onPrimary: () => Promise<Result>,
  ): Promise<Result> {
    const session = this.#session;
    if (!session) return onPrimary();
    try {
      return await read(session);
    } catch (error) {
      // The replica may not have a day's tables yet, or the tables were dropped.
      if (!isMissingPartition(error)) {
        // A session without a bookmark used the primary, so a retry there would fail too.
        if (session.getBookmark() === null) throw error;
        logWarning("shard_session_failed", { shard: this.#shard, error: safeMessage(error) });
      }
      this.#session = undefined;
      return onPrimary();
    }
  }

  bookmark(): string | undefined {
    const text = this.#session?.getBookmark() ?? "";
    return isBookmark(text) ? text : undefined;
  }
}
