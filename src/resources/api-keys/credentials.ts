// Finds the caller that a presented secret stands for, looked up by hash and kept in the isolate
// for at most a minute (docs/storage.md §What an isolate remembers), so that a changed or deleted
// key stops working within that time everywhere, and at once in the isolate that changed it.
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
  /** null: any address may present the key. */
  readonly allowedIps: readonly Block[] | null;
}

const CREDENTIALS_CACHED = 10_000;

const credentials = new BoundedCache<Credential>(CREDENTIALS_CACHED, CREDENTIAL_CACHE_MS);

/**
 * How often this isolate has forgotten something: a look-up that a change overtook must not
 * remember what it read before.
 */
let forgotten = 0;

/** The credential when this isolate knows it already, by the secret itself: no hash, no look-up. */
export function cachedCredential(secret: string, now: number): Credential | undefined {
  return credentials.get(secret, now);
}

/**
 * Looks the secret up and remembers it. Undefined: no such key. Notes the key's use off the
 * request's path, through `defer`.
 */
export async function lookUpCredential(
  env: Env,
  secret: string,
  now: number,
  defer: (work: Promise<unknown>) => void,
): Promise<Credential | undefined> {
  const hash = await hashSecret(secret);
  const before = forgotten;
  const found = await findCredential(env.DB, hash);
  if (!found) return undefined;
  const { key, team } = found;
  const credential: Credential = {
    caller: {
      team: toCallerTeam(team),
      key: { id: key.id, permissions: key.permissions, allowedDomains: key.allowedDomains },
    },
    allowedIps:
      key.allowedIps && key.allowedIps.map(parseBlock).filter((block) => block !== undefined),
  };
  if (forgotten === before) credentials.set(secret, credential, now);
  // Of the isolates that look a key up within a minute, one as a rule has to note its use.
  if ((key.lastUsedAt ?? 0) <= now - CREDENTIAL_CACHE_MS)
    defer(touchApiKey(env.DB, key.id, now, CREDENTIAL_CACHE_MS));
  return credential;
}

/** Drops what this isolate remembers of a team's keys: its settings or keys have changed. */
export function forgetCredentials(teamId: string): void {
  forgotten += 1;
  credentials.deleteWhere(({ caller }) => caller.team.id === teamId);
}
