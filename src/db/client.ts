// Makes scopes. A scope is a database and one team, so that a query cannot omit its team by
// accident. A team's row names its shards by number. Only shardDatabase() finds the binding of a
// number (docs/scaling.md §Adding a shard). core-shards.ts finds a team's core database by the
// team's id.
import type { Author } from "../audit.ts";
import type { ApiRequest, Team } from "../endpoint.ts";
import type { Env } from "../env.ts";
import { boundShards } from "../settings.ts";
import { coreWith } from "./core-shards.ts";
import { homeShard } from "./shards.ts";

/** A database, and the only team whose rows a query may access. */
export interface Scope {
  readonly db: D1Database;
  readonly teamId: string;
  /** The author of the changes, for the audit trail. Absent: the changes write no entry. */
  readonly author?: Author | null;
}

/** Returns the scope of a team in its core database. */
export function coreFor(env: Env, teamId: string, author: Author | null = null): Scope {
  return { db: coreWith(env, teamId), teamId, author };
}

/** Returns the scope of the caller's team in the core database. */
export function coreOf({
  env,
  caller,
  author,
}: Pick<ApiRequest, "env" | "caller" | "author">): Scope {
  return coreFor(env, caller.team.id, author);
}

/**
 * Returns the scope of a team's suppressions, which are on its first shard. Reads go to the
 * primary. A replica might not know a new suppression yet, and the address would get mail.
 */
export function suppressionsOf(
  env: Env,
  team: Pick<Team, "id" | "shards">,
  author: Author | null = null,
): Scope {
  return { db: shardDatabase(env, homeShard(team.shards)), teamId: team.id, author };
}

/** Returns the scope of a team's replies, which are on its first shard. */
export function repliesOf(env: Env, team: Pick<Team, "id" | "shards">): Scope {
  return suppressionsOf(env, team);
}

/** Returns the databases of all shards that have a binding. */
export function shardDatabases(env: Env): D1Database[] {
  return boundShards(env).map((shard) => shardDatabase(env, shard));
}

/** Returns the database of the shard with this number. Throws if the shard has no binding. */
export function shardDatabase(env: Env, shard: number): D1Database {
  const binding = (env as unknown as Record<string, D1Database | undefined>)[`SHARD_${shard}`];
  if (!binding)
    throw new Error(`shard ${shard} is not bound: add the binding SHARD_${shard} to wrangler.toml`);
  return binding;
}
