// Code reaches a database only through a scope, which is a database bound to one team, so that a query without its team can't be written by accident.
// A team's row names its shards, and only this file turns those names into bindings (docs/scaling.md).
import type { Team } from "../endpoint.ts";
import { boundShards, type Env } from "../env.ts";
import { type Bookmark, HistorySession, type Reads } from "./session.ts";
import { homeShard } from "./shards.ts";

/** A database as one team may see it. */
export interface Scope {
  readonly db: D1Database;
  readonly teamId: string;
}

/** The shard that holds one team's messages and events. */
export interface HistoryScope extends Scope {
  readonly retentionDays: number;
  /** For what only shows: reads that replicas may answer. Absent: the primary answers all. */
  readonly session?: HistorySession;
}

export type HistoryOwner = Pick<Team, "id" | "shards" | "eventRetentionDays">;

export function coreFor(env: Env, teamId: string): Scope {
  return { db: env.DB, teamId };
}

/** The suppressions of a team, on its first shard. The primary answers, so that an address which was suppressed a moment ago gets nothing. */
export function suppressionsOf(env: Env, team: Pick<Team, "id" | "shards">): Scope {
  return { db: shardDatabase(env, homeShard(team.shards)), teamId: team.id };
}

export function historyFor(env: Env, team: HistoryOwner): HistoryScope {
  const { id: teamId, eventRetentionDays: retentionDays } = team;
  return { db: shardDatabase(env, homeShard(team.shards)), teamId, retentionDays };
}

/** historyFor() for what only shows: replicas may answer once the history was seen, now or, by a bookmark of the same shard, by the page before. */
export function shownHistoryFor(env: Env, team: HistoryOwner, seen?: Bookmark): HistoryScope {
  const scope = historyFor(env, team);
  return { ...scope, session: new HistorySession(scope.db, homeShard(team.shards), seen) };
}

/** A read of the scope's shard, in its session if it has one. */
export async function readShown<Result>({ db, session }: HistoryScope, read: (db: Reads) => Promise<Result>): Promise<Result> {
  return session ? session.read(read, () => read(db)) : read(db);
}

/** Every shard that is bound: what the sweeps walk. */
export function shardDatabases(env: Env): D1Database[] {
  return boundShards(env).map((shard) => shardDatabase(env, shard));
}

/** By its number, for what only knows a message. Throws when it is not bound. */
export function shardDatabase(env: Env, shard: number): D1Database {
  const binding = (env as unknown as Record<string, D1Database | undefined>)[`SHARD_${shard}`];
  if (!binding) throw new Error(`shard ${shard} is not bound: add SHARD_${shard} to wrangler.toml`);
  return binding;
}
