// Finds the caller of a presented secret by its hash, or the caller of a console session by its
// key's id. Results are cached in the isolate for at most a minute (docs/storage.md §What an
// isolate remembers). So the change or deletion of a key takes effect everywhere within a minute.
// The isolate that makes the change applies it at once.
import { coreFor } from "../../db/client.ts";
import type { Env } from "../../env.ts";
import type { Caller } from "../../endpoint.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { type Block, parseBlock } from "../../lib/cidr.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { RefusalError } from "../../refusal.ts";
import { toCallerTeam } from "../team-settings/store.ts";
import { findCredential, findCredentialOfKey, touchApiKey } from "./store.ts";
import { hashSecret } from "./key-secret.ts";

export interface Credential {
  readonly caller: Caller;
  /**
   * IP addresses and CIDR blocks from which the key works. Null: the key works from any address.
   */
  readonly allowedIps: readonly Block[] | null;
}

const CREDENTIALS_CACHED = 10_000;

const credentials = new BoundedCache<Credential>(CREDENTIALS_CACHED, CREDENTIAL_CACHE_MS);

/**
 * Number of times that this isolate dropped credentials. A look-up that began before a drop must
 * not cache its result, which may be outdated.
 */
let drops = 0;

/**
 * Returns the credential if this isolate has it cached. The cache key is the secret itself, so a
 * hit costs no hash.
 */
export function getCachedCredential(secret: string, now: number): Credential | undefined {
  return credentials.get(secret, now);
}

/**
 * Looks a secret up and caches the result. Returns undefined for an unknown key. `defer` receives
 * the update of the key's last use.
 */
export async function lookUpCredential(
  env: Env,
  secret: string,
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Credential | undefined> {
  const hash = await hashSecret(secret);
  return findAndCache(env, secret, () => findCredential(env.DB, hash), now, defer);
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

async function findAndCache(
  env: Env,
  name: string,
  find: () => ReturnType<typeof findCredential>,
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Credential | undefined> {
  const before = drops;
  const found = await find().catch((error: unknown) => {
    throw new RefusalError({ code: "storage_unavailable" }, {}, error);
  });
  if (!found) return undefined;
  const { key, team } = found;
  const credential: Credential = {
    caller: {
      team: toCallerTeam(team),
      key: { id: key.id, permissions: key.permissions, allowedDomains: key.allowedDomains },
      session: null,
    },
    allowedIps:
      key.allowedIps && key.allowedIps.map(parseBlock).filter((block) => block !== undefined),
  };
  if (drops === before) credentials.set(name, credential, now);
  // Several isolates may look the key up within a minute. This condition makes it likely that only
  // one of them records the use.
  if ((key.lastUsedAt ?? 0) <= now - CREDENTIAL_CACHE_MS)
    defer(touchApiKey(env.DB, key.id, now, CREDENTIAL_CACHE_MS));
  return credential;
}

/** Drops a team's cached credentials, because its settings or keys have changed. */
export function forgetCredentials(teamId: string): void {
  drops += 1;
  credentials.deleteWhere(({ caller }) => caller.team.id === teamId);
}
