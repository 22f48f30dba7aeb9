// Tells whether a database did not answer, by D1's error. Pure.

/** D1 ends the reason for which it refuses a statement with SQLite's code, `SQLITE_CONSTRAINT`. */
const AWAY = /^(?:D1_ERROR: (?!.*\bSQLITE_)|Network connection lost)/s;
const CAUSES_READ = 5;

/** True: the same statement may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  let one = error;
  for (let depth = 0; depth < CAUSES_READ && one instanceof Error; depth += 1) {
    if (AWAY.test(one.message)) return true;
    one = one.cause;
  }
  return false;
}
