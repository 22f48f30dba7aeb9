// Sending domains and their DKIM keys in the core database. The look-ups of the pipeline are
// prepared SQL behind a cache of at most CREDENTIAL_CACHE_MS (docs/storage.md §What an isolate
// remembers); a team's view of its own domains is never cached.
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Scope } from "../../db/client.ts";
import { dkimKeys, domains } from "../../db/core-schema.ts";
import type { RowPosition } from "../../endpoint.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { refuse } from "../../refusal.ts";

export type DomainRow = typeof domains.$inferSelect;
export type DkimKeyRow = typeof dkimKeys.$inferSelect;

/** A published selector and the `p=` of its record. */
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

/** The columns that a tracking change turns on, and that it sets. */
export type TrackingColumns = Pick<
  DomainRow,
  "opensEnabled" | "clicksEnabled" | "trackingSubdomain" | "trackingHost" | "trackingStatus"
>;

export interface SendingDomain {
  readonly id: string;
  readonly name: string;
}

/** Where a domain's opens and clicks arrive, and which of them it wants to know of. */
export interface TrackingSettings {
  readonly host: string;
  readonly opens: boolean;
  readonly clicks: boolean;
}

const SENDING_DOMAINS_CACHED = 5_000;
const TRACKING_CACHED = 5_000;

const sendingDomains = new BoundedCache<SendingDomain>(SENDING_DOMAINS_CACHED, CREDENTIAL_CACHE_MS);

/** By domain id; null: it has no verified tracking host. */
const trackings = new BoundedCache<TrackingSettings | null>(TRACKING_CACHED, CREDENTIAL_CACHE_MS);

/** By host: whether some domain's tracking is verified there. */
const trackingHosts = new BoundedCache<boolean>(TRACKING_CACHED, CREDENTIAL_CACHE_MS);

/**
 * The team's verified domain of that name (ASCII, lower case), or `unverified` for one that waits
 * for its records. Other isolates may find a removed domain for CREDENTIAL_CACHE_MS; a domain that
 * can't send yet is looked up each time.
 */
export async function findSendingDomain(
  scope: Scope,
  name: string,
): Promise<SendingDomain | "unverified" | undefined> {
  const key = sendingKey(scope, name);
  const now = Date.now();
  const known = sendingDomains.get(key, now);
  if (known) return known;
  const found = await scope.db
    .prepare("SELECT id, name, status FROM domains WHERE team_id = ?1 AND name = ?2")
    .bind(scope.teamId, name)
    .first<SendingDomain & Pick<DomainRow, "status">>();
  if (!found) return undefined;
  if (found.status !== "verified") return "unverified";
  const domain = { id: found.id, name: found.name };
  sendingDomains.set(key, domain, now);
  return domain;
}

/**
 * The key that signs for a domain, still encrypted; undefined once the domain is deleted. Not a
 * Scope: the id comes from an accepted message.
 */
export async function findActiveKey(
  db: D1Database,
  domainId: string,
): Promise<{ domain: string; selector: string; privateKeyEncrypted: string } | undefined> {
  const found = await db
    .prepare(
      `SELECT d.name AS domain, k.selector, k.private_key_encrypted AS privateKeyEncrypted
       FROM dkim_keys k JOIN domains d ON d.id = k.domain_id WHERE k.domain_id = ?1 AND k.active = 1`,
    )
    .bind(domainId)
    .first<{ domain: string; selector: string; privateKeyEncrypted: string }>();
  return found ?? undefined;
}

/**
 * A domain's tracking; null while its host is not verified. Not a Scope: the id comes from an
 * accepted message.
 */
export async function findTracking(
  db: D1Database,
  domainId: string,
): Promise<TrackingSettings | null> {
  const now = Date.now();
  const known = trackings.get(domainId, now);
  if (known !== undefined) return known;
  const found = await db
    .prepare(
      `SELECT tracking_host AS host, opens_enabled AS opens, clicks_enabled AS clicks FROM domains
       WHERE id = ?1 AND tracking_status = 'verified' AND tracking_host IS NOT NULL`,
    )
    .bind(domainId)
    .first<{ host: string; opens: number; clicks: number }>();
  const tracking = found && {
    host: found.host,
    opens: found.opens === 1,
    clicks: found.clicks === 1,
  };
  trackings.set(domainId, tracking, now);
  return tracking;
}

/** Whether a host (lower case) is a verified tracking host, whoever's. */
export async function isTrackingHost(db: D1Database, host: string): Promise<boolean> {
  const now = Date.now();
  const known = trackingHosts.get(host, now);
  if (known !== undefined) return known;
  const found = await db
    .prepare("SELECT 1 FROM domains WHERE tracking_host = ?1 AND tracking_status = 'verified'")
    .bind(host)
    .first();
  trackingHosts.set(host, found !== null, now);
  return found !== null;
}

export async function getDomain(scope: Scope, id: string): Promise<StoredDomain> {
  const row = await select(scope)
    .where(and(eq(domains.teamId, scope.teamId), eq(domains.id, id)))
    .get();
  if (!row) throw refuse("not_found");
  return toStored(row);
}

/** Newest first, `limit` rows older than `after`. */
export async function listDomains(
  scope: Scope,
  limit: number,
  after: RowPosition | null,
): Promise<StoredDomain[]> {
  const older =
    after && sql`(${domains.createdAt}, ${domains.id}) < (${after.createdAt}, ${after.id})`;
  const rows = await select(scope)
    .where(and(eq(domains.teamId, scope.teamId), older ?? undefined))
    .orderBy(desc(domains.createdAt), desc(domains.id))
    .limit(limit);
  return rows.map(toStored);
}

