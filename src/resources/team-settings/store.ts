// Stores teams in the core database. The operator creates and changes them (contract.md §Operator
// API).
import { desc, eq, inArray, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import {
  apiKeys,
  deletedTeams,
  dkimKeys,
  domains,
  teams,
  templateDrafts,
  templates,
  webhooks,
} from "../../db/core-schema.ts";
import { homeShard, spanOn } from "../../db/shards.ts";
import type { RowPosition, Team } from "../../endpoint.ts";
import type { Day, ShardSpan } from "../../rpc/shard-types.ts";
import { refuse } from "../../refusal.ts";

export type TeamRow = typeof teams.$inferSelect;

/** The row of a new team, before the database assigns the team's number. */
export type NewTeamRow = Omit<TeamRow, "number">;

/** Inserts a team and returns its row. Throws when all team numbers are used. */
export async function insertTeam(db: D1Database, row: NewTeamRow): Promise<TeamRow> {
  return drizzle(db).insert(teams).values(row).returning().get();
}

export async function findTeam(db: D1Database, id: string): Promise<TeamRow | undefined> {
  return drizzle(db).select().from(teams).where(eq(teams.id, id)).get();
}

/** Returns the id of the team with this number. */
export async function findTeamId(db: D1Database, number: number): Promise<string | undefined> {
  const row = await drizzle(db)
    .select({ id: teams.id })
    .from(teams)
    .where(eq(teams.number, number))
    .get();
  return row?.id;
}

export async function getTeam(db: D1Database, id: string): Promise<TeamRow> {
  const row = await findTeam(db, id);
  if (!row) throw refuse("not_found");
  return row;
}

/** Lists `limit` teams older than `after`, the newest first. */
export async function listTeams(
  db: D1Database,
  limit: number,
  after: RowPosition | null,
): Promise<TeamRow[]> {
  const older = after && sql`(${teams.createdAt}, ${teams.id}) < (${after.createdAt}, ${after.id})`;
  return drizzle(db)
    .select()
    .from(teams)
    .where(older ?? undefined)
    .orderBy(desc(teams.createdAt), desc(teams.id))
    .limit(limit);
}

/**
 * Returns the ids of up to `limit` teams. If `turn` increases by 1 with each call, the calls go
 * through all teams again and again.
 */
export async function listTeamsInTurn(
  db: D1Database,
  turn: number,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      "SELECT id FROM teams ORDER BY id LIMIT ?1 OFFSET ?1 * (?2 % max(1, (SELECT (count(*) " +
        "+ ?1 - 1) / ?1 FROM teams)))",
    )
    .bind(limit, turn)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

export async function countTeams(db: D1Database): Promise<number> {
  return drizzle(db).$count(teams);
}

/**
 * Counts the teams that have each shard in their current span. The result lacks shards without a
 * team.
 */
export async function countTeamsByShard(
  db: D1Database,
  today: Day,
): Promise<ReadonlyMap<number, number>> {
  const { results } = await db
    .prepare("SELECT shards AS spans, count(*) AS count FROM teams GROUP BY shards")
    .all<{ spans: string; count: number }>();
  const counts = new Map<number, number>();
  for (const { spans, count } of results)
    for (const shard of spanOn(JSON.parse(spans) as ShardSpan[], today).shards)
      counts.set(shard, (counts.get(shard) ?? 0) + count);
  return counts;
}

/**
 * Replaces a team's spans. Returns false and changes nothing when the current spans are not
 * `before`.
 */
export async function replaceShards(
  db: D1Database,
  id: string,
  before: readonly ShardSpan[],
  after: readonly ShardSpan[],
  now: number,
): Promise<boolean> {
  const update = db.prepare(
    "UPDATE teams SET shards = ?3, updated_at = ?4 WHERE id = ?1 AND shards = ?2",
  );
  return (
    (await update.bind(id, JSON.stringify(before), JSON.stringify(after), now).run()).meta.changes >
    0
  );
}

export async function updateTeam(
  db: D1Database,
  id: string,
  changes: Partial<TeamRow>,
): Promise<TeamRow> {
  const row = await drizzle(db)
    .update(teams)
    .set(changes)
    .where(eq(teams.id, id))
    .returning()
    .get();
  if (!row) throw refuse("not_found");
  return row;
}

/**
 * Returns the DNS provider's ids of all records that the service published for the team's domains.
 */
export async function listPublishedRecordIds(db: D1Database, id: string): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ ids: domains.publishedRecordIds })
    .from(domains)
    .where(eq(domains.teamId, id));
  return rows.flatMap((row) => row.ids);
}

/** Returns the ids of the team's webhooks. */
export async function listWebhookIds(db: D1Database, id: string): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(eq(webhooks.teamId, id));
  return rows.map((row) => row.id);
}

/**
 * Deletes the team and everything that it manages in one transaction, and records which shard has
 * its suppressions.
 */
export async function removeTeam(
  db: D1Database,
  { id, shards }: Pick<TeamRow, "id" | "shards">,
  now: number,
): Promise<void> {
  const orm = drizzle(db);
  const ofTeam = orm.select({ id: domains.id }).from(domains).where(eq(domains.teamId, id));
  const draftsOfTeam = orm
    .select({ id: templates.id })
    .from(templates)
    .where(eq(templates.teamId, id));
  await orm.batch([
    orm.delete(dkimKeys).where(inArray(dkimKeys.domainId, ofTeam)),
    orm.delete(domains).where(eq(domains.teamId, id)),
    orm.delete(templateDrafts).where(inArray(templateDrafts.templateId, draftsOfTeam)),
    orm.delete(templates).where(eq(templates.teamId, id)),
    orm.delete(webhooks).where(eq(webhooks.teamId, id)),
    orm.delete(apiKeys).where(eq(apiKeys.teamId, id)),
    orm
      .insert(deletedTeams)
      .values({ id, shard: homeShard(shards), deletedAt: now })
      .onConflictDoNothing(),
    orm.delete(teams).where(eq(teams.id, id)),
  ]);
}

/**
 * Lists up to `limit` teams that were deleted before `before` (Unix milliseconds) and may still
 * have suppressions, the earliest deletion first.
 */
export async function listDeletedTeams(
  db: D1Database,
  before: number,
  limit: number,
): Promise<{ id: string; shard: number }[]> {
  return drizzle(db)
    .select()
    .from(deletedTeams)
    .where(lt(deletedTeams.deletedAt, before))
    .orderBy(deletedTeams.deletedAt)
    .limit(limit);
}

/** Forgets a deleted team after its last data was removed. */
export async function forgetDeletedTeam(db: D1Database, id: string): Promise<void> {
  await drizzle(db).delete(deletedTeams).where(eq(deletedTeams.id, id));
}

/** Converts a row to the team as requests use it. */
export function toCallerTeam(row: TeamRow): Team {
  return {
    id: row.id,
    name: row.name,
    number: row.number,
    shards: row.shards,
    subscription: row.subscription,
    limits: {
      daily: row.dailyLimit,
      monthly: row.monthlyLimit,
      deliveryRatePerMinute: row.deliveryRatePerMinute,
      requestsPerSecond: row.requestsPerSecond,
    },
    labelCaps: {
      tagsPerHour: row.tagsPerHour,
      topicPerHour: row.topicPerHour,
      campaignPerHour: row.campaignPerHour,
      campaignPer72Hours: row.campaignPer72Hours,
    },
    eventRetentionDays: row.eventRetentionDays,
    ipPools: row.ipPools,
    courier: row.courier,
  };
}
