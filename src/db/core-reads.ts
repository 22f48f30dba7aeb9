// Reads the core database from a replica, at most a minute behind the primary (docs/scaling.md
// §Read replication). D1 does not limit how far a replica lags. So each minute one read of the
// isolate goes to the primary, and the next reads use the bookmark of that read. Each core database
// has its own bookmark.
import { logWarning, safeMessage } from "../lib/log.ts";
import { MINUTE_MS } from "../limits.ts";
import type { Reads } from "../rpc/shard-types.ts";
import { isBookmark } from "./shard-session.ts";

/** The bookmark of the last read from each primary, and the time until which it is used. */
let seen = new WeakMap<D1Database, { readonly bookmark: string; readonly until: number }>();

/** Number of changes that this isolate made to the rows that it reads from replicas. */
let changes = 0;

/**
 * Records a change that this isolate made, so that its next read goes to the primary and sees the
 * change. A read that began before the change must not cache its result.
 */
export function markOwnChange(): void {
  changes += 1;
  seen = new WeakMap();
}

/** Returns a function that tells whether the isolate has recorded no change since this call. */
export function watchOwnChanges(): () => boolean {
  const before = changes;
  return () => changes === before;
}

/**
 * Runs `read` on a replica. If `read` returns undefined or fails there, runs `onPrimary` on the
 * primary, which also has the newest rows.
 */
export async function readNear<Found>(
  db: D1Database,
  read: (db: D1Database) => Promise<Found | undefined>,
  onPrimary = read,
): Promise<Found | undefined> {
  const known = seen.get(db);
  if (known && Date.now() < known.until) {
    const found = await readOnReplica(db, known.bookmark, read);
    if (found !== undefined) return found;
  }
  return readOnPrimary(db, onPrimary);
}

async function readOnReplica<Found>(
  db: D1Database,
  bookmark: string,
  read: (db: D1Database) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  try {
    return await read(asDatabase(db.withSession(bookmark)));
  } catch (error) {
    logWarning("core_replica_failed", { error: safeMessage(error) });
    return undefined;
  }
}

async function readOnPrimary<Found>(
  db: D1Database,
  read: (db: D1Database) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const isUnchanged = watchOwnChanges();
  const until = Date.now() + MINUTE_MS;
  const session = db.withSession("first-primary");
  const found = await read(asDatabase(session));
  const bookmark = session.getBookmark() ?? "";
  if (isUnchanged() && isBookmark(bookmark)) seen.set(db, { bookmark, until });
  return found;
}

/** Returns the session as a database, because both run statements with the same methods. */
function asDatabase(session: Reads): D1Database {
  return session as D1Database;
}
