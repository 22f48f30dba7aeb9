// Stores sending domains and their DKIM keys in the core database, for the team that manages them.
// This file caches nothing. The mail pipeline uses the cached look-ups in domain-lookups.ts.
// Changes through this file invalidate that cache.
import { and, desc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { entriesAfter, updateAudited, writeAudited } from "../../db/audit-entries.ts";
import type { Scope } from "../../db/client.ts";
import { dkimKeys, domains } from "../../db/core-schema.ts";
import { hasValues, isAfter, isRow } from "../../db/team-rows.ts";
import type { RowPosition } from "../../endpoint.ts";
import { requireRow } from "../../refusal.ts";
import { forgetSendingDomain, forgetTracking, type SendingDomain } from "./domain-lookups.ts";

export type DomainRow = typeof domains.$inferSelect;
export type DkimKeyRow = typeof dkimKeys.$inferSelect;

/** A published selector, and the `p=` tag of its record. */
interface PublishedKey {
  readonly selector: string;
  readonly publicKey: string;
}

/** A domain with its published selectors, in order. */
export interface StoredDomain extends DomainRow {
  readonly keys: readonly PublishedKey[];
}

export interface Failure {
  readonly code: string;
  readonly message: string;
}

/**
 * The columns that a tracking change sets. The change is made only if these columns still have the
 * values from which the change was computed.
 */
export type TrackingColumns = Pick<
  DomainRow,
  "opensEnabled" | "clicksEnabled" | "trackingSubdomain" | "trackingHost" | "trackingStatus"
>;

export async function getDomain(scope: Scope, id: string): Promise<StoredDomain> {
  return toStored(
    requireRow(
      await select(scope)
        .where(isRow(domains, scope, id))
        .get(),
    ),
  );
}

/** Lists up to `limit` domains older than `after`, newest first. */
export async function listDomains(
  scope: Scope,
  limit: number,
  after: RowPosition | null,
): Promise<StoredDomain[]> {
  const older = isAfter(domains.createdAt, domains.id, after);
  const rows = await select(scope)
    .where(and(eq(domains.teamId, scope.teamId), older))
    .orderBy(desc(domains.createdAt), desc(domains.id))
    .limit(limit);
  return rows.map(toStored);
}

/**
 * Returns whether the team has a domain of this name (ASCII, lower case), verified or not. A
 * creation calls it before its expensive part. insertDomain() repeats the check in its transaction.
 */
export async function hasDomain(scope: Scope, name: string): Promise<boolean> {
  const row = await drizzle(scope.db)
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.teamId, scope.teamId), eq(domains.name, name)))
    .get();
  return row !== undefined;
}

/** Returns whether a domain of this id exists in any team. */
export async function domainExists(db: D1Database, id: string): Promise<boolean> {
  return (
    (await drizzle(db).select({ id: domains.id }).from(domains).where(eq(domains.id, id)).get()) !==
    undefined
  );
}

/**
 * Stores a domain with its keys in one transaction. Returns false and stores nothing if the team
 * already has a domain of this name.
 */
export async function insertDomain(
  scope: Scope,
  row: Omit<DomainRow, "teamId">,
  keys: readonly Omit<DkimKeyRow, "id" | "domainId" | "createdAt">[],
): Promise<boolean> {
  const orm = drizzle(scope.db);
  const [inserted] = await orm.batch([
    orm
      .insert(domains)
      .values({ ...row, teamId: scope.teamId })
      .onConflictDoNothing({ target: [domains.teamId, domains.name] })
      .returning({ id: domains.id }),
    ...entriesAfter(scope, { target: row.id }),
    // If another request has stored a domain of this name, the statement above inserts no row, and
    // this statement inserts no keys. The columns are in the order of the table.
    orm.insert(dkimKeys).select(sql`
      SELECT NULL, d.id, k.value ->> 'selector', k.value ->> 'active', k.value ->> 'publicKey',
        k.value ->> 'privateKeyEncrypted', d.created_at
      FROM domains d, json_each(${JSON.stringify(keys)}) k WHERE d.id = ${row.id}`),
  ]);
  return inserted.length > 0;
}

