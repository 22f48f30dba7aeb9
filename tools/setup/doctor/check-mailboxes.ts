// Checks the service's mailboxes whose mail goes to Cloudflare's mail servers. These servers accept
// mail only if a rule of Email Routing names its address. With `--send`, a message to each mailbox
// proves that mail arrives.
import {
  hasSubaddressing,
  mailboxesOf,
  leadsToRouting,
  type OwnMailbox,
  routedAddresses,
  SWITCH_SUBADDRESSING,
} from "../account/mailbox-rules.ts";
import type { AccountApi, AccountZone } from "../account-api.ts";
import type { WaitingClock } from "../wait-until.ts";
import type { LogIn } from "./account-login.ts";
import { unlessRefused } from "./check-account.ts";
import { sendAndJudge, statusOf, verifiedOf } from "./check-sending.ts";
import { type Dns, valuesOf } from "./dns-lookup.ts";
import { hasGateway, type Target } from "./doctor-target.ts";
import { critical, type CheckResults, ok, warning } from "./check-result.ts";
import type { KnownTeam } from "./known-team.ts";

const DELIVERY = "mailboxes.delivery";
const SUBADDRESSING = "mailboxes.subaddressing";

/** A mailbox at Cloudflare's servers. `hasRule`: a rule of Email Routing names its address. */
interface RoutedMailbox {
  readonly mailbox: OwnMailbox;
  readonly hasRule: boolean;
}

interface RoutedMail {
  readonly api: AccountApi;
  readonly zone: AccountZone;
  readonly mailboxes: readonly RoutedMailbox[];
}

/**
 * Returns the mailboxes that lead to Cloudflare. Null: no mailbox leads there, or no login can read
 * the rules. Throws a CallProblem if a call fails.
 */
async function routedMail(target: Target, dns: Dns, login: LogIn): Promise<RoutedMail | null> {
  const { serviceDomain, outbound } = target;
  if (serviceDomain === undefined || outbound !== "cloudflare") return null;
  const all = await Promise.all(
    mailboxesOf(serviceDomain, hasGateway(target)).map(async (mailbox) => ({
      mailbox,
      leads: leadsToRouting(await valuesOf(dns, mailbox.host, "MX")),
    })),
  );
  const there = all.filter(({ leads }) => leads).map(({ mailbox }) => mailbox);
  const found = there.length === 0 ? null : await login();
  if (found?.kind !== "in") return null;
  const { api } = found;
  const zone = await api.zoneOf(serviceDomain);
  if (zone === null) return null;
  const routed = await routedAddresses(api, zone);
  const mailboxes = there.map((mailbox) => ({ mailbox, hasRule: routed.has(mailbox.address) }));
  return { api, zone, mailboxes };
}

export async function checkMailboxes(
  target: Target,
  dns: Dns,
  login: LogIn,
): Promise<CheckResults> {
  return unlessRefused("mailboxes", async () => {
    const found = await routedMail(target, dns, login);
    if (found === null) return [];
    const rules = found.mailboxes.map(({ mailbox: { name, address }, hasRule }) =>
      hasRule
        ? ok(`mailboxes.${name}`, `a rule of Email Routing takes mail to ${address}`)
        : warning(
            `mailboxes.${name}`,
            `Cloudflare's mail servers refuse mail to ${address} (550 5.1.1): no rule of Email ` +
              "Routing takes it",
            "npm run setup makes the rule; or in the dashboard, Email, Email Routing, Routing rules",
          ),
    );
    const takesReplies = found.mailboxes.some(({ mailbox: { name } }) => name === "replies");
    return [...rules, takesReplies ? await checkSubaddressing(found) : []].flat();
  });
}

/**
 * Checks Subaddressing. A reply address is `r+<token>@`, and the rule for `r@` applies to it only
 * with Subaddressing.
 */
function checkSubaddressing({ api, zone }: RoutedMail): Promise<CheckResults> {
  return unlessRefused(SUBADDRESSING, async () =>
    (await hasSubaddressing(api, zone))
      ? ok(SUBADDRESSING, "the rule for r@ takes mail to reply addresses, r+<token>@")
      : warning(
          SUBADDRESSING,
          "Cloudflare's mail servers refuse replies (550 5.1.1): the rule for r@ does not take " +
            "mail to r+<token>@",
          SWITCH_SUBADDRESSING,
        ),
  );
}

/**
 * Sends a message to each mailbox that has a rule. Sends none to a mailbox without a rule, because
 * the bounce would suppress its address.
 */
export async function checkMailboxDelivery(
  target: Target,
  dns: Dns,
  clock: WaitingClock,
  { domains }: KnownTeam,
  login: LogIn,
): Promise<CheckResults> {
  const { key } = target;
  const from = verifiedOf(domains);
  if (key === undefined || from === undefined || target.sendTo === undefined) return [];
  return unlessRefused("mailboxes", async () => {
    const found = await routedMail(target, dns, login);
    // Mail to `r@` without a token shows nothing about replies. check-replies.ts tests them.
    const routed = (found?.mailboxes ?? []).filter(
      ({ mailbox: { name }, hasRule }) => hasRule && name !== "replies",
    );
    return Promise.all(
      routed.map(({ mailbox: { address } }) =>
        sendAndJudge(target, clock, key, DELIVERY, from, address, ({ id }, email) =>
          statusOf(email) === "delivered"
            ? ok(DELIVERY, `${id} to ${address} was taken`)
            : critical(
                DELIVERY,
                `${id} to ${address} is ${statusOf(email)}`,
                "look at the rule in the dashboard, Email, Email Routing, and at npx wrangler tail",
              ),
        ),
      ),
    );
  });
}
