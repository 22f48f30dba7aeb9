// Decides which core database has a team's rows (decision 0032), and is the only file that names
// their bindings: `DB` for core shard 0, `CORE_1`, `CORE_2` … for the others. The ids of a team and
// of its domains name the shard, as do the team's number and its keys (api-keys/key-secret.ts), so
// no look-up leads to the rows.
import type { Env } from "../env.ts";
import { type IdPrefix, newId } from "../lib/ids.ts";
import { logError } from "../lib/log.ts";
import { workOnAll } from "../lib/gathered-faults.ts";
import { HIGHEST_TEAM_NUMBER } from "../limits.ts";

/** One hex digit of an id names the shard. */
export const CORE_SHARDS = 16;

/** Shard 0 has what belongs to no team alone. */
const SHARED = 0;
const NUMBERS_PER_SHARD = (HIGHEST_TEAM_NUMBER + 1) / CORE_SHARDS;
/** Index of the version's digit in a UUID's text. */
const VERSION_AT = 14;
const MARKED = /^[a-z]+_[0-9a-f]{8}-[0-9a-f]{4}-8([0-9a-f])[0-9a-f]{2}-/;

/**
 * Returns the core shard that the id of a team or domain names: the digit after the version of a
 * UUID of version 8 (RFC 9562 §5.8). Shard 0 has all other ids.
 */
export function coreShardOf(id: string): number {
  return Number.parseInt(MARKED.exec(id)?.[1] ?? "0", 16);
}

/** Returns a new id that names a core shard. */
export function newIdOn(shard: number, prefix: IdPrefix): string {
  const id = newId(prefix);
  if (shard === 0) return id;
  const at = prefix.length + 1 + VERSION_AT;
  return `${id.slice(0, at)}8${shard.toString(16)}${id.slice(at + 2)}`;
}

/** Returns the numbers that the teams of a core shard get, so that no two teams share one. */
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

/** Returns the database with the row of this id, which is that of a team or a domain. */
export function coreWith(env: Env, id: string): D1Database {
  return coreDatabase(env, coreShardOf(id));
}

/** Returns the database with the rows that belong to no team alone. */
export function sharedCore(env: Env): D1Database {
  return coreDatabase(env, SHARED);
}

/**
 * Returns the databases that may have the team of this number. Shard 0 may: it gave out all numbers
 * before there were others.
 */
export function coresOfNumber(env: Env, number: number): D1Database[] {
  const named = Math.floor(number / NUMBERS_PER_SHARD);
  const shards = boundCores(env).filter((shard) => shard === named || shard === SHARED);
  return shards.toReversed().map((shard) => coreDatabase(env, shard));
}

export function allCores(env: Env): D1Database[] {
  return boundCores(env).map((shard) => coreDatabase(env, shard));
}

/** Reads from all core databases at once. Throws if one does not answer. */
export function readCores<Found>(
  env: Env,
  read: (db: D1Database) => Promise<Found>,
): Promise<Found[]> {
  return Promise.all(allCores(env).map(read));
}

/**
 * Reads what any core database may have. One that does not answer is logged and left out, so that
 * the result is shorter than allCores(). If the others have nothing (`isNothing`), this throws.
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

/** Works on one core database after another. If one fails, goes on with the others, then throws. */
export async function eachCore(
  env: Env,
  work: (db: D1Database) => Promise<unknown>,
): Promise<void> {
  await workOnAll(allCores(env), 1, work);
}
