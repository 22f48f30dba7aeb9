// How code gets at a database: always through a scope, a database bound to one team, so that a query without its team can't be written by accident.
// design.md section 3: a team's row names its history shard, and only historyFor() turns that name into a binding.
import { boundShards, type Env } from "../env.ts";

/** The core database as one team may see it. */
export interface Scope {
  readonly db: D1Database;
  readonly teamId: string;
}

/** The history shard that holds one team's messages and events. */
export interface HistoryScope extends Scope {
  readonly retentionDays: number;
  /** While the team's history is being moved: where it was, and somebody who does not know yet may still write (docs/scaling.md). */
  readonly former?: D1Database;
}

export interface HistoryOwner {
  readonly id: string;
  readonly historyShard: number;
  readonly formerShard?: number | null;
  readonly eventRetentionDays: number;
}

export function coreFor(env: Env, teamId: string): Scope {
  return { db: env.DB, teamId };
}

export function historyFor(env: Env, team: HistoryOwner): HistoryScope {
  const { id: teamId, formerShard, eventRetentionDays: retentionDays } = team;
  const former = formerShard == null ? {} : { former: historyShard(env, formerShard) };
  return { db: historyShard(env, team.historyShard), teamId, retentionDays, ...former };
}

/** Every history database that is bound: what the sweeps walk. */
export function historyShards(env: Env): D1Database[] {
  return boundShards(env).map((shard) => historyShard(env, shard));
}

/** By its number, for what only knows a message. Throws when it is not bound. */
export function historyShard(env: Env, shard: number): D1Database {
  const binding = (env as unknown as Record<string, D1Database | undefined>)[`HISTORY_${shard}`];
  if (!binding) throw new Error(`history shard ${shard} is not bound: add HISTORY_${shard} to wrangler.toml`);
  return binding;
}
