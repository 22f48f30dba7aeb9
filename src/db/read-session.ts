// Reads shards where near replicas may answer (docs/scaling.md §Read replication): in sessions of
// D1's, of which every read sees at least what those before it saw. The first goes to the primary
// unless a bookmark says what was seen already. A read that decides or writes has no session, and
// asks the primary.
import type { Bookmarks, Reads } from "../contracts/shard-types.ts";
import type { Env } from "../env.ts";
import { logWarning, safeMessage } from "../lib/log.ts";
import { shardDatabase } from "./client.ts";
import { isMissingPartition } from "./partitions.ts";

/**
 * No constraint of withSession() is spelled with these alone, so none can come in as a bookmark.
 */
const BOOKMARK = /^[0-9a-f-]{1,100}$/;

export function isBookmark(text: string): boolean {
  return BOOKMARK.test(text);
}

/** Of two bookmarks of a shard the one that saw more: D1's sort as text. */
export function laterBookmarks(one: Bookmarks, other: Bookmarks): Bookmarks {
  const later: Record<number, string> = { ...one };
  for (const [shard, text] of Object.entries(other)) {
    const known = later[Number(shard)];
    if (known === undefined || known < text) later[Number(shard)] = text;
  }
  return later;
}

/** One session for each shard that is read, each begun where it is first needed. */
export class ShardSessions {
  readonly #env: Env;
  readonly #seen: Bookmarks;
  readonly #sessions = new Map<number, ShardSession>();

  /**
   * Every shard is read from what `seen` has of it on; from the newest there is, where that has
   * nothing.
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

  /** What was seen, before and now. A shard is left out of which that can't be said. */
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
   * `read` in the session; `onPrimary` for what no replica could answer and, so that nothing goes
   * back behind it, for every read after that.
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
      // A day's tables may be missing on a replica, or be gone.
      if (!isMissingPartition(error)) {
        // As long as nothing was seen, it was the primary that failed.
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
