// Lists the service's mailboxes, and the rules of Email Routing by which Cloudflare's mail servers
// hand their mail to the worker (docs/complaints.md).
import { type AccountApi, type AccountZone, needsRight } from "../account-api.ts";
import { member } from "../json-call.ts";
import { CLOUDFLARE_MX } from "../setting-prompts.ts";
import { splitList } from "../rules.ts";

export interface OwnMailbox {
  readonly name: "postmaster" | "feedback";
  readonly address: string;
  readonly host: string;
}

const PER_PAGE = 50;
const MOST_PAGES = 20;
const ROUTES = new Set(splitList(CLOUDFLARE_MX));
const NEEDS_ROUTING = "Zone · Email Routing Rules · Edit";

export function mailboxesOf(serviceDomain: string): readonly OwnMailbox[] {
  const host = `feedback.${serviceDomain}`;
  return [
    { name: "postmaster", address: `postmaster@${serviceDomain}`, host: serviceDomain },
    { name: "feedback", address: `fbl@${host}`, host },
  ];
}

/** Tells whether these mail servers are Cloudflare's, which take mail only by a rule. */
export function leadsToRouting(hosts: readonly string[]): boolean {
  return hosts.length > 0 && hosts.every((host) => ROUTES.has(host));
}

/** Returns the addresses that an enabled rule of the zone takes. Throws a CallProblem. */
export async function routedAddresses(
  api: AccountApi,
  { id }: Pick<AccountZone, "id">,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const path = `/zones/${id}/email/routing/rules?page=${page}&per_page=${PER_PAGE}`;
    const some = await api.list<unknown>(path, needsRight(NEEDS_ROUTING));
    for (const rule of some) {
      const matchers = member(rule, "matchers");
      if (member(rule, "enabled") !== true || !Array.isArray(matchers)) continue;
      for (const matcher of matchers) found.add(String(member(matcher, "value")).toLowerCase());
    }
    if (some.length < PER_PAGE) break;
  }
  return found;
}

/** Makes a rule that hands the mail of an address to the worker. Throws a CallProblem. */
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
