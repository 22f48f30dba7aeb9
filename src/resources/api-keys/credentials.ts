// Finds the caller of a presented secret by its hash, or the caller of a console session by its
// key's id. Results are cached in the isolate for at most a minute (docs/storage.md §What an
// isolate remembers), and a presented secret may be looked up as it was a minute before. So the
// change or deletion of a key takes effect everywhere within two minutes, and within one for console
// sessions. The isolate that makes the change applies it at once.
import { coreFor } from "../../db/client.ts";
import { boundCores, coreDatabase, coreWith } from "../../db/core-shards.ts";
import { markOwnChange, readNear, watchOwnChanges } from "../../db/core-reads.ts";
import type { Env } from "../../env.ts";
import type { Caller, Person } from "../../endpoint.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { type Block, parseBlock } from "../../lib/cidr.ts";
import { CREDENTIAL_CACHE_MS, MINUTE_MS } from "../../limits.ts";
import { RefusalError } from "../../refusal.ts";
import { type TeamRow, toCallerTeam } from "../team-settings/store.ts";
import { rememberSendingDomains } from "../domains/domain-lookups.ts";
import { findCredential, findCredentialOfKey, findUsedCredential, touchApiKey } from "./store.ts";
import { coreShardOfSecret, hashSecret } from "./key-secret.ts";

export interface Credential {
  readonly caller: Caller;
  /**
   * IP addresses and CIDR blocks from which the key works. Null: the key works from any address.
   */
  readonly allowedIps: readonly Block[] | null;
}

const CREDENTIALS_CACHED = 10_000;
/** A write for each key and minute would use the core database up before anything else. */
const KEY_USE_NOTED_EVERY_MS = 10 * MINUTE_MS;

const credentials = new BoundedCache<Credential>(CREDENTIALS_CACHED, CREDENTIAL_CACHE_MS);

/**
 * Returns the credential if this isolate has it cached. The cache key is the secret itself, so a
 * hit costs no hash.
 */
export function getCachedCredential(secret: string, now: number): Credential | undefined {
  return credentials.get(secret, now);
}

/**
 * Looks a secret up and caches the result. Returns undefined for an unknown key, and asks no
 * database for a text that can't be a key. `defer` receives the update of the key's last use.
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
 * Returns the credential of a team's key, from the cache or by a look-up. Undefined: the team has
 * no such key. `defer` receives the update of the key's last use.
 */
export async function credentialOfKey(
  env: Env,
  { teamId, keyId }: { readonly teamId: string; readonly keyId: string },
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Credential | undefined> {
  // Secrets and ids are keys of the same cache. An id never looks like a secret, so they cannot
  // collide.
  const name = `${teamId} ${keyId}`;
  const find = () => findCredentialOfKey(coreFor(env, teamId), keyId);
  return credentials.get(name, now) ?? findAndCache(env, name, find, now, defer);
}

/**
 * Returns the caller of a person's session, from the cache or by a look-up. Undefined: the person
 * is not a member of the team any more.
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
  // Several isolates look the key up within this time. Only one of them records the use.
  if ((key.lastUsedAt ?? 0) <= now - KEY_USE_NOTED_EVERY_MS)
    defer(touchApiKey(coreWith(env, team.id), key.id, now, KEY_USE_NOTED_EVERY_MS));
  return credential;
}

/** Drops a team's cached credentials, because its settings or keys have changed. */
export function forgetCredentials(teamId: string): void {
  markOwnChange();
  credentials.deleteWhere(({ caller }) => caller.team.id === teamId);
}
