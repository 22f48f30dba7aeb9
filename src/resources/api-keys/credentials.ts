// Finds the caller of a presented secret, by its hash. Results are cached in the isolate for at
// most a minute (docs/storage.md §What an isolate remembers), so a changed or deleted key stops
// working everywhere within that time, and at once in the isolate that changed it.
import type { Env } from "../../env.ts";
import type { Caller } from "../../endpoint.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { type Block, parseBlock } from "../../lib/cidr.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { toCallerTeam } from "../team-settings/store.ts";
import { findCredential, touchApiKey } from "./store.ts";
import { hashSecret } from "./key-secret.ts";

export interface Credential {
  readonly caller: Caller;
  /** Null: the key works from any address. */
  readonly allowedIps: readonly Block[] | null;
}

const CREDENTIALS_CACHED = 10_000;

const credentials = new BoundedCache<Credential>(CREDENTIALS_CACHED, CREDENTIAL_CACHE_MS);

/**
 * Number of times that this isolate dropped credentials. A look-up that a change overtook must not
 * cache its old result.
 */
let drops = 0;

/**
 * Returns the credential if this isolate has it cached. The key is the secret itself, so no hash is
 * computed.
 */
export function getCachedCredential(secret: string, now: number): Credential | undefined {
  return credentials.get(secret, now);
}

/**
 * Looks a secret up and caches the result. Returns undefined when there is no such key. `defer`
 * receives the update of the key's last use.
 */
export async function lookUpCredential(
  env: Env,
  secret: string,
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Credential | undefined> {
  const hash = await hashSecret(secret);
  const before = drops;
  const found = await findCredential(env.DB, hash);
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
  if (drops === before) credentials.set(secret, credential, now);
  // Usually only one of the isolates that look a key up within a minute needs to record its use.
  if ((key.lastUsedAt ?? 0) <= now - CREDENTIAL_CACHE_MS)
    defer(touchApiKey(env.DB, key.id, now, CREDENTIAL_CACHE_MS));
  return credential;
}

/** Drops a team's cached credentials, because its settings or keys have changed. */
export function forgetCredentials(teamId: string): void {
  drops += 1;
  credentials.deleteWhere(({ caller }) => caller.team.id === teamId);
}
