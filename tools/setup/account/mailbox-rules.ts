// Lists the service's mailboxes, and the rules of Email Routing by which Cloudflare's mail servers
// pass mail to the worker (docs/complaints.md).
import { type AccountApi, type AccountZone, needsRight, ROUTING_AT_ONCE } from "../account-api.ts";
import { member } from "../json-call.ts";
import { CLOUDFLARE_MX } from "../setting-prompts.ts";
import { splitList } from "../rules.ts";

export interface OwnMailbox {
  readonly name: "postmaster" | "feedback" | "replies";
  readonly address: string;
  readonly host: string;
}

/** The dashboard's page with the switches of Email Routing. */
export const ROUTING_SETTINGS = "in the dashboard, Email, Email Routing, Settings";
/** The switch of Subaddressing affects the whole zone, so only a person may change it. */
export const SWITCH_SUBADDRESSING =
  `${ROUTING_SETTINGS}, switch Subaddressing on: a rule for r@ then also takes r+<token>@. The ` +
  "switch applies to all addresses of the zone";

const ROUTES = new Set(splitList(CLOUDFLARE_MX));
const NEEDS_ROUTING = "Zone · Email Routing Rules · Edit";

/**
 * Returns the service's mailboxes. With `hasGateway`, replies go to the return-path's host of each
 * sending domain. Otherwise they go to `r+<token>@` at one name of the service.
 */
export function mailboxesOf(serviceDomain: string, hasGateway: boolean): readonly OwnMailbox[] {
  const [feedback, reply] = [`feedback.${serviceDomain}`, `reply.${serviceDomain}`];
  const own = [
    { name: "postmaster", address: `postmaster@${serviceDomain}`, host: serviceDomain },
    { name: "feedback", address: `fbl@${feedback}`, host: feedback },
  ] as const;
  return hasGateway ? own : [...own, { name: "replies", address: `r@${reply}`, host: reply }];
}

/** Tells whether all these servers are Cloudflare's, which need a rule for each address. */
export function leadsToRouting(hosts: readonly string[]): boolean {
  return hosts.length > 0 && hosts.every((host) => ROUTES.has(host));
}

/** Returns the addresses in the zone's enabled rules. Throws a CallProblem if a call fails. */
export async function routedAddresses(
  api: AccountApi,
  { id }: Pick<AccountZone, "id">,
): Promise<ReadonlySet<string>> {
  const path = `/zones/${id}/email/routing/rules`;
  const rules = await api.listAll<unknown>(path, needsRight(NEEDS_ROUTING), ROUTING_AT_ONCE);
  const matchers = rules
    .filter((rule) => member(rule, "enabled") === true)
    .flatMap((rule) => member(rule, "matchers") ?? []);
  return new Set(matchers.map((matcher) => String(member(matcher, "value")).toLowerCase()));
}

/** Tells whether a rule for `user@` takes `user+detail@`. Throws a CallProblem on failure. */
export async function hasSubaddressing(
  api: AccountApi,
  { id }: Pick<AccountZone, "id">,
): Promise<boolean> {
  const right = needsRight("Zone · Zone Settings · Read");
  const settings = await api.must<unknown>("GET", `/zones/${id}/email/routing`, right);
  return member(settings, "support_subaddress") === true;
}

/** Makes a rule that passes an address's mail to the worker. Throws a CallProblem on failure. */
export async function routeToWorker(
  api: AccountApi,
  { id }: Pick<AccountZone, "id">,
  address: string,
  worker: string,
): Promise<void> {
  await api.must("POST", `/zones/${id}/email/routing/rules`, needsRight(NEEDS_ROUTING), {
    name: `postern ${address}`,
    enabled: true,
    matchers: [{ type: "literal", field: "to", value: address }],
    actions: [{ type: "worker", value: [worker] }],
  });
}
