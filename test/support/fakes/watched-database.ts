// A core database without replicas whose statements a test makes itself.
import { markOwnChange } from "../../../src/db/core-reads.ts";

/** The database knows no bookmark, so each read goes to its primary. */
export function watchedDatabase(prepare: (sql: string) => D1PreparedStatement): D1Database {
  markOwnChange();
  const withSession = () => ({ prepare, getBookmark: () => null });
  return { prepare, withSession } as unknown as D1Database;
}
