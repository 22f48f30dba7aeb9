// Step of the courier `cloudflare`: mail to the service's mailboxes and to its reply addresses
// reaches the worker. No API switches Email Routing on for a subdomain. So set-up prints the way in
// the dashboard, and makes the rules where Email Routing is on.
import { AccountApi } from "../account-api.ts";
import { dnsOver, valuesOf } from "../doctor/dns-lookup.ts";
import {
  hasSubaddressing,
  leadsToRouting,
  type OwnMailbox,
  mailboxesOf,
  routedAddresses,
  routeToWorker,
  ROUTING_SETTINGS,
  SWITCH_SUBADDRESSING,
} from "../account/mailbox-rules.ts";
import { CLOUDFLARE_MX } from "../setting-prompts.ts";
import type { Context, Step } from "../setup-context.ts";
import { CallProblem } from "../setup-problem.ts";

export const mailboxes: Step = {
  name: "mailboxes",
  applies: ({ settings }) => settings["MX_HOST"] === CLOUDFLARE_MX,
  plan: () => ["make rules for the service's mailboxes where Email Routing is on"],
  async run(context) {
    const { settings } = context;
    const dns = dnsOver(settings["DNS_RESOLVER_URL"] ?? "");
    const all = mailboxesOf(settings["SERVICE_DOMAIN"] ?? "", Boolean(settings["EGRESS_URL"]));
    const on: OwnMailbox[] = [];
    const off: OwnMailbox[] = [];
    for (const mailbox of all) {
      const hosts = await valuesOf(dns, mailbox.host, "MX");
      if (leadsToRouting(hosts)) on.push(mailbox);
      else if (hosts.every((host) => host === "")) off.push(mailbox);
    }
    const notes = off.length === 0 ? [] : [byDashboard(off)];
    if (on.length === 0)
      return off.length === 0
        ? { kind: "already", detail: "other mail servers take their mail" }
        : { kind: "skipped", detail: "Email Routing is not on for them", notes };
    try {
      return await route(context, on, notes);
    } catch (error) {
      if (!(error instanceof CallProblem)) throw error;
      const addresses = on.map(({ address }) => address).join(" and ");
      const needed =
        `needed   rules to this worker for ${addresses}: in the dashboard, Email, Email Routing, ` +
        "Routing rules";
      return { kind: "skipped", detail: error.message, notes: [needed, ...notes] };
    }
  },
};

async function route(
  { wrangler, environment, zone, config, dryRun }: Context,
  on: readonly OwnMailbox[],
  notes: readonly string[],
) {
  const api = await AccountApi.open(wrangler, environment);
  const routed = await routedAddresses(api, zone);
  const said = [...notes, ...(await subaddressingNotes(api, zone, on))];
  const missing = on.map(({ address }) => address).filter((address) => !routed.has(address));
  const detail = on.map(({ address }) => address).join(" and ");
  if (missing.length === 0) return { kind: "already" as const, detail, notes: said };
  if (dryRun)
    return {
      kind: "would" as const,
      detail: `route ${missing.join(" and ")} to the worker`,
      notes: said,
    };
  for (const address of missing) await routeToWorker(api, zone, address, config.worker);
  return { kind: "done" as const, detail: `${missing.join(" and ")} to the worker`, notes: said };
}

/**
 * Names the switch of Subaddressing. Only a person should switch it, because it also changes other
 * people's mail.
 */
async function subaddressingNotes(
  api: AccountApi,
  zone: Context["zone"],
  on: readonly OwnMailbox[],
): Promise<string[]> {
  if (on.every(({ name }) => name !== "replies")) return [];
  try {
    if (await hasSubaddressing(api, zone)) return [];
    return [`needed   to get replies: ${SWITCH_SUBADDRESSING}`];
  } catch (error) {
    if (!(error instanceof CallProblem)) throw error;
    return [`needed   to get replies, if it is off (${error.message}): ${SWITCH_SUBADDRESSING}`];
  }
}

const MAIL = { postmaster: "to postmaster@", feedback: "to fbl@", replies: "in reply" } as const;

function byDashboard(off: readonly OwnMailbox[]): string {
  const hosts = off.map(({ host }) => host).toReversed();
  const mail = off.map(({ name }) => MAIL[name]);
  return (
    `needed   to get mail ${mail.join(" and ")}: ${ROUTING_SETTINGS}, add ` +
    `${hosts.join(" and ")}; then run this again, which makes the rules`
  );
}
