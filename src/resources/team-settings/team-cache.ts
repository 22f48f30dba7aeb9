// A team's settings for code that works without a request, kept in the isolate for at most a minute
// (docs/storage.md §What an isolate remembers).
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { findTeam, findTeamId, toCallerTeam } from "./store.ts";

const TEAMS_CACHED = 5_000;

/** By number, which neither changes nor comes again. */
const ids = new BoundedCache<string>(TEAMS_CACHED, CREDENTIAL_CACHE_MS);
const teams = new BoundedCache<Team>(TEAMS_CACHED, CREDENTIAL_CACHE_MS);

/** Undefined: the team was deleted. */
export async function teamFor(env: Env, id: string, now: number): Promise<Team | undefined> {
  const known = teams.get(id, now);
  if (known) return known;
  const row = await findTeam(env.DB, id);
  if (!row) return undefined;
  const team = toCallerTeam(row);
  teams.set(id, team, now);
  return team;
}

/** The team that a token names by its number. Undefined: it was deleted. */
export async function teamByNumber(
  env: Env,
  number: number,
  now: number,
): Promise<Team | undefined> {
  const id = ids.get(String(number), now) ?? (await findTeamId(env.DB, number));
  if (id === undefined) return undefined;
  ids.set(String(number), id, now);
  return teamFor(env, id, now);
}

/** After a change: this isolate reads it anew. */
export function forgetTeam(id: string): void {
  teams.delete(id);
}
