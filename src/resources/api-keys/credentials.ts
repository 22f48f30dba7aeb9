// Finds the caller by the hash of the presented secret, or by the key's id for a console session.
// Each isolate caches results for at most a minute (docs/storage.md §What an isolate remembers).
// The look-up of a secret may read a replica that is a minute old. So a key's change or deletion
// takes effect everywhere within two minutes, and for console sessions within one minute. The
// isolate that makes the change applies it at once.
import { coreFor } from "../../db/client.ts";
import { boundCores, coreDatabase, coreWith } from "../../db/core-shards.ts";
import { readNear, watchOwnChanges } from "../../db/core-reads.ts";
import type { Env } from "../../env.ts";
import type { Caller, Person } from "../../endpoint.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { type Block, parseBlock } from "../../lib/cidr.ts";
import { CREDENTIAL_CACHE_MS, MINUTE_MS } from "../../limits.ts";
import { RefusalError } from "../../refusal.ts";
import { forgetTeamSettings } from "../team-settings/team-cache.ts";
import { type TeamRow, toCallerTeam } from "../team-settings/store.ts";
import { rememberSendingDomains } from "../domains/domain-lookups.ts";
import { findCredential, findCredentialOfKey, findUsedCredential, touchApiKey } from "./store.ts";
import { coreShardOfSecret, hashSecret } from "./key-secret.ts";

export interface Credential {
  readonly caller: Caller;
  /** Addresses and CIDR blocks from which the key works. Null: the key works from any address. */
  readonly allowedIps: readonly Block[] | null;
}

const CREDENTIALS_CACHED = 10_000;
/**
 * The use of a key is recorded at most once in this time. A write per key and minute would exhaust
 * the core database's capacity.
 */
const KEY_USE_NOTED_EVERY_MS = 10 * MINUTE_MS;

const credentials = new BoundedCache<Credential>(CREDENTIALS_CACHED, CREDENTIAL_CACHE_MS);

/**
 * Returns the credential if this isolate has cached it. The cache key is the secret itself, so that
 * a hit needs no hash.
 */
export function getCachedCredential(secret: string, now: number): Credential | undefined {
  return credentials.get(secret, now);
}

/**
 * Looks up a secret and caches the result. Returns undefined for an unknown key. Does not query the
 * database if the text cannot be a key. `defer` receives the update of the key's last use.
 */
export async function lookUpCredential(
  env: Env,
  secret: string,
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Credential | undefined> {
  const shard = coreShardOfSecret(secret);
  if (shard === undefined || !boundCores(env).includes(shard)) return undefined;
  const hash = await hashSecret(secret);
  const isUnchanged = watchOwnChanges();
  const find = async () => {
    const found = await readNear(
      coreDatabase(env, shard),
      (db) => findCredential(db, hash),
      (db) => findUsedCredential(db, hash, now, KEY_USE_NOTED_EVERY_MS),
    );
    if (found && isUnchanged()) rememberSendingDomains(found.team.id, found.domains, now);
    return found;
  };
  return findAndCache(env, secret, find, now, defer);
}

/**
 * Returns the credential of a team's key, from the cache or by a look-up. Returns undefined if the
 * team does not have the key. `defer` receives the update of the key's last use.
 */
export async function credentialOfKey(
  env: Env,
  { teamId, keyId }: { readonly teamId: string; readonly keyId: string },
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Credential | undefined> {
  // The cache has secrets and ids as its keys. An id never has the form of a secret, so the keys
  // cannot collide.
  const name = `${teamId} ${keyId}`;
  const find = () => findCredentialOfKey(coreFor(env, teamId), keyId);
  return credentials.get(name, now) ?? findAndCache(env, name, find, now, defer);
}

/**
 * Returns the caller of a person's session, from the cache or by a look-up. Returns undefined if
 * the person is no longer a member of the team.
 */
export async function callerOfMember(
  { teamId, memberId }: { readonly teamId: string; readonly memberId: string },
  now: number,
  find: () => Promise<{ readonly person: Person; readonly team: TeamRow } | undefined>,
): Promise<Caller | undefined> {
  const name = `${teamId} ${memberId}`;
  const known = credentials.get(name, now);
  if (known) return known.caller;
  const isUnchanged = watchOwnChanges();
  const found = await find();
  if (!found) return undefined;
  const caller = { team: toCallerTeam(found.team), key: null, person: found.person, session: null };
  if (isUnchanged()) credentials.set(name, { caller, allowedIps: null }, now);
  return caller;
}

async function findAndCache(
  env: Env,
  name: string,
  find: () => ReturnType<typeof findCredentialOfKey>,
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Credential | undefined> {
  const isUnchanged = watchOwnChanges();
  const found = await find().catch((error: unknown) => {
    throw new RefusalError({ code: "storage_unavailable" }, {}, error);
  });
  if (!found) return undefined;
  const { key, team } = found;
  const credential: Credential = {
    caller: {
      team: toCallerTeam(team),
      key: {
        id: key.id,
        name: key.name,
        permissions: key.permissions,
        allowedDomains: key.allowedDomains,
      },
      session: null,
    },
    allowedIps:
      key.allowedIps && key.allowedIps.map(parseBlock).filter((block) => block !== undefined),
  };
  if (isUnchanged()) credentials.set(name, credential, now);
  // Several isolates may look up the key within this time. Only the first of them records the use.
  if ((key.lastUsedAt ?? 0) <= now - KEY_USE_NOTED_EVERY_MS)
    defer(touchApiKey(coreWith(env, team.id), key.id, now, KEY_USE_NOTED_EVERY_MS));
  return credential;
}

/** Drops a team's cached settings and credentials, because one of them has changed. */
export function forgetTeam(teamId: string): void {
  forgetTeamSettings(teamId);
  credentials.deleteWhere(({ caller }) => caller.team.id === teamId);
}
