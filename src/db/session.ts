// Reads a history where a near replica may answer (docs/scaling.md §Read replication): in a session of D1's, whose every read sees at least what
// those before it saw. The first goes to the primary unless a bookmark says what was seen already. A read that decides or writes has no session, and
// asks the primary.
import { logWarning, safeMessage } from "../lib/log.ts";
import { isPartitionFault } from "./partitions.ts";

/** What statements are prepared with and run on. */
export type Reads = Pick<D1Database, "prepare" | "batch">;

/** How much of a shard was seen. It means nothing to another shard. */
export interface Bookmark {
  readonly shard: number;
  /** D1's own. */
  readonly text: string;
}

/** No constraint of withSession() is spelled with these alone, so none can come in as a bookmark. */
const TEXT = /^[0-9a-f-]{1,100}$/;

/** Undefined: not the text of a bookmark. */
export function toBookmark(shard: number, text: string): Bookmark | undefined {
  return TEXT.test(text) ? { shard, text } : undefined;
}

export class HistorySession {
  readonly #shard: number;
  #session: D1DatabaseSession | undefined;

  /** Reads from what `seen` has on; from the newest there is, where it is left out or of another shard. */
  constructor(db: D1Database, shard: number, seen?: Bookmark) {
    this.#shard = shard;
    this.#session = db.withSession(seen?.shard === shard ? seen.text : "first-primary");
  }

  /** `read` in the session; `onPrimary` for what no replica could answer and, so that nothing goes back behind it, for every read after that. */
  async read<Result>(read: (db: Reads) => Promise<Result>, onPrimary: () => Promise<Result>): Promise<Result> {
    const session = this.#session;
    if (!session) return onPrimary();
    try {
      return await read(session);
    } catch (error) {
      // A day's tables may be missing or old anywhere, and are mended at the primary.
      if (!isPartitionFault(error)) {
        // As long as nothing was seen, it was the primary that failed.
        if (session.getBookmark() === null) throw error;
        logWarning("history_session_failed", { shard: this.#shard, error: safeMessage(error) });
      }
      this.#session = undefined;
      return onPrimary();
    }
  }

  /** What was seen; undefined when nothing was, or it can't be said. */
  bookmark(): Bookmark | undefined {
    return toBookmark(this.#shard, this.#session?.getBookmark() ?? "");
  }
}
