// Decides whether the caller may use the endpoint now, by the key's permission (403), the team's
// subscription (402) and its request rate (429), in the order of contract.md §Order of checks. A
// send counts against the rate in the ledger's admit call instead.
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Endpoint } from "../endpoint.ts";
import { policyOf } from "../ledger/admission.ts";
import { rateHeaders } from "../ledger/rate.ts";
import { RefusalError, refuse } from "../refusal.ts";
import type { ApiContext } from "./api-context.ts";

export function permit(endpoint: Endpoint) {
  return createMiddleware<ApiContext>(async (c, next) => {
    const { key, team } = c.get("caller");
    if (endpoint.permission === "full" && key.permissions !== "full") throw refuse("not_permitted");
    if (team.subscription !== "active") throw refuse("subscription_required");
    await next();
  });
}

export const takeRate = createMiddleware<ApiContext>(async (c, next) => {
  const headers = await rateTaken(c);
  await next();
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
});

/**
 * Counts the request against the rate of the team or of the console session. Returns the `RateLimit-*` headers of its response,
 * and throws `rate_limited` with them when the rate is used up.
 */
export async function rateTaken(c: Context<ApiContext>): Promise<Readonly<Record<string, string>>> {
  const { team, session } = c.get("caller");
  const { allowed, rate } = await c.env.TEAM_LEDGER.getByName(team.id).takeRequest(
    policyOf(team),
    c.get("now"),
    session,
  );
  const headers = rateHeaders(rate);
  if (!allowed) throw new RefusalError({ code: "rate_limited" }, headers);
  return headers;
}
