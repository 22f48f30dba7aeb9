// Stores the people of teams, their invitations and the used assertions (docs/people.md). Each rule
// is a condition in the statement that writes. So concurrent requests can't remove a team's last
// owner, and can't use an invitation twice.
import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { entriesAfter, writeAudited } from "../../db/audit-entries.ts";
import { coreFor, type Scope } from "../../db/client.ts";
import { readAnsweringCores } from "../../db/core-shards.ts";
import { invitations, members, teams, usedAssertions } from "../../db/core-schema.ts";
import { isRow, mergeLists, removeRow, updateRow } from "../../db/team-rows.ts";
import type { Person } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { MEMBERS_PER_TEAM } from "../../limits.ts";
import type { MemberRights } from "../../member-rights.ts";
import type { TeamRow } from "../team-settings/store.ts";

export type MemberRow = typeof members.$inferSelect;
export type InvitationRow = typeof invitations.$inferSelect;

/** A person's id at an identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
}

export interface Membership {
  readonly id: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly role: MemberRow["role"];
}

/**
 * Lists the teams of a person, in the order in which the person joined. Leaves out teams of core
 * databases that do not answer. Throws if such a database exists and the list would be empty.
 */
export async function listMemberships(
  env: Env,
  { issuer, subject }: Pick<Identity, "issuer" | "subject">,
): Promise<Membership[]> {
  const { id, teamId, role, createdAt } = members;
  const isOfPerson = and(eq(members.issuer, issuer), eq(members.subject, subject));
  const read = (db: D1Database) =>
    drizzle(db)
      .select({ id, teamId, teamName: teams.name, role, createdAt })
      .from(members)
      .innerJoin(teams, eq(teams.id, teamId))
      .where(and(isOfPerson, isNull(members.removedAt)))
      .orderBy(createdAt, id)
      .limit(MEMBERS_PER_TEAM);
  const pages = await readAnsweringCores(env, read, ({ length }) => length === 0);
  return mergeLists(pages, MEMBERS_PER_TEAM, "oldest", (row) => row.createdAt);
}

/** Lists all teams of the person behind a member. */
export async function listTeamsOfMember(
  env: Env,
  { teamId, memberId }: { readonly teamId: string; readonly memberId: string },
): Promise<Membership[]> {
  const row = await getMember(coreFor(env, teamId), memberId);
  return row ? listMemberships(env, row) : [];
}

export async function findMember(
  scope: Scope,
  id: string,
): Promise<{ readonly person: Person; readonly team: TeamRow } | undefined> {
  const row = await drizzle(scope.db)
    .select({ member: members, team: teams })
    .from(members)
    .innerJoin(teams, eq(teams.id, members.teamId))
    .where(and(isRow(members, scope, id), isNull(members.removedAt)))
    .get();
  return row && { person: toPerson(row.member), team: row.team };
}

/** Returns a member, even if the member was removed. */
export async function getMember(scope: Scope, id: string): Promise<MemberRow | undefined> {
  return drizzle(scope.db)
    .select()
    .from(members)
    .where(isRow(members, scope, id))
    .get();
}

/** Returns the id of a member, even if the member was removed. */
export async function findMemberId(
  { db, teamId }: Scope,
  { issuer, subject }: Pick<Identity, "issuer" | "subject">,
): Promise<string | undefined> {
  const row = await drizzle(db)
    .select({ id: members.id })
    .from(members)
    .where(
      and(eq(members.teamId, teamId), eq(members.issuer, issuer), eq(members.subject, subject)),
    )
    .get();
  return row?.id;
}

/** Lists the current and the removed members of a team, in the order in which they joined. */
export async function listMembers(scope: Scope): Promise<MemberRow[]> {
  return drizzle(scope.db)
    .select()
    .from(members)
    .where(eq(members.teamId, scope.teamId))
    .orderBy(members.createdAt, members.id)
    .limit(2 * MEMBERS_PER_TEAM);
}

/** Lists the open invitations, newest first. */
export async function listInvitations(scope: Scope, now: number): Promise<InvitationRow[]> {
  return drizzle(scope.db)
    .select()
    .from(invitations)
    .where(and(eq(invitations.teamId, scope.teamId), gt(invitations.expiresAt, now)))
    .orderBy(desc(invitations.createdAt), desc(invitations.id))
    .limit(MEMBERS_PER_TEAM);
}

/**
 * Stores an invitation. It replaces an earlier invitation of the same address. Returns false if the
 * team is full.
 */
