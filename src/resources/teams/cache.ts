// A team's settings for code that works without a request, kept in the isolate for at most a minute (docs/storage.md §What an isolate remembers).
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { findTeam, toCallerTeam } from "./store.ts";

const TEAMS_CACHED = 5_000;

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

/** After a change: this isolate reads it anew. */
export function forgetTeam(id: string): void {
  teams.delete(id);
}
