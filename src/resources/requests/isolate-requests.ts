// Collects this isolate's requests for the teams' logs (docs/storage.md §The log of requests). Each
// result of a team's log says for how long the isolate must not call the log again. Until then, the
// isolate counts the team's requests in rows. So a client that fails in a loop costs only an
// addition for each request. If the isolate ends, these requests are lost.
import type { Env } from "../../env.ts";
import { BoundedCache, BoundedMap } from "../../lib/bounded-cache.ts";
import { logWarning } from "../../lib/log.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../limits.ts";
import type { SeenRequests } from "../../rpc/request-log-calls.ts";
import { metricsFlushMsOf } from "../../settings.ts";
import { type Credential, getCachedCredential, lookUpCredential } from "../api-keys/credentials.ts";
import { coreShardOfSecret } from "../api-keys/key-secret.ts";
import { RequestRows } from "./request-rows.ts";
import { objectOf } from "../../object-of.ts";

const ROWS_PER_TEAM = 20;
const TEAMS = 200;
const QUIET_TEAMS = 10_000;
const LONGEST_GATHER_MS = 2 * SECOND_MS;
/** Rounds of one transfer. Even with the longest waits, the transfer ends within 20 seconds. */
const ROUNDS = 10;
/** Time after which a transfer has been canceled with its request. A new one may then begin. */
const ABANDONED_MS = MINUTE_MS;
/** Maximum number of requests in memory whose key is not looked up yet. */
const UNKNOWN_KEYS = 500;
/**
 * Number of invalid keys after which a transfer stops its look-ups. The limit exists because
 * strangers can request unknown paths without a valid key.
 */
const WRONG_KEYS = 10;

type Defer = (work: Promise<unknown>) => void;

/** A request that the API answered before it identified the caller. */
interface Unattributed {
  readonly secret: string;
  /** The request. Its `keyId` is empty. */
  readonly seen: SeenRequests;
}

const byTeam = new BoundedMap<string, RequestRows>(TEAMS);
/**
 * The time until which the isolate must not call a team's log, Unix milliseconds, by the team's id.
 */
const quietUntil = new BoundedCache<number>(QUIET_TEAMS, HOUR_MS);
let unattributed: Unattributed[] = [];
let begunAt = Number.NEGATIVE_INFINITY;

export function rememberRequest(teamId: string, seen: SeenRequests): void {
  const rows = byTeam.get(teamId) ?? new RequestRows(ROWS_PER_TEAM);
  rows.add(seen);
  byTeam.setLast(teamId, rows);
}

/**
 * Records a request whose team is not known yet. `secret` is the presented key. `mayLookUp`: if the
 * key is not cached, the next transfer looks it up.
 */
export function rememberUnattributed(
  secret: string,
  seen: SeenRequests,
  now: number,
  mayLookUp: boolean,
): void {
  const known = getCachedCredential(secret, now);
  if (known) return attributeTo(known, seen);
  if (mayLookUp && unattributed.length < UNKNOWN_KEYS && coreShardOfSecret(secret) !== undefined)
    unattributed.push({ secret, seen });
}

/** Schedules the transfer of all requests in memory to the teams' logs. Returns at once. */
export function tellSoon(env: Env, defer: Defer): void {
  const now = Date.now();
  if ((byTeam.size === 0 && unattributed.length === 0) || now - begunAt < ABANDONED_MS) return;
  begunAt = now;
  defer(tellInTurn(env, defer));
}

/**
 * Removes and returns the team's requests in memory. The caller passes them to the log in the call
 * of its query.
 */
export async function takeRequests(
  env: Env,
  teamId: string,
  defer: Defer,
): Promise<SeenRequests[]> {
  await attribute(env, defer);
  const rows = byTeam.get(teamId)?.take() ?? [];
  byTeam.delete(teamId);
  return rows;
}

async function tellInTurn(env: Env, defer: Defer): Promise<void> {
  const gatherMs = Math.min(LONGEST_GATHER_MS, metricsFlushMsOf(env));
  for (let round = 0; round < ROUNDS; round += 1) {
    if (gatherMs > 0) await scheduler.wait(gatherMs);
    await attribute(env, defer);
    const now = Date.now();
    const due = [...byTeam.keys()].filter((teamId) => (quietUntil.get(teamId, now) ?? 0) <= now);
    await Promise.all(due.map((teamId) => tell(env, teamId)));
    if (byTeam.size === 0) break;
  }
  begunAt = Number.NEGATIVE_INFINITY;
}

/** Transfers the requests of one team. If the team's log does not answer, they are lost. */
async function tell(env: Env, teamId: string): Promise<void> {
  const seen = byTeam.get(teamId)?.take() ?? [];
  byTeam.delete(teamId);
  if (seen.length === 0) return;
  try {
    const pauseMs = await objectOf(env, "REQUEST_LOG", teamId).tell(seen);
    const now = Date.now();
    quietUntil.set(teamId, now + pauseMs, now);
  } catch (error) {
    logWarning("requests_not_told", { team_id: teamId, error: String(error) });
  }
}

/** Finds the teams of the requests in `unattributed` by their keys. */
async function attribute(env: Env, defer: Defer): Promise<void> {
  const waiting = unattributed;
  unattributed = [];
  let wrong = 0;
  for (const { secret, seen } of waiting) {
    if (wrong >= WRONG_KEYS) return;
    const credential = await credentialOf(env, secret, defer);
    if (credential) attributeTo(credential, seen);
    else wrong += 1;
  }
}

async function credentialOf(
  env: Env,
  secret: string,
  defer: Defer,
): Promise<Credential | undefined> {
  const now = Date.now();
  const known = getCachedCredential(secret, now);
  if (known) return known;
  try {
    return await lookUpCredential(env, secret, now, defer);
  } catch (error) {
    logWarning("requests_not_told", { error: String(error) });
    return undefined;
  }
}

function attributeTo({ caller }: Credential, seen: SeenRequests): void {
  const newest = seen.newest.map((one) => ({ ...one, keyId: caller.key?.id ?? "" }));
  rememberRequest(caller.team.id, { ...seen, newest });
}
