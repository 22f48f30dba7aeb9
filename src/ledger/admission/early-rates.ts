// Counts, in one isolate, the requests of teams that never sent mail and so have no ledger. A call
// to the ledger would create it close to the isolate that happened to get the team's first request
// (docs/near-its-users.md §What decides).
import type { Caller } from "../../endpoint.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { MINUTE_MS } from "../../limits.ts";
import type { RateState } from "../../rpc/ledger-calls.ts";
import { RequestRates } from "./request-rates.ts";

const TEAMS_KNOWN = 5_000;

/**
 * The rates of each team. A bucket is full after a few seconds, so the cache may drop a team that
 * sent no request for a minute.
 */
const rates = new BoundedCache<RequestRates>(TEAMS_KNOWN, MINUTE_MS);

export function takeEarlyRequest(
  { team, session }: Pick<Caller, "team" | "session">,
  now: number,
): { allowed: boolean; rate: RateState } {
  const known = rates.get(team.id, now) ?? new RequestRates();
  rates.set(team.id, known, now);
  return known.take(team.limits.requestsPerSecond, now, session);
}
