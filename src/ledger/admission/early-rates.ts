// Counts, in one isolate, the requests of teams that never had mail. A call of the ledger would
// make it near whichever isolate took the team's first request (docs/near-its-users.md §What
// decides).
import type { Caller } from "../../endpoint.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { MINUTE_MS } from "../../limits.ts";
import type { RateState } from "../../rpc/ledger-calls.ts";
import { RequestRates } from "./request-rates.ts";

const TEAMS_KNOWN = 5_000;

/**
 * A bucket is full again after seconds, so that a team without requests for a minute needs none.
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
