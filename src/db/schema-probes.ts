// Lists queries that fail unless the database has all migrations, because each query reads a column
// or table of the newest migration. test/node/schema-probes.test.ts compares them with migrations/.
// Pure.

export const CORE_PROBE = "SELECT topic_names FROM teams LIMIT 1";
export const SHARD_PROBE = "SELECT id FROM audit_entries LIMIT 1";
