// Detects databases that lack migrations. A build at Cloudflare may deploy the worker before its
// migrations are applied (docs/set-up.md §By the button).
import type { Env } from "../env.ts";
import { SCHEMA_MISSING } from "../lib/error-fixes.ts";
import { hintFor } from "../lib/log.ts";
import { boundShards } from "../settings.ts";
import { shardDatabase } from "./client.ts";
import { allCores } from "./core-shards.ts";
import { CORE_PROBE, SHARD_PROBE } from "./schema-probes.ts";

const complete = new WeakSet<Env>();

/**
 * Returns the command that applies the missing migrations. Returns null if no migration is missing,
 * or if a database does not answer. Does not query complete databases a second time.
 */
export async function findMissingSchema(env: Env): Promise<string | null> {
  if (complete.has(env)) return null;
  try {
    for (const core of allCores(env)) await core.prepare(CORE_PROBE).run();
    for (const shard of boundShards(env))
      await shardDatabase(env, shard).prepare(SHARD_PROBE).run();
    complete.add(env);
    return null;
  } catch (error) {
    const hint = hintFor(error);
    return hint?.startsWith(SCHEMA_MISSING) ? hint : null;
  }
}
