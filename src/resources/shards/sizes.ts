// Measures the sizes of the shards' databases (docs/scaling.md §Adding a shard). D1 returns the
// size with the result of every query.
import { shardDatabase } from "../../db/client.ts";
import { boundCores, coreDatabase } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { logWarning, safeMessage } from "../../lib/log.ts";

/**
 * A shard of this size gets no new teams. D1's limit is 10 GB. The remaining space is for the
 * growing data of the teams that are already on the shard.
 */
const FULL_AFTER_BYTES = 7_000_000_000;
const SIZE_KNOWN_MS = 60_000;
const SIZE_TIMEOUT_MS = 2_000;

/** Size in bytes, by shard. Null: the shard did not answer. */
export type ShardSizes = ReadonlyMap<number, number | null>;

const cache = new WeakMap<D1Database, { readonly size: number | null; readonly until: number }>();

/**
 * Returns the sizes at `now` (Unix milliseconds). An isolate queries each shard at most once a
 * minute. Throws for a shard without a binding.
 */
export async function measureShards(
  env: Env,
  shards: readonly number[],
  now: number,
): Promise<ShardSizes> {
  return measureEach(shards, (shard) => shardDatabase(env, shard), now);
}

/** Returns the sizes of the core databases, as measureShards() does. */
export function measureCores(env: Env, now: number): Promise<ShardSizes> {
  return measureEach(boundCores(env), (shard) => coreDatabase(env, shard), now);
}

async function measureEach(
  shards: readonly number[],
  databaseOf: (shard: number) => D1Database,
  now: number,
): Promise<ShardSizes> {
  const sizes = shards.map(
    async (shard) => [shard, await measure(shard, databaseOf(shard), now)] as const,
  );
  return new Map(await Promise.all(sizes));
}

/**
 * Returns the shards that answered and are not full. If all shards that answered are full, returns
 * all of these. If no shard answered, returns all shards.
 */
export function filterWithRoom(shards: readonly number[], sizes: ShardSizes): readonly number[] {
  const answering = shards.filter((shard) => typeof sizes.get(shard) === "number");
  const notFull = answering.filter((shard) => !isFull(shard, sizes));
  return [notFull, answering, shards].find(({ length }) => length > 0) ?? [];
}

/** Returns whether a shard is full. An unknown size counts as not full. */
export function isFull(shard: number, sizes: ShardSizes): boolean {
  return (sizes.get(shard) ?? 0) > FULL_AFTER_BYTES;
}

async function measure(shard: number, database: D1Database, now: number): Promise<number | null> {
  const cached = cache.get(database);
  if (cached && now < cached.until) return cached.size;
  const size = await querySize(shard, database);
  cache.set(database, { size, until: now + SIZE_KNOWN_MS });
  return size;
}

async function querySize(shard: number, database: D1Database): Promise<number | null> {
  try {
    return (await withTimeout(SIZE_TIMEOUT_MS, () => database.prepare("SELECT 1").run())).meta
      .size_after;
  } catch (error) {
    logWarning("shard_silent", { shard, error: safeMessage(error) });
    return null;
  }
}
