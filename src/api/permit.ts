// Decides whether the caller may use the endpoint now: by the permission of the key or the person
// (403), the team's subscription (402) and the request rate (429), in the order of contract.md
// §Order of checks. The ledger's admit call counts a send against the rate, so this file does not.
import type { Context } from "hono";
import { type Caller, type CallerKey, type Endpoint, templatedPath } from "../endpoint.ts";
import { policyOf } from "../ledger/admission/decide-items.ts";
import { takeEarlyRequest } from "../ledger/admission/early-rates.ts";
import { rateHeaders } from "../mail/accept/submit/send-reply.ts";
import { rememberSpentRate, spentRate } from "../ledger/admission/spent-rates.ts";
import { mayCall } from "../member-rights.ts";
import { RefusalError, refuse } from "../refusal.ts";
import type { ApiContext, RequestStep } from "./api-context.ts";
import { reachMailsLedger } from "../resources/team-settings/reach-ledger.ts";
import { type Settings, settingsOf } from "../settings.ts";
import { isCounted } from "./translated-request.ts";

type Permitted = Pick<Endpoint, "method" | "path" | "permission">;

export function permit(endpoint: Permitted): RequestStep {
  return (c) => {
    const { key, person, team } = c.get("caller");
    if (person && !mayCall(person, endpoint)) throw refuse("role_not_permitted", person);
    if (key && !keyMayCall(key, endpoint, settingsOf(c.env))) throw refuse("not_permitted");
    if (team.subscription !== "active") throw refuse("subscription_required");
  };
}

/**
 * Names the operations of the table that the caller's key or role permits, such as `DELETE
 * /v1/domains/{id}`. The console shows an action only if its operation is among them.
 */
export function operationsOf(
  endpoints: readonly Endpoint[],
  { key, person }: Caller,
  settings: Settings,
): string[] {
  return endpoints
    .filter(({ permission, internal }) => !internal && TEAMS.has(permission))
    .filter((one) =>
      person ? mayCall(person, one) : key !== null && keyMayCall(key, one, settings),
    )
    .map(({ method, path }) => `${method} ${templatedPath(path)}`);
}

/** The permissions of the endpoints that a team's key or a member can call. */
const TEAMS: ReadonlySet<string> = new Set(["full", "send", "owner"]);

function keyMayCall(
  { permissions }: CallerKey,
  { method, permission }: Permitted,
  { access }: Settings,
): boolean {
  // Keys may not call endpoints for owners, because a leaked key must not invite people. If
  // Access is not set up, a full key may read them, because the audit trail then names no people.
  if (permission === "owner") return permissions === "full" && access === null && method === "GET";
  return permissions === "full" || permission !== "full";
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
  const { allowed, rate } = team.firstMail
    ? await reachMailsLedger(c.env, team, (ledger) =>
        ledger.takeRequest(policyOf(team), c.get("now"), session),
      )
    : takeEarlyRequest(caller, c.get("now"));
  Object.assign(c.get("answerHeaders"), rateHeaders(rate));
  if (allowed) return;
  rememberSpentRate(caller, rate, c.get("now"));
  throw refuse("rate_limited");
}
