// Lists queries that only a database with all migrations answers, because each reads what the
// newest migration made. test/node/schema-probes.test.ts compares them with migrations/. Pure.

export const CORE_PROBE = "SELECT topic_names FROM teams LIMIT 1";
export const SHARD_PROBE = "SELECT id FROM audit_entries LIMIT 1";
