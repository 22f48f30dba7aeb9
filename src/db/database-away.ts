// Recognises the errors of D1 that mean that the database did not answer. Pure.

/** An error with a code of SQLite, such as `SQLITE_CONSTRAINT`, is an answer of the database. */
const AWAY = /^(?:D1_ERROR: (?!.*\bSQLITE_)|Network connection lost)/s;
const CAUSES_READ = 5;

/** Returns true if the database did not answer, so that the same statement may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  let one = error;
  for (let depth = 0; depth < CAUSES_READ && one instanceof Error; depth += 1) {
    if (AWAY.test(one.message)) return true;
    one = one.cause;
  }
  return false;
}
