// How large the shards' databases are (docs/scaling.md §Adding a shard). D1 tells it with the
// answer to any query.
import { shardDatabase } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import { logWarning, safeMessage } from "../../lib/log.ts";

/** D1 ends at 10 GB; what is on a shard goes on growing after nothing new is put on it. */
const FULL_AFTER_BYTES = 7_000_000_000;
const KNOWN_FOR_MS = 60_000;
const TIMEOUT_MS = 2_000;

/** Bytes by shard; null: the shard does not answer. */
export type ShardSizes = ReadonlyMap<number, number | null>;

const known = new WeakMap<D1Database, { readonly size: number | null; readonly until: number }>();

/**
 * An isolate asks each shard once a minute at most. `now` in Unix milliseconds. Throws for a shard
 * that is not bound.
 */
export async function shardSizes(
  env: Env,
  shards: readonly number[],
  now: number,
): Promise<ShardSizes> {
  return new Map(
    await Promise.all(
      shards.map(
        async (shard) => [shard, await sizeOf(shard, shardDatabase(env, shard), now)] as const,
      ),
    ),
  );
}

/** Those that are not full; where all are, those that answer; where none does, all. */
export function withRoom(shards: readonly number[], sizes: ShardSizes): readonly number[] {
  const answering = shards.filter((shard) => typeof sizes.get(shard) === "number");
  const roomy = answering.filter((shard) => !isFull(shard, sizes));
  return [roomy, answering, shards].find(({ length }) => length > 0) ?? [];
}

/** False where the size is not known. */
export function isFull(shard: number, sizes: ShardSizes): boolean {
  return (sizes.get(shard) ?? 0) > FULL_AFTER_BYTES;
}

async function sizeOf(shard: number, database: D1Database, now: number): Promise<number | null> {
  const remembered = known.get(database);
  if (remembered && now < remembered.until) return remembered.size;
  const size = await ask(shard, database);
  known.set(database, { size, until: now + KNOWN_FOR_MS });
  return size;
}

async function ask(shard: number, database: D1Database): Promise<number | null> {
  try {
    return (await withTimeout(TIMEOUT_MS, () => database.prepare("SELECT 1").run())).meta
      .size_after;
  } catch (error) {
    logWarning("shard_silent", { shard, error: safeMessage(error) });
    return null;
  }
}
