// Checks the service's mailboxes where Cloudflare's mail servers take their mail: only a rule of
// Email Routing makes them do so. With `--send`, a message to each proves it.
import {
  mailboxesOf,
  leadsToRouting,
  type OwnMailbox,
  routedAddresses,
} from "../account/mailbox-rules.ts";
import type { WaitingClock } from "../wait-until.ts";
import type { AccountLogin } from "./account-login.ts";
import { unlessRefused } from "./check-account.ts";
import { sendAndJudge, statusOf, verifiedOf } from "./check-sending.ts";
import { type Dns, valuesOf } from "./dns-lookup.ts";
import type { Target } from "./doctor-target.ts";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { KnownTeam } from "./known-team.ts";

const DELIVERY = "mailboxes.delivery";

/** A mailbox whose mail Cloudflare's servers get, and whether a rule takes it. */
interface RoutedMailbox {
  readonly mailbox: OwnMailbox;
  readonly hasRule: boolean;
}

/** Returns the mailboxes that lead to Cloudflare. Throws a CallProblem. */
async function routedMailboxes(
  { serviceDomain, outbound }: Target,
  dns: Dns,
  login: () => Promise<AccountLogin>,
): Promise<readonly RoutedMailbox[]> {
  if (serviceDomain === undefined || outbound !== "cloudflare") return [];
  const all = await Promise.all(
    mailboxesOf(serviceDomain).map(async (mailbox) => ({
      mailbox,
      leads: leadsToRouting(await valuesOf(dns, mailbox.host, "MX")),
    })),
  );
  const there = all.filter(({ leads }) => leads).map(({ mailbox }) => mailbox);
  const found = there.length === 0 ? null : await login();
  if (found?.kind !== "in") return [];
  const zone = await found.api.zoneOf(serviceDomain);
  if (zone === null) return [];
  const routed = await routedAddresses(found.api, zone);
  return there.map((mailbox) => ({ mailbox, hasRule: routed.has(mailbox.address) }));
}

export async function checkMailboxes(
  target: Target,
  dns: Dns,
  login: () => Promise<AccountLogin>,
): Promise<readonly Finding[]> {
  return unlessRefused("mailboxes", async () =>
    (await routedMailboxes(target, dns, login)).map(({ mailbox: { name, address }, hasRule }) =>
      hasRule
        ? ok(`mailboxes.${name}`, `a rule of Email Routing takes mail to ${address}`)
        : warn(
            `mailboxes.${name}`,
            `Cloudflare's mail servers refuse mail to ${address} (550 5.1.1): no rule of Email ` +
              "Routing takes it",
            "npm run setup makes the rule; or in the dashboard, Email, Email Routing, Routing rules",
          ),
    ),
  );
}

/**
 * Sends a message to each mailbox that a rule takes. One without a rule gets none, because its
 * bounce would suppress the address.
 */
export async function checkMailboxDelivery(
  target: Target,
  dns: Dns,
  clock: WaitingClock,
  { domains }: KnownTeam,
  login: () => Promise<AccountLogin>,
): Promise<readonly Finding[]> {
  const { key } = target;
  const from = verifiedOf(domains);
  if (key === undefined || from === undefined || target.sendTo === undefined) return [];
  return unlessRefused("mailboxes", async () => {
    const routed = (await routedMailboxes(target, dns, login)).filter(({ hasRule }) => hasRule);
    return Promise.all(
      routed.map(({ mailbox: { address } }) =>
        sendAndJudge(target, clock, key, DELIVERY, from, address, ({ id }, email) =>
          statusOf(email) === "delivered"
            ? ok(DELIVERY, `${id} to ${address} was taken`)
            : fail(
                DELIVERY,
                `${id} to ${address} is ${statusOf(email)}`,
                "look at the rule in the dashboard, Email, Email Routing, and at npx wrangler tail",
              ),
        ),
      ),
    );
  });
}
