// Decides whether the caller may use the endpoint now: by the key's permission (403), the team's
// subscription (402) and the request rate (429), in the order of contract.md §Order of checks. The
// ledger's admit call counts a send against the rate, so this file does not.
import type { Context } from "hono";
import type { Endpoint } from "../endpoint.ts";
import { policyOf } from "../ledger/admission/decide-items.ts";
import { rateHeaders } from "../ledger/admission/rate.ts";
import { rememberSpentRate, spentRate } from "../ledger/admission/spent-rates.ts";
import { RefusalError, refuse } from "../refusal.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";
import { reachLedger } from "../reach-ledger.ts";
import { isCounted } from "./sent-request.ts";

export function permit({ permission }: Pick<Endpoint, "permission">): RequestStep {
  return (c) => {
    const { key, team } = c.get("caller");
    if (permission === "full" && key.permissions !== "full") throw refuse("not_permitted");
    if (team.subscription !== "active") throw refuse("subscription_required");
  };
}

/**
 * Refuses the caller if this isolate knows that the rate is used up. This saves a call to the
 * ledger.
 */
export function refuseSpentRate(c: Context<ApiContext>): void {
  if (isCounted(c.req.raw)) return;
  const rate = spentRate(c.get("caller"), c.get("now"));
  if (rate) throw new RefusalError({ code: "rate_limited" }, rateHeaders(rate));
}

/**
 * Counts the request against the rate of the team or of the console session, and puts the
 * `RateLimit-*` headers on the response. Throws `rate_limited` when the rate is used up.
 */
export async function takeRate(c: Context<ApiContext>): Promise<void> {
  if (isCounted(c.req.raw)) return;
  const caller = c.get("caller");
  const { team, session } = caller;
  const { allowed, rate } = await reachLedger(c.env, team.id, (ledger) =>
    ledger.takeRequest(policyOf(team), c.get("now"), session),
  );
  Object.assign(c.get("answerHeaders"), rateHeaders(rate));
  if (allowed) return;
  rememberSpentRate(caller, rate, c.get("now"));
  throw refuse("rate_limited");
}
