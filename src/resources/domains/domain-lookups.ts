// Looks up sending domains, their keys and their tracking for the mail pipeline. Caches results for
// at most CREDENTIAL_CACHE_MS (docs/storage.md §What an isolate remembers).
import type { Scope } from "../../db/client.ts";
import { allCores, coreWith, readAnsweringCores } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { markOwnChange, readNear, watchOwnChanges } from "../../db/core-reads.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import type { SealedDkimKey, TrackingSettings } from "../../rpc/delivery-facts.ts";

export interface SendingDomain {
  readonly id: string;
  readonly name: string;
}

const SENDING_DOMAINS_CACHED = 5_000;
const TRACKING_CACHED = 5_000;

const sendingDomains = new BoundedCache<SendingDomain>(SENDING_DOMAINS_CACHED, CREDENTIAL_CACHE_MS);

/** Ids of the teams that have verified a domain, by the domain's name. */
const sendingTeams = new BoundedCache<readonly string[]>(
  SENDING_DOMAINS_CACHED,
  CREDENTIAL_CACHE_MS,
);

/** Tracking settings, by the domain's id. Null: the domain has no verified tracking host. */
const trackings = new BoundedCache<TrackingSettings | null>(TRACKING_CACHED, CREDENTIAL_CACHE_MS);

/** True for each host that is a verified tracking host of any domain, false for other hosts. */
const trackingHosts = new BoundedCache<boolean>(TRACKING_CACHED, CREDENTIAL_CACHE_MS);

/**
 * Finds the team's verified domain of this name (ASCII, lower case). Returns `unverified` if the
 * domain is not verified yet, and does not cache this result. Other isolates may find a deleted
 * domain for two minutes.
 */
export function findSendingDomain(
  scope: Scope,
  name: string,
): SendingDomain | Promise<SendingDomain | "unverified" | undefined> {
  const now = Date.now();
  return sendingDomains.get(sendingKey(scope, name), now) ?? readSendingDomain(scope, name, now);
}

async function readSendingDomain(
  scope: Scope,
  name: string,
  now: number,
): Promise<SendingDomain | "unverified" | undefined> {
  const isUnchanged = watchOwnChanges();
  let problem: "unverified" | undefined;
  const domain = await readNear(scope.db, async (db) => {
    const found = await db
      .prepare("SELECT id, name, status FROM domains WHERE team_id = ?1 AND name = ?2")
      .bind(scope.teamId, name)
      .first<SendingDomain & { readonly status: string }>();
    problem = found && found.status !== "verified" ? "unverified" : undefined;
    return found && problem === undefined ? { id: found.id, name: found.name } : undefined;
  });
  if (!domain) return problem;
  if (isUnchanged()) sendingDomains.set(sendingKey(scope, name), domain, now);
  return domain;
}

/** Caches a team's verified domains, which the look-up of an API key returned at `now`. */
export function rememberSendingDomains(
  teamId: string,
  domains: readonly SendingDomain[],
  now: number,
): void {
  for (const domain of domains) sendingDomains.set(`${teamId} ${domain.name}`, domain, now);
}

/**
 * Returns the ids of the teams that may have sent from a domain of this name (ASCII, lower case).
 * Takes no Scope, because a provider's event names no team. `areAll` false: a core database did not
 * answer, so teams may be missing.
 */
export async function findSendingTeams(
  env: Env,
  name: string,
): Promise<{ readonly teams: readonly string[]; readonly areAll: boolean }> {
  const now = Date.now();
  const known = sendingTeams.get(name, now);
  if (known) return { teams: known, areAll: true };
  const read = async (near: D1Database) => {
    const { results } = await near
      .prepare(
        "SELECT team_id AS teamId FROM domains JOIN teams ON teams.id = team_id " +
          "WHERE domains.name = ?1 AND status = 'verified' AND first_mail IS NOT NULL",
      )
      .bind(name)
      .all<{ teamId: string }>();
    return results.length > 0 ? results.map(({ teamId }) => teamId) : undefined;
  };
  const isNothing = (some: unknown) => some === undefined;
  const found = await readAnsweringCores(env, (core) => readNear(core, read), isNothing);
  const teams = found.flatMap((some) => some ?? []);
  const areAll = found.length === allCores(env).length;
  if (areAll && teams.length > 0) sendingTeams.set(name, teams, now);
  return { teams, areAll };
}

/**
 * Returns the encrypted key that signs for a domain, or undefined if the domain was deleted. Takes
 * no Scope, because the id comes from an accepted message.
 */
export async function findActiveKey(
  env: Env,
  domainId: string,
): Promise<SealedDkimKey | undefined> {
  const found = await coreWith(env, domainId)
    .prepare(
      `SELECT d.name AS domain, k.selector, k.private_key_encrypted AS privateKeyEncrypted
       FROM dkim_keys k JOIN domains d ON d.id = k.domain_id WHERE k.domain_id = ?1
         AND k.active = 1`,
    )
    .bind(domainId)
    .first<SealedDkimKey>();
  return found ?? undefined;
}

/**
 * Returns a domain's tracking settings, or null if its host is not verified. Takes no Scope,
 * because the id comes from an accepted message.
 */
export async function findTracking(env: Env, domainId: string): Promise<TrackingSettings | null> {
  const now = Date.now();
  const known = trackings.get(domainId, now);
  if (known !== undefined) return known;
  const found = await coreWith(env, domainId)
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

/** Returns whether a host (lower case) is a verified tracking host of any team. */
export async function isTrackingHost(env: Env, host: string): Promise<boolean> {
  const now = Date.now();
  const known = trackingHosts.get(host, now);
  if (known !== undefined) return known;
  const isUnchanged = watchOwnChanges();
  const read = async (near: D1Database) => {
    const row = await near
      .prepare("SELECT 1 FROM domains WHERE tracking_host = ?1 AND tracking_status = 'verified'")
      .bind(host)
      .first();
    return row ?? undefined;
  };
  const isNothing = (row: unknown) => row === undefined;
  const rows = await readAnsweringCores(env, (core) => readNear(core, read), isNothing);
  const isFound = !rows.every(isNothing);
  if (isUnchanged()) trackingHosts.set(host, isFound, now);
  return isFound;
}

/** Removes a changed domain from this isolate's cache of sending domains. */
export function forgetSendingDomain(scope: Scope, name: string): void {
  markOwnChange();
  sendingDomains.delete(sendingKey(scope, name));
}

/** Removes a domain's tracking from this isolate's cache. */
export function forgetTracking(id: string, host: string | null): void {
  markOwnChange();
  trackings.delete(id);
  if (host !== null) trackingHosts.delete(host);
}

function sendingKey(scope: Scope, name: string): string {
  return `${scope.teamId} ${name}`;
}
