// Stores teams in the core database. The operator creates and changes them (contract.md §Operator
// API). A team changes only its own settings (contract.md §The team's settings).
import { and, desc, eq, gt, inArray, isNull, lt, ne, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import {
  apiKeys,
  auditEntries,
  deletedTeams,
  dkimKeys,
  domains,
  invitations,
  members,
  teams,
  templateDrafts,
  templateVersions,
  templates,
  webhooks,
} from "../../db/core-schema.ts";
import { entriesAfter, writeAudited } from "../../db/audit-entries.ts";
import type { Scope } from "../../db/client.ts";
import { coreWith, readCores } from "../../db/core-shards.ts";
import { homeShard } from "../../db/shards.ts";
import { hasValues, isAfter, mergeLists, updateRow } from "../../db/team-rows.ts";
import type { RowPosition, Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { HIGHEST_TEAM_NUMBER } from "../../limits.ts";
import type { ShardSpan } from "../../rpc/shard-types.ts";
import { requireRow } from "../../refusal.ts";
import type { FirstMail } from "../../regions.ts";

export type TeamRow = typeof teams.$inferSelect;

/** The row of a new team, before the database assigns the team's number. */
export type NewTeamRow = Omit<TeamRow, "number">;

/**
 * Inserts a team with the next number of the range, and returns its row. Throws if all numbers of
 * the range are used.
 */
export async function insertTeam(
  scope: Scope,
  row: NewTeamRow,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<TeamRow> {
  // If the range is used up, the number is too high, and the table refuses the row.
  const number = sql`(SELECT iif(n <= ${last}, n, ${HIGHEST_TEAM_NUMBER + 1}) FROM
    (SELECT max(${first}, 1 + coalesce(max(seq), 0)) AS n FROM sqlite_sequence
      WHERE name = 'teams'))`;
  const insert = drizzle(scope.db)
    .insert(teams)
    .values({ ...row, number })
    .returning();
  return (await writeAudited(scope, { target: row.id }, insert))[0]!;
}

export async function findTeam(db: D1Database, id: string): Promise<TeamRow | undefined> {
  return drizzle(db).select().from(teams).where(eq(teams.id, id)).get();
}

export async function findTeamId(db: D1Database, number: number): Promise<string | undefined> {
  const row = await drizzle(db)
    .select({ id: teams.id })
    .from(teams)
    .where(eq(teams.number, number))
    .get();
  return row?.id;
}

/** Reads a team from its core database. Throws `not_found` for an unknown team. */
export async function getTeam(env: Env, id: string): Promise<TeamRow> {
  return requireRow(await findTeam(coreWith(env, id), id));
}

/**
 * Lists up to `limit` teams older than `after`, newest first. `words` is a part of a team's name or
 * of one of its domains, or the whole id. Empty: lists all teams.
 */
export async function listTeams(
  env: Env,
  limit: number,
  after: RowPosition | null,
  words = "",
): Promise<TeamRow[]> {
  const wanted = words.trim().toLowerCase();
  const isFound = sql`(instr(lower(${teams.name}), ${wanted}) > 0 OR ${teams.id} = ${wanted}
    OR ${teams.id} IN (SELECT team_id FROM domains WHERE instr(name, ${wanted}) > 0))`;
  const pages = await readCores(env, (db) =>
    drizzle(db)
      .select()
      .from(teams)
      .where(and(isAfter(teams.createdAt, teams.id, after), wanted === "" ? undefined : isFound))
      .orderBy(desc(teams.createdAt), desc(teams.id))
      .limit(limit),
  );
  return mergeLists(pages, limit, "newest", ({ createdAt }) => createdAt);
}

/** Replaces a team's spans. Returns false and changes nothing if they are not `before` now. */
export async function replaceShards(
  scope: Scope,
  before: readonly ShardSpan[],
  after: readonly ShardSpan[],
  now: number,
): Promise<boolean> {
  const set = { shards: [...after], updatedAt: now };
  const where = eq(teams.shards, [...before]);
  return (await updateRow(scope, teams, scope.teamId, set, where)) !== undefined;
}

/** The settings that only the operator changes. */
export const OPERATOR_SETTINGS = [
  "name",
  "subscription",
  "dailyLimit",
  "monthlyLimit",
  "deliveryRatePerMinute",
  "requestsPerSecond",
  "tagsPerHour",
  "topicPerHour",
  "campaignPerHour",
  "campaignPer72Hours",
  "eventRetentionDays",
  "ipPools",
  "courier",
  "region",
] as const satisfies readonly (keyof TeamRow)[];

/** The settings that a team changes itself. */
export const OWN_SETTINGS = [
  "contentDays",
  "checkRulesOff",
  "mailClients",
  "readsReplies",
  "topicNames",
] as const satisfies readonly (keyof TeamRow)[];

/**
 * Changes the team of the scope. `elsewhere` names members of this change that the ledger stores.
 * Returns undefined if the team does not exist, or if `settings` no longer have the values of
 * `before`.
 */
export function updateTeam(
  scope: Scope,
  changes: Partial<TeamRow>,
  settings: readonly (keyof TeamRow)[],
  before: TeamRow | null,
  elsewhere?: readonly string[],
): Promise<TeamRow | undefined> {
  const where = hasValues(teams, settings, before);
  return updateRow(scope, teams, scope.teamId, changes, where, elsewhere);
}

/**
 * Records the call that makes the team's ledger, unless the team has already had mail. Returns the
 * current row, or undefined if the team was deleted.
 */
export async function recordFirstMail(
  db: D1Database,
  id: string,
  firstMail: FirstMail,
): Promise<TeamRow | undefined> {
  const noted = await drizzle(db)
    .update(teams)
    .set({ firstMail })
    .where(and(eq(teams.id, id), isNull(teams.firstMail)))
    .returning()
    .get();
  return noted ?? findTeam(db, id);
}

/**
 * Changes the credits with which the team's ledger begins. Returns false and changes nothing if the
 * team has had mail, because then the ledger counts the credits.
 */
export async function setStartingCredits(
  db: D1Database,
  id: string,
  startingCredits: number,
): Promise<boolean> {
  const changed = await drizzle(db)
    .update(teams)
    .set({ startingCredits })
    .where(and(eq(teams.id, id), isNull(teams.firstMail)))
    .returning({ id: teams.id })
    .get();
  return changed !== undefined;
}

/** Returns the DNS provider's ids of all records that were published for the team's domains. */
export async function listPublishedRecordIds(db: D1Database, id: string): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ ids: domains.publishedRecordIds })
    .from(domains)
    .where(eq(domains.teamId, id));
  return rows.flatMap((row) => row.ids);
}

