// Reads shards through D1's sessions, so that a nearby replica may answer (docs/scaling.md §Read
// replication). No read of a session sees an older state than the read before it. The first read
// goes to the primary, unless the caller has a bookmark. Reads on which a decision or a write
// depends go to the primary without a session.
import type { Bookmarks, Reads } from "../rpc/shard-types.ts";
import type { Env } from "../env.ts";
import { logWarning, safeMessage } from "../lib/log.ts";
import { shardDatabase } from "./client.ts";
import { isMissingPartition } from "./partitions.ts";

/**
 * The form of a bookmark. withSession() also accepts constraints such as `first-primary`. No
 * constraint has this form, so a client cannot pass a constraint as a bookmark.
 */
const BOOKMARK = /^[0-9a-f-]{1,100}$/;

export function isBookmark(text: string): boolean {
  return BOOKMARK.test(text);
}

/** Returns the later bookmark of each shard. D1's bookmarks can be compared as text. */
export function laterBookmarks(one: Bookmarks, other: Bookmarks): Bookmarks {
  const later: Record<number, string> = { ...one };
  for (const [shard, text] of Object.entries(other)) {
    const known = later[Number(shard)];
    if (known === undefined || known < text) later[Number(shard)] = text;
  }
  return later;
}

/** Has one session for each shard, which begins at the first read of the shard. */
export class ShardSessions {
  readonly #env: Env;
  readonly #seen: Bookmarks;
  readonly #sessions = new Map<number, ShardSession>();

  /**
   * `seen` has the bookmark at which the session of each shard begins. The first read of a shard
   * without a bookmark goes to the primary.
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
   * Returns the bookmarks after all reads so far, and those of `seen` for shards without a read.
   * Leaves out shards without a valid bookmark.
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
   * Runs `read` in the session. If a replica cannot answer, runs `onPrimary` for this read and all
   * further reads, so that no read sees an older state than the read before it.
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
      // A missing table is expected: the replica may lag behind, or the day was dropped.
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
