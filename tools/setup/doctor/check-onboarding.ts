// Checks the Email Service for the courier `cloudflare` (docs/doctor.md). The Email Service may
// send from each sending domain, its events reach the worker, and its quota is not used up.
// check-domain.ts checks the domains' records in DNS.
import { EVENT_TYPES } from "../../../src/operator/subscribed-events.ts";
import type {
  AccountApi,
  AccountZone,
  OnboardedDomain,
  SendingLimits,
  EventSubscription,
} from "../account-api.ts";
import { findSubscription } from "../event-subscriptions.ts";
import type { AccountLogin, LogIn } from "./account-login.ts";
import { unlessRefused } from "./check-account.ts";
import {
  critical,
  type CheckResult,
  ok,
  notKnown,
  type CheckResults,
  warning,
} from "./check-result.ts";

const DOMAIN = "email-service.domain";
const SUBSCRIPTION = "email-service.subscription";
const QUOTA = "email-service.quota";
const FOR_ANOTHER =
  "npm run setup fixes it for the first team's domains; for another team's domains see " +
  "docs/set-up.md, Domains of the Email Service";
const LEAST_LEFT = 0.1;

interface Account {
  readonly api: AccountApi;
  readonly eventsQueue: string;
  readonly queueId: string | null;
  readonly subscriptions: readonly EventSubscription[];
}

export async function checkEmailService(
  domains: readonly string[],
  login: LogIn,
): Promise<CheckResult[]> {
  const found = await login();
  const nameless =
    domains.length > 0
      ? []
      : notKnown(DOMAIN, "no sending domain is known: give --key or --domain");
  if (found.kind === "out") {
    const what = `domains, subscriptions and the quota were not checked: ${found.reason}`;
    return [nameless, notKnown("email-service", `${what} (npx wrangler login)`)].flat();
  }
  const inAccount = await unlessRefused(SUBSCRIPTION, () => checkAccount(found, domains));
  const quota = await unlessRefused(QUOTA, async () => judgeQuota(await found.api.sendingLimits()));
  return [nameless, inAccount, quota].flat();
}

async function checkAccount(
  { api, config: { eventsQueue } }: Extract<AccountLogin, { kind: "in" }>,
  domains: readonly string[],
): Promise<CheckResults> {
  const [queueId, subscriptions] = await Promise.all([
    api.queueId(eventsQueue),
    api.subscriptions(),
  ]);
  if (queueId === null)
    return critical(
      SUBSCRIPTION,
      `the account has no queue ${eventsQueue}: no event reaches the worker`,
      "npm run setup, or npm run deploy",
    );
  const account = { api, eventsQueue, queueId, subscriptions };
  const zones = new Map<string, AccountZone>();
  const known = await Promise.all(domains.map((domain) => checkDomain(account, domain, zones)));
  const others = [...zones.values()].map((zone) => checkOtherNames(account, zone, domains));
  return [...known.flat(), ...(await Promise.all(others)).flat()];
}

/**
 * Warns of each other name in the zone that may send but whose events do not reach the queue. Such
 * a name may be a domain of another team.
 */
async function checkOtherNames(
  account: Account,
  zone: AccountZone,
  domains: readonly string[],
): Promise<CheckResult[]> {
  const sending = await account.api.sendingDomains(zone);
  return sending
    .filter(({ name, enabled }) => enabled && !domains.includes(name))
    .map(({ name }) => judgeSubscription(account, name))
    .filter(({ status }) => status === "critical")
    .map(({ check, what, mend }) =>
      warning(check, `${what}, if it is a team's domain`, mend ?? ""),
    );
}

async function checkDomain(
  account: Account,
  name: string,
  zones: Map<string, AccountZone>,
): Promise<CheckResults> {
  const zone = await account.api.zoneOf(name);
  if (zone === null)
    return critical(
      DOMAIN,
      `${name} is in no zone of this account, so the Email Service can't send from it`,
      "add its zone to the account, or give its team another courier (PATCH /admin/teams/{id})",
    );
  zones.set(zone.id, zone);
  const sending = await account.api.sendingDomains(zone);
  const found = sending.find((domain) => domain.name === name);
  return [judgeSending(name, found), judgeSubscription(account, name)];
}

function judgeSending(name: string, found: OnboardedDomain | undefined): CheckResult {
  if (found?.enabled === true) return ok(DOMAIN, `sending is enabled for ${name}`);
  const what = found === undefined ? "is not onboarded" : "is disabled";
  return critical(
    DOMAIN,
    `${name} ${what} in the Email Service: its mail is refused`,
    `npx wrangler email sending enable ${name}, or npm run setup`,
  );
}

function judgeSubscription(
  { eventsQueue, queueId, subscriptions }: Account,
  name: string,
): CheckResult {
  const found = findSubscription(subscriptions, name, queueId);
  if (found.kind === "missing")
    return critical(
      SUBSCRIPTION,
      `no event subscription sends the events of ${name} to ${eventsQueue}, so its messages ` +
        "have no outcome for 72 hours",
      FOR_ANOTHER,
    );
  if (found.faults.length > 0)
    return critical(
      SUBSCRIPTION,
      `the subscription ${found.subscription.name} of ${name}: ${found.faults.join(", ")}`,
      FOR_ANOTHER,
    );
  const all = `all ${EVENT_TYPES.length} types of events`;
  return ok(SUBSCRIPTION, `${all} of ${name} go to ${eventsQueue}`);
}

function judgeQuota({ quota, usage }: SendingLimits): CheckResult {
  if (quota === null)
    return warning(
      QUOTA,
      "Cloudflare gives the account no quota, so its mail is refused",
      "wait: a new account gets its quota within minutes of the first onboarding, and until then " +
        "sending is disabled (10203); else ask Cloudflare",
    );
  const each = `${quota.value} messages a ${quota.unit}`;
  if (usage === null) return ok(QUOTA, `${each}; Cloudflare does not report how many are used`);
  const until = usage.resets_at === null ? "" : `, until ${usage.resets_at}`;
  const left = Math.max(0, quota.value - usage.sent);
  const words = `${left} left of ${each}${until}`;
  const more =
    "ask Cloudflare for a higher quota, or let the gateway or a relay carry some teams' mail";
  if (usage.over_quota || left === 0)
    return warning(QUOTA, `the quota is used up: ${words}; mail waits`, more);
  return left < quota.value * LEAST_LEFT ? warning(QUOTA, words, more) : ok(QUOTA, words);
}
