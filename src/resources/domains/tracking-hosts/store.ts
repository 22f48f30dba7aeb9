// Stores the domain of each tracking host, and the result of the host's last check. A host belongs
// to at most one domain of the deployment, the first that proves it (docs/tracking.md §Hosts). So
// all rows are on core shard 0, and a host's domain may be on another core shard. Takes no Scope,
// because the sweep and the queue's jobs do not belong to a team.
import { asc, eq, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { domains, trackingHosts } from "../../../db/core-schema.ts";
import { coreWith, sharedCore } from "../../../db/core-shards.ts";
import type { Env } from "../../../env.ts";

export type TrackingHost = typeof trackingHosts.$inferSelect;

/**
 * Assigns a host to a domain, unless the host belongs to another existing domain and passed its
 * last check. Returns the host's row, which may name the other domain.
 */
export async function claimHost(
  env: Env,
  host: string,
  domainId: string,
  now: number,
): Promise<TrackingHost> {
  const db = sharedCore(env);
  const holder = (await findHost(db, host))?.domainId;
  const isGone = holder !== undefined && (await findDomainOf(env, holder)) === null;
  const fresh = { host, domainId, hostnameId: null, isOurs: false, problem: null };
  await drizzle(db)
    .insert(trackingHosts)
    .values({ ...fresh, servedAt: null, checkedAt: now })
    .onConflictDoUpdate({
      target: trackingHosts.host,
      set: { domainId },
      setWhere: sql`${trackingHosts.problem} IS NOT NULL
        OR ${trackingHosts.domainId} = ${isGone ? holder : null}`,
    });
  return (await findHost(db, host))!;
}

/** Returns the domain with this id, or null if it was deleted. */
export async function findDomainOf(
  env: Env,
  domainId: string,
): Promise<typeof domains.$inferSelect | null> {
  const query = drizzle(coreWith(env, domainId))
    .select()
    .from(domains)
    .where(eq(domains.id, domainId));
  return (await query.get()) ?? null;
}

export async function findHost(db: D1Database, host: string): Promise<TrackingHost | null> {
  const query = drizzle(db).select().from(trackingHosts).where(eq(trackingHosts.host, host));
  return (await query.get()) ?? null;
}

export async function listHostsOf(db: D1Database, domainId: string): Promise<TrackingHost[]> {
  return drizzle(db).select().from(trackingHosts).where(eq(trackingHosts.domainId, domainId));
}

/** Stores the result of a check. `problem` null: the check passed. */
export async function setHostProblem(
  db: D1Database,
  host: string,
  problem: string | null,
  now: number,
): Promise<void> {
  await drizzle(db)
    .update(trackingHosts)
    .set({ problem, checkedAt: now, ...(problem === null && { servedAt: now }) })
    .where(eq(trackingHosts.host, host));
}

/**
 * Stores that the service makes the custom hostname. Must be called before the call to Cloudflare,
 * without an id, and again after it, with the id.
 */
export async function setHostname(
  db: D1Database,
  host: string,
  hostnameId: string | null,
): Promise<void> {
  await drizzle(db)
    .update(trackingHosts)
    .set({ isOurs: true, hostnameId })
    .where(eq(trackingHosts.host, host));
}

export async function forgetHost(db: D1Database, host: string): Promise<void> {
  await drizzle(db).delete(trackingHosts).where(eq(trackingHosts.host, host));
}

/** Lists up to `limit` hosts whose last check was before `before`, oldest check first. */
export async function listDueHosts(
  db: D1Database,
  before: number,
  limit: number,
): Promise<TrackingHost[]> {
  return drizzle(db)
    .select()
    .from(trackingHosts)
    .where(lt(trackingHosts.checkedAt, before))
    .orderBy(asc(trackingHosts.checkedAt))
    .limit(limit);
}

/** Counts the hosts by state. `broken`: the host passed a check once, but failed its last check. */
export async function countHosts(
  db: D1Database,
): Promise<Readonly<Record<"served" | "pending" | "broken", number>>> {
  const rows = await drizzle(db)
    .select({
      state: sql<"served" | "pending" | "broken">`CASE
        WHEN ${trackingHosts.servedAt} IS NULL THEN 'pending'
        WHEN ${trackingHosts.problem} IS NULL THEN 'served' ELSE 'broken' END`,
      count: sql<number>`count(*)`,
    })
    .from(trackingHosts)
    .groupBy(sql`1`);
  const counted = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  return { served: 0, pending: 0, broken: 0, ...counted };
}
