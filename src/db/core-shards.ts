// Finds the core database of a team's rows (decision 0032). The bindings are `DB` for core shard 0,
// and `CORE_1`, `CORE_2` … for the other shards. A team's id, its number, its API keys
// (api-keys/key-secret.ts) and the ids of its domains all contain the shard's number. So the
// service finds the rows without a look-up.
import type { Env } from "../env.ts";
import { type IdPrefix, newId } from "../lib/ids.ts";
import { logError } from "../lib/log.ts";
import { workOnAll } from "../lib/gathered-faults.ts";
import { HIGHEST_TEAM_NUMBER } from "../limits.ts";

/** An id contains the shard's number as one hex digit, so 16 shards are possible. */
export const CORE_SHARDS = 16;

/** Shard 0 also has the rows that belong to no single team. */
const SHARED = 0;
const NUMBERS_PER_SHARD = (HIGHEST_TEAM_NUMBER + 1) / CORE_SHARDS;
/** The index of the version digit in a UUID's text. */
const VERSION_AT = 14;
const MARKED = /^[a-z]+_[0-9a-f]{8}-[0-9a-f]{4}-8([0-9a-f])[0-9a-f]{2}-/;

/**
 * Returns the core shard of a team's or a domain's id. In a UUID of version 8, the digit after the
 * version is the shard (RFC 9562 §5.8). All other ids are on shard 0.
 */
export function coreShardOf(id: string): number {
  return Number.parseInt(MARKED.exec(id)?.[1] ?? "0", 16);
}

/** Returns a new id that contains the number of a core shard. */
export function newIdOn(shard: number, prefix: IdPrefix): string {
  const id = newId(prefix);
  if (shard === 0) return id;
  const at = prefix.length + 1 + VERSION_AT;
  return `${id.slice(0, at)}8${shard.toString(16)}${id.slice(at + 2)}`;
}

/** Returns the range of team numbers of a core shard. The ranges do not overlap. */
export function teamNumbersOf(shard: number): { readonly first: number; readonly last: number } {
  const first = shard * NUMBERS_PER_SHARD;
  return { first: Math.max(1, first), last: first + NUMBERS_PER_SHARD - 1 };
}

/** Returns the numbers of the core shards that have a binding, in ascending order. */
export function boundCores(env: Env): number[] {
  const others = Object.keys(env).flatMap((name) => /^CORE_(\d+)$/.exec(name)?.[1] ?? []);
  return [SHARED, ...others.map(Number).toSorted((left, right) => left - right)];
}

/** Returns the database of a core shard. Throws if the shard has no binding. */
export function coreDatabase(env: Env, shard: number): D1Database {
  const name = coreBinding(shard);
  const database = (env as unknown as Record<string, D1Database | undefined>)[name];
  if (!database)
    throw new Error(`core shard ${shard} is not bound: add the binding ${name} to wrangler.toml`);
  return database;
}

export function coreBinding(shard: number): string {
  return shard === SHARED ? "DB" : `CORE_${shard}`;
}

/** Returns the core database that has the team or the domain with this id. */
export function coreWith(env: Env, id: string): D1Database {
  return coreDatabase(env, coreShardOf(id));
}

/** Returns the core database with the rows that belong to no single team. */
export function sharedCore(env: Env): D1Database {
  return coreDatabase(env, SHARED);
}

/**
 * Returns the core databases that may have the team with this number. Shard 0 is always one of
 * them, because it assigned all numbers before other core shards existed.
 */
export function coresOfNumber(env: Env, number: number): D1Database[] {
  const named = Math.floor(number / NUMBERS_PER_SHARD);
  const shards = boundCores(env).filter((shard) => shard === named || shard === SHARED);
  return shards.toReversed().map((shard) => coreDatabase(env, shard));
}

export function allCores(env: Env): D1Database[] {
  return boundCores(env).map((shard) => coreDatabase(env, shard));
}

/** Reads from all core databases in parallel. Throws if any database does not answer. */
export function readCores<Found>(
  env: Env,
  read: (db: D1Database) => Promise<Found>,
): Promise<Found[]> {
  return Promise.all(allCores(env).map(read));
}

/**
 * Reads from all core databases in parallel. Logs each database that does not answer, and leaves it
 * out of the result. Throws if a database does not answer and no other result has data
 * (`isNothing`).
 */
export async function readAnsweringCores<Found>(
  env: Env,
  read: (db: D1Database) => Promise<Found>,
  isNothing: (found: Found) => boolean,
): Promise<Found[]> {
  const results = await Promise.allSettled(allCores(env).map(read));
  const found = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const faults = results.filter((result) => result.status === "rejected");
  const [fault] = faults;
  if (fault && found.every(isNothing)) throw fault.reason;
  for (const { reason } of faults) logError("core_shard_silent", reason);
  return found;
}

/**
 * Calls `work` for one core database after another. If a call fails, continues with the remaining
 * databases, and throws at the end.
 */
export async function eachCore(
  env: Env,
  work: (db: D1Database) => Promise<unknown>,
): Promise<void> {
  await workOnAll(allCores(env), 1, work);
}
