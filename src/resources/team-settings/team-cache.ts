// Caches teams' settings for code outside requests, in each isolate for at most a minute
// (docs/storage.md §What an isolate remembers). The read may use a replica that is a minute old.
import { coresOfNumber, coreWith } from "../../db/core-shards.ts";
import { markOwnChange, readNear, watchOwnChanges } from "../../db/core-reads.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { findTeam, findTeamId, toCallerTeam } from "./store.ts";

const TEAMS_CACHED = 5_000;

/** Team ids by number. A number never changes and is never reused. */
const ids = new BoundedCache<string>(TEAMS_CACHED, CREDENTIAL_CACHE_MS);
const teams = new BoundedCache<Team>(TEAMS_CACHED, CREDENTIAL_CACHE_MS);

/** Returns a team, or undefined if it was deleted. */
export async function teamFor(env: Env, id: string, now: number): Promise<Team | undefined> {
  const known = teams.get(id, now);
  if (known) return known;
  const isUnchanged = watchOwnChanges();
  const row = await readNear(coreWith(env, id), (db) => findTeam(db, id));
  if (!row) return undefined;
  const team = toCallerTeam(row);
  if (isUnchanged()) teams.set(id, team, now);
  return team;
}

/**
 * Returns the team with this number, or undefined if the team was deleted. Tokens in the team's
 * mail contain the number.
 */
export async function teamByNumber(
  env: Env,
  number: number,
  now: number,
): Promise<Team | undefined> {
  const id = ids.get(String(number), now) ?? (await findIdOf(env, number));
  if (id === undefined) return undefined;
  ids.set(String(number), id, now);
  return teamFor(env, id, now);
}

async function findIdOf(env: Env, number: number): Promise<string | undefined> {
  for (const core of coresOfNumber(env, number)) {
    const id = await readNear(core, (db) => findTeamId(db, number));
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Removes a changed team from this isolate's cache. */
export function forgetTeamSettings(id: string): void {
  markOwnChange();
  teams.delete(id);
}