export async function insertInvitation(
  scope: Scope,
  row: Omit<InvitationRow, "teamId">,
): Promise<boolean> {
  const orm = drizzle(scope.db);
  const { id, email, role, mayLift, mayReadContent, createdAt, expiresAt } = row;
  const count = sql`
    (SELECT count(*) FROM members WHERE team_id = ${scope.teamId} AND removed_at IS NULL) +
    (SELECT count(*) FROM invitations WHERE team_id = ${scope.teamId})`;
  const results = await orm.batch([
    orm
      .delete(invitations)
      .where(and(eq(invitations.teamId, scope.teamId), eq(invitations.email, email))),
    orm.insert(invitations).select(
      sql`SELECT ${id}, ${scope.teamId}, ${email}, ${role}, ${Number(mayLift)},
          ${Number(mayReadContent)}, ${createdAt}, ${expiresAt}
          WHERE ${count} < ${MEMBERS_PER_TEAM}`,
    ),
    ...entriesAfter(scope, { target: id }),
  ]);
  return results[1].meta.changes > 0;
}

/** Deletes an invitation. Returns whether it existed. */
export async function removeInvitation(scope: Scope, id: string): Promise<boolean> {
  return (await removeRow(scope, invitations, id)) !== undefined;
}

export async function findInvitation(
  scope: Scope,
  id: string,
  now: number,
): Promise<InvitationRow | undefined> {
  return drizzle(scope.db)
    .select()
    .from(invitations)
    .where(and(isRow(invitations, scope, id), gt(invitations.expiresAt, now)))
    .get();
}

/**
 * Makes the person a member, and deletes the invitation. A removed member gets the same id again.
 * Returns undefined if the invitation no longer exists.
 */
export async function acceptInvitation(
  scope: Scope,
  invitationId: string,
  { issuer, subject, email }: Identity,
  memberId: string,
  now: number,
): Promise<MemberRow | undefined> {
  const orm = drizzle(scope.db);
  const results = await orm.batch([
    orm
      .insert(members)
      .select(
        sql`SELECT ${memberId}, team_id, ${issuer}, ${subject}, ${email}, role, may_lift,
          may_read_content, ${now}, NULL FROM invitations
          WHERE id = ${invitationId} AND team_id = ${scope.teamId} AND expires_at > ${now}`,
      )
      .onConflictDoUpdate({
        target: [members.issuer, members.subject, members.teamId],
        set: {
          email: sql`excluded.email`,
          role: sql`excluded.role`,
          mayLift: sql`excluded.may_lift`,
          mayReadContent: sql`excluded.may_read_content`,
          removedAt: null,
        },
      })
      .returning(),
    ...entriesAfter(scope, { target: memberId }),
    orm.delete(invitations).where(isRow(invitations, scope, invitationId)),
  ]);
  return results[0][0];
}

/**
 * Changes a member's rights. Returns undefined if the team does not have the member, or would lose
 * its last owner.
 */
export function updateMember(
  scope: Scope,
  id: string,
  changes: Partial<MemberRights>,
): Promise<MemberRow | undefined> {
  const keepsOwner = changes.role === undefined || changes.role === "owner";
  const where = and(isNull(members.removedAt), keepsOwner ? undefined : othersOwn(scope));
  return updateRow(scope, members, id, changes, where);
}

/** Removes a member. Returns undefined in the same cases as updateMember(). */
export async function removeMember(
  scope: Scope,
  id: string,
  now: number,
): Promise<MemberRow | undefined> {
  const update = drizzle(scope.db)
    .update(members)
    .set({ removedAt: now })
    .where(and(isRow(members, scope, id), isNull(members.removedAt), othersOwn(scope)))
    .returning();
  return (await writeAudited(scope, { target: id }, update))[0];
}

/** Returns whether a person has ever signed in to the console. */
export async function hasMembers(env: Env): Promise<boolean> {
  const read = (db: D1Database) => drizzle(db).select({ id: members.id }).from(members).limit(1);
  const isNothing = ({ length }: readonly unknown[]) => length === 0;
  return !(await readAnsweringCores(env, read, isNothing)).every(isNothing);
}

/** Marks an assertion as used. Returns whether this is its first use. */
export async function useAssertion(
  db: D1Database,
  hash: string,
  expiresAt: number,
): Promise<boolean> {
  const rows = await drizzle(db)
    .insert(usedAssertions)
    .values({ hash, expiresAt })
    .onConflictDoNothing()
    .returning();
  return rows.length > 0;
}

/** Deletes expired assertions and invitations. */
export async function removeExpired(db: D1Database, now: number): Promise<void> {
  const orm = drizzle(db);
  await orm.batch([
    orm.delete(usedAssertions).where(lt(usedAssertions.expiresAt, now)),
    orm.delete(invitations).where(lt(invitations.expiresAt, now)),
  ]);
}

function toPerson({ id, email, role, mayLift, mayReadContent }: MemberRow): Person {
  return { id, email, role, mayLift, mayReadContent };
}

/** Makes the condition that the member is not an owner, or that the team has another owner. */
function othersOwn({ teamId }: Scope) {
  return sql`(${members.role} <> 'owner' OR (SELECT count(*) FROM members
    WHERE team_id = ${teamId} AND role = 'owner' AND removed_at IS NULL) > 1)`;
}
