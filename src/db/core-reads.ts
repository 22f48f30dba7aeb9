// Reads of the core database that may see it as it was a minute ago, so that a replica may answer
// (docs/scaling.md §Read replication). A replica may lag for any time, so each minute one read of
// the isolate goes to the primary, and its bookmark bounds the lag of the others. Each core
// database has bookmarks of its own.
import { logWarning, safeMessage } from "../lib/log.ts";
import { MINUTE_MS } from "../limits.ts";
import type { Reads } from "../rpc/shard-types.ts";
import { isBookmark } from "./shard-session.ts";

/** The bookmark of the isolate's last read of each primary, and until when it suffices. */
let seen = new WeakMap<D1Database, { readonly bookmark: string; readonly until: number }>();

/** Number of changes that this isolate made to what it reads here. */
let changes = 0;

/**
 * Must be called after a change, so that the isolate reads its own change next. A look-up that
 * began before the change must not cache its result.
 */
export function markOwnChange(): void {
  changes += 1;
  seen = new WeakMap();
}

/** Returns a function that tells whether the isolate changed nothing since this call. */
export function watchOwnChanges(): () => boolean {
  const before = changes;
  return () => changes === before;
}

/**
 * Runs `read` on a replica. If it finds nothing (undefined) or fails there, runs `onPrimary` on the
 * primary: what was just made elsewhere is found at once.
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

/** Statements of a session are made and run as those of a database. */
function asDatabase(session: Reads): D1Database {
  return session as D1Database;
}