export async function listWebhookIds(db: D1Database, id: string): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(eq(webhooks.teamId, id));
  return rows.map((row) => row.id);
}

/**
 * Deletes the team and all its rows in one transaction, and records the shard of its suppressions.
 * Returns the record of the team's first mail, which is null if the team had no ledger.
 */
export async function removeTeam(
  scope: Scope,
  { id, shards }: Pick<TeamRow, "id" | "shards">,
  now: number,
): Promise<FirstMail | null> {
  const orm = drizzle(scope.db);
  const ofTeam = orm.select({ id: domains.id }).from(domains).where(eq(domains.teamId, id));
  const draftsOfTeam = orm
    .select({ id: templates.id })
    .from(templates)
    .where(eq(templates.teamId, id));
  const [[removed]] = await orm.batch([
    orm.select({ firstMail: teams.firstMail }).from(teams).where(eq(teams.id, id)),
    orm.delete(dkimKeys).where(inArray(dkimKeys.domainId, ofTeam)),
    orm.delete(domains).where(eq(domains.teamId, id)),
    orm.delete(templateDrafts).where(inArray(templateDrafts.templateId, draftsOfTeam)),
    orm.delete(templateVersions).where(inArray(templateVersions.templateId, draftsOfTeam)),
    orm.delete(templates).where(eq(templates.teamId, id)),
    orm.delete(webhooks).where(eq(webhooks.teamId, id)),
    orm.delete(apiKeys).where(eq(apiKeys.teamId, id)),
    orm.delete(members).where(eq(members.teamId, id)),
    orm.delete(invitations).where(eq(invitations.teamId, id)),
    orm
      .insert(deletedTeams)
      .values({ id, shard: homeShard(shards), deletedAt: now })
      .onConflictDoNothing(),
    // The operator's entries stay, because they do not name the team's people.
    orm
      .delete(auditEntries)
      .where(and(eq(auditEntries.teamId, id), ne(auditEntries.actorKind, "operator"))),
    orm.delete(teams).where(eq(teams.id, id)),
    ...entriesAfter(scope, { target: id }),
  ]);
  return removed?.firstMail ?? null;
}

/**
 * Lists up to `limit` teams that were deleted before `before` (Unix milliseconds) and may still
 * have suppressions, earliest deletion first.
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

/**
 * Lists up to `limit` teams that keep no content and were changed after `since` (Unix
 * milliseconds), latest change first.
 */
export async function listTeamsWithoutContent(
  db: D1Database,
  since: number,
  limit: number,
): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ id: teams.id })
    .from(teams)
    .where(and(eq(teams.contentDays, 0), gt(teams.updatedAt, since)))
    .orderBy(desc(teams.updatedAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Deletes the row of a deleted team, after its last data was removed. */
export async function forgetDeletedTeam(db: D1Database, id: string): Promise<void> {
  await drizzle(db).delete(deletedTeams).where(eq(deletedTeams.id, id));
}

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
    contentDays: row.contentDays,
    topicNames: row.topicNames,
    ipPools: row.ipPools,
    courier: row.courier,
    region: row.region,
    firstMail: row.firstMail,
    startingCredits: row.startingCredits,
    changedAt: row.updatedAt,
  };
}