/**
 * Whether the team has a domain of that name (ASCII, lower case), verified or not. A creation asks
 * before its costly part, and insertDomain() decides.
 */
export async function hasDomain(scope: Scope, name: string): Promise<boolean> {
  const row = await drizzle(scope.db)
    .select({ id: domains.id })
    .from(domains)
    .where(and(eq(domains.teamId, scope.teamId), eq(domains.name, name)))
    .get();
  return row !== undefined;
}

/** Whether a row of that id exists, whoever's it is. */
export async function domainExists(db: D1Database, id: string): Promise<boolean> {
  return (
    (await drizzle(db).select({ id: domains.id }).from(domains).where(eq(domains.id, id)).get()) !==
    undefined
  );
}

/**
 * Stores a domain with its keys in one transaction. False, and nothing stored, when the team has
 * that name.
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
    // A domain that lost the race above has no row, and so gets no keys. The columns are those of
    // the table, in its order.
    orm.insert(dkimKeys).select(sql`
      SELECT NULL, d.id, k.value ->> 'selector', k.value ->> 'active', k.value ->> 'publicKey', k.value ->> 'privateKeyEncrypted', d.created_at
      FROM domains d, json_each(${JSON.stringify(keys)}) k WHERE d.id = ${row.id}`),
  ]);
  return inserted.length > 0;
}

/** Pending to verified; a domain that is verified already keeps its time. */
export async function markVerified(
  scope: Scope,
  domain: SendingDomain,
  now: number,
): Promise<void> {
  await drizzle(scope.db)
    .update(domains)
    .set({ status: "verified", verifiedAt: now, failureCode: null, failureMessage: null })
    .where(
      and(
        eq(domains.teamId, scope.teamId),
        eq(domains.id, domain.id),
        eq(domains.status, "pending"),
      ),
    );
  sendingDomains.delete(sendingKey(scope, domain.name));
}

/** Notes why a pending domain is not verified yet. */
export async function markFailed(scope: Scope, id: string, failure: Failure): Promise<void> {
  await drizzle(scope.db)
    .update(domains)
    .set({ failureCode: failure.code, failureMessage: failure.message })
    .where(
      and(eq(domains.teamId, scope.teamId), eq(domains.id, id), eq(domains.status, "pending")),
    );
}

/**
 * Notes a tracking check of `host`, unless tracking was changed meanwhile. `failure` null:
 * verified.
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
    .where(
      and(eq(domains.teamId, scope.teamId), eq(domains.id, id), eq(domains.trackingHost, host)),
    );
  forgetTracking(id, host);
}

/**
 * Changes tracking and clears its verification, if the row still says `from` and no other domain of
 * the team has the host. False when one of the two is not so.
 */
export async function updateTracking(
  scope: Scope,
  id: string,
  from: TrackingColumns,
  to: TrackingColumns,
): Promise<boolean> {
  const changed = await drizzle(scope.db)
    .update(domains)
    .set({
      ...to,
      trackingFailureCode: null,
      trackingFailureMessage: null,
      trackingVerifiedAt: null,
    })
    .where(
      and(
        eq(domains.teamId, scope.teamId),
        eq(domains.id, id),
        eq(domains.opensEnabled, from.opensEnabled),
        eq(domains.clicksEnabled, from.clicksEnabled),
        from.trackingSubdomain === null
          ? isNull(domains.trackingSubdomain)
          : eq(domains.trackingSubdomain, from.trackingSubdomain),
        to.trackingHost === null
          ? undefined
          : sql`NOT EXISTS (${otherWithHost(scope, id, to.trackingHost)})`,
      ),
    )
    .returning({ id: domains.id });
  forgetTracking(id, from.trackingHost);
  return changed.length > 0;
}

/** Whether another domain of the team tracks on that host. */
export async function isTrackingHostTaken(
  scope: Scope,
  id: string,
  host: string,
): Promise<boolean> {
  return (await drizzle(scope.db).get(otherWithHost(scope, id, host))) !== undefined;
}

/** Removes a domain with its keys, in one transaction. */
export async function removeDomain(scope: Scope, domain: SendingDomain): Promise<void> {
  const orm = drizzle(scope.db);
  const own = and(eq(domains.teamId, scope.teamId), eq(domains.id, domain.id));
  await orm.batch([
    orm
      .delete(dkimKeys)
      .where(
        sql`${dkimKeys.domainId} IN (${orm.select({ id: domains.id }).from(domains).where(own)})`,
      ),
    orm.delete(domains).where(own),
  ]);
  sendingDomains.delete(sendingKey(scope, domain.name));
  forgetTracking(domain.id, null);
}

/** In this isolate. */
function forgetTracking(id: string, host: string | null): void {
  trackings.delete(id);
  if (host !== null) trackingHosts.delete(host);
}

function select(scope: Scope) {
  const keys = sql<string>`(SELECT json_group_array(json_object('selector', selector, 'publicKey', public_key) ORDER BY selector)
    FROM dkim_keys WHERE domain_id = domains.id)`;
  return drizzle(scope.db).select({ domain: domains, keys }).from(domains).$dynamic();
}

function toStored(row: { domain: DomainRow; keys: string }): StoredDomain {
  return { ...row.domain, keys: JSON.parse(row.keys) as PublishedKey[] };
}

function otherWithHost(scope: Scope, id: string, host: string) {
  return sql`SELECT 1 FROM domains other WHERE other.team_id = ${scope.teamId} AND other.tracking_host = ${host} AND other.id <> ${id}`;
}

function sendingKey(scope: Scope, name: string): string {
  return `${scope.teamId} ${name}`;
}
