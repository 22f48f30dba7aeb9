// Checks the Email Service for the courier `cloudflare` (docs/doctor.md). The Email Service may
// send from each sending domain, its events reach the worker, and its quota is not used up. Another
// file checks the domains' records in DNS (check-domain.ts).
import type {
  AccountApi,
  OnboardedDomain,
  SendingLimits,
  EventSubscription,
} from "../account-api.ts";
import { EVENT_TYPES, EVENTS_QUEUE, findSubscription } from "../event-subscriptions.ts";
import { CallProblem } from "../setup-problem.ts";
import type { AccountLogin } from "./account-login.ts";
import { fail, type Finding, ok, skip, warn } from "./finding.ts";

const FOR_ANOTHER =
  "npm run setup fixes it for the first team's domains; for another team's domains see " +
  "docs/set-up.md, Domains of the Email Service";
const LEAST_LEFT = 0.1;

interface Account {
  readonly api: AccountApi;
  readonly queueId: string | null;
  readonly subscriptions: readonly EventSubscription[];
}

export async function checkEmailService(
  domains: readonly string[],
  login: () => Promise<AccountLogin>,
): Promise<Finding[]> {
  const found = await login();
  const nameless =
    domains.length > 0
      ? []
      : [skip("email-service.domain", "no sending domain is known: give --key or --domain")];
  if (found.kind === "out")
    return [
      ...nameless,
      skip(
        "email-service",
        `domains, subscriptions and the quota were not checked: ${found.reason} (npx wrangler login)`,
      ),
    ];
  const inAccount = await unlessRefused("email-service.subscription", () =>
    checkAccount(found.api, domains),
  );
  const quota = await unlessRefused("email-service.quota", async () => [
    judgeQuota(await found.api.sendingLimits()),
  ]);
  return [...nameless, ...inAccount, ...quota];
}

/**
 * Returns the findings of `look`. If the login lacks a permission or the API does not answer, the
 * check is skipped, because the deployment is not at fault.
 */
async function unlessRefused(
  check: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof CallProblem)) throw error;
    return [skip(check, `could not be read: ${error.message}; ${error.mend}`)];
  }
}

async function checkAccount(api: AccountApi, domains: readonly string[]): Promise<Finding[]> {
  const [queueId, subscriptions] = await Promise.all([
    api.queueId(EVENTS_QUEUE),
    api.subscriptions(),
  ]);
  if (queueId === null)
    return [
      fail(
        "email-service.subscription",
        `the account has no queue ${EVENTS_QUEUE}: no event reaches the worker`,
        "npm run setup, or npm run deploy",
      ),
    ];
  const account = { api, queueId, subscriptions };
  return (await Promise.all(domains.map((domain) => checkDomain(account, domain)))).flat();
}

async function checkDomain(account: Account, name: string): Promise<Finding[]> {
  const zone = await account.api.zoneOf(name);
  if (zone === null)
    return [
      fail(
        "email-service.domain",
        `${name} is in no zone of this account, so the Email Service can't send from it`,
        "add its zone to the account, or give its team another courier (PATCH /admin/teams/{id})",
      ),
    ];
  const sending = await account.api.sendingDomains(zone);
  return [
    judgeSending(
      name,
      sending.find((domain) => domain.name === name),
    ),
    judgeSubscription(account, name),
  ];
}

function judgeSending(name: string, found: OnboardedDomain | undefined): Finding {
  if (found?.enabled === true) return ok("email-service.domain", `sending is enabled for ${name}`);
  const what = found === undefined ? "is not onboarded" : "is disabled";
  return fail(
    "email-service.domain",
    `${name} ${what} in the Email Service: its mail is refused`,
    `npx wrangler email sending enable ${name}, or npm run setup`,
  );
}

function judgeSubscription({ queueId, subscriptions }: Account, name: string): Finding {
  const check = "email-service.subscription";
  const found = findSubscription(subscriptions, name, queueId);
  if (found.kind === "missing")
    return fail(
      check,
      `no event subscription sends the events of ${name} to ${EVENTS_QUEUE}, so its messages ` +
        "have no outcome for 72 hours",
      FOR_ANOTHER,
    );
  if (found.faults.length > 0)
    return fail(
      check,
      `the subscription ${found.subscription.name} of ${name}: ${found.faults.join(", ")}`,
      FOR_ANOTHER,
    );
  return ok(check, `all ${EVENT_TYPES.length} types of events of ${name} go to ${EVENTS_QUEUE}`);
}

function judgeQuota({ quota, usage }: SendingLimits): Finding {
  const check = "email-service.quota";
  if (quota === null) return ok(check, "the account has no quota");
  const each = `${quota.value} messages a ${quota.unit}`;
  if (usage === null) return ok(check, `${each}; Cloudflare does not report how many are used`);
  const until = usage.resets_at === null ? "" : `, until ${usage.resets_at}`;
  const left = Math.max(0, quota.value - usage.sent);
  const words = `${left} left of ${each}${until}`;
  const more =
    "ask Cloudflare for a higher quota, or let the gateway or a relay carry some teams' mail";
  if (usage.over_quota || left === 0)
    return warn(check, `the quota is used up: ${words}; mail waits`, more);
  return left < quota.value * LEAST_LEFT ? warn(check, words, more) : ok(check, words);
}