/** Marks a pending domain as verified. Keeps the time of a domain that is already verified. */
export async function markVerified(
  scope: Scope,
  domain: SendingDomain,
  now: number,
): Promise<void> {
  const update = drizzle(scope.db)
    .update(domains)
    .set({ status: "verified", verifiedAt: now, failureCode: null, failureMessage: null })
    .where(and(isRow(domains, scope, domain.id), eq(domains.status, "pending")));
  await writeAudited(scope, { target: domain.id, changed: ["status"] }, update);
  forgetSendingDomain(scope, domain.name);
}

/** Stores why a pending domain is not verified yet. */
export async function markFailed(scope: Scope, id: string, failure: Failure): Promise<void> {
  await drizzle(scope.db)
    .update(domains)
    .set({ failureCode: failure.code, failureMessage: failure.message })
    .where(and(isRow(domains, scope, id), eq(domains.status, "pending")));
}

/**
 * Stores the result of a tracking check of `host`, unless the tracking was changed in the meantime.
 * `failure` is null if the check passed.
 */
export async function markTrackingChecked(
  scope: Scope,
  id: string,
  host: string,
  failure: Failure | null,
  now: number,
): Promise<void> {
  await drizzle(scope.db)
    .update(domains)
    .set({
      trackingStatus: failure ? "pending" : "verified",
      trackingFailureCode: failure?.code ?? null,
      trackingFailureMessage: failure?.message ?? null,
      trackingVerifiedAt: failure ? null : sql`coalesce(${domains.trackingVerifiedAt}, ${now})`,
    })
    .where(and(isRow(domains, scope, id), eq(domains.trackingHost, host)));
  forgetTracking(id, host);
}

/**
 * Changes tracking and clears its verification. Returns false and changes nothing if the row no
 * longer has the values `from`, or if another domain of the team uses the host.
 */
export async function updateTracking(
  scope: Scope,
  id: string,
  from: TrackingColumns,
  to: TrackingColumns,
): Promise<boolean> {
  const update = drizzle(scope.db)
    .update(domains)
    .set({
      ...to,
      trackingFailureCode: null,
      trackingFailureMessage: null,
      trackingVerifiedAt: null,
    })
    .where(
      and(
        isRow(domains, scope, id),
        hasValues(domains, ["opensEnabled", "clicksEnabled", "trackingSubdomain"], from),
        to.trackingHost === null
          ? undefined
          : sql`NOT EXISTS (${selectOtherWithHost(scope, id, to.trackingHost)})`,
      ),
    )
    .returning({ id: domains.id });
  const { opensEnabled, clicksEnabled, trackingSubdomain } = to;
  const row = { table: domains, set: { opensEnabled, clicksEnabled, trackingSubdomain } };
  const changed = await updateAudited(scope, { target: id }, row, update);
  forgetTracking(id, from.trackingHost);
  return changed.length > 0;
}

/** Returns whether another domain of the team tracks on this host. */
export async function isTrackingHostTaken(
  scope: Scope,
  id: string,
  host: string,
): Promise<boolean> {
  return (await drizzle(scope.db).get(selectOtherWithHost(scope, id, host))) !== undefined;
}

/** Deletes a domain with its keys in one transaction. */
export async function removeDomain(scope: Scope, domain: SendingDomain): Promise<void> {
  const orm = drizzle(scope.db);
  const own = isRow(domains, scope, domain.id);
  await orm.batch([
    orm
      .delete(dkimKeys)
      .where(
        sql`${dkimKeys.domainId} IN (${orm.select({ id: domains.id }).from(domains).where(own)})`,
      ),
    orm.delete(domains).where(own),
    ...entriesAfter(scope, { target: domain.id }),
  ]);
  forgetSendingDomain(scope, domain.name);
  forgetTracking(domain.id, null);
}

function select(scope: Scope) {
  const keys = sql<string>`(SELECT json_group_array(json_object('selector', selector, 'publicKey', public_key) ORDER BY selector)
    FROM dkim_keys WHERE domain_id = domains.id)`;
  return drizzle(scope.db).select({ domain: domains, keys }).from(domains).$dynamic();
}

function toStored(row: { domain: DomainRow; keys: string }): StoredDomain {
  return { ...row.domain, keys: JSON.parse(row.keys) as PublishedKey[] };
}

function selectOtherWithHost(scope: Scope, id: string, host: string) {
  return sql`SELECT 1 FROM domains other WHERE other.team_id = ${scope.teamId} AND other.tracking_host = ${host} AND other.id <> ${id}`;
}
