// Step: before its first change, set-up checks the products, rights and quotas that later steps
// need. If the account lacks one of them, set-up changes nothing.
import { isSpfRecord } from "../../../src/operator/mail-records.ts";
import { AccountApi } from "../account-api.ts";
import { dnsOver, valuesOf } from "../doctor/dns-lookup.ts";
import {
  DASHBOARD,
  missingProducts,
  type Obstacle,
  PRODUCTS,
  takenQueues,
} from "../account/product-needs.ts";
import { serviceRecordSets } from "../record-sets.ts";
import type { Context, Step } from "../setup-context.ts";
import { SetupProblem } from "../setup-problem.ts";
import { nameSendingDomain } from "./name-sending-domain.ts";
import { isWithin } from "./zone.ts";

/** The number of records that are needed in addition to the service's records. */
const OTHER_RECORDS = 6;
const OWN_MAIL_SERVERS = ".mx.cloudflare.net";

export const preflight: Step = {
  name: "preflight",
  plan: () => ["look at products, rights and quotas"],
  async run(context) {
    const api = await AccountApi.open(context.wrangler, context.environment);
    const products = await missingProducts(api);
    const all = [
      ...products,
      // If a right is missing, only the right is reported, because the queues can't be read then.
      ...(products.length > 0 ? [] : await takenQueues(api, context.config)),
      ...(await obstaclesOfZone(context)),
    ];
    if (all.length === 0) all.push(...(await obstaclesOfOtherMail(api, context)));
    if (all.length > 0)
      throw new SetupProblem(
        `nothing was made: ${all.map(({ says }) => says).join("; ")}`,
        `${all.map(({ mend }) => mend).join("; ")}; then run this again`,
      );
    return { kind: "already", detail: `${PRODUCTS} and the zone can be used` };
  },
};

/**
 * Finds a lack of DNS records before the run. Otherwise Cloudflare would refuse a record with 81045
 * in the middle of a run.
 */
async function obstaclesOfZone({ dns, zone, settings, kept }: Context): Promise<Obstacle[]> {
  const room = kept.published.length > 0 ? null : await dns.room(zone);
  const needed =
    OTHER_RECORDS +
    serviceRecordSets(settings).reduce((sum, { records }) => sum + records.length, 0);
  if (room === null || room.quota - room.used >= needed) return [];
  return [
    {
      says:
        `the zone ${zone.name ?? zone.id} has ${room.used} of ${room.quota} DNS records, and ` +
        `set-up needs ${needed} (81045)`,
      mend: `remove records at ${DASHBOARD}/?to=/:account/:zone/dns, or upgrade the zone's plan`,
    },
  ];
}

/**
 * Finds other mail that onboarding would affect. Onboarding publishes `p=reject` at the sending
 * domain. If others send from this name, and no DMARC record applies to their mail, the operator
 * must decide first.
 */
async function obstaclesOfOtherMail(api: AccountApi, context: Context): Promise<Obstacle[]> {
  if (context.settings["OUTBOUND"] !== "cloudflare") return [];
  const name = await nameSendingDomain(context);
  const zone = name === undefined ? null : await api.zoneOf(name);
  if (name === undefined || zone === null) return [];
  if ((await api.sendingDomains(zone)).some((domain) => domain.name === name)) return [];
  const dns = dnsOver(context.settings["DNS_RESOLVER_URL"] ?? "");
  const [servers, texts, policies] = await Promise.all([
    valuesOf(dns, name, "MX"),
    valuesOf(dns, name, "TXT"),
    valuesOf(dns, `_dmarc.${name}`, "TXT"),
  ]);
  const others = [
    ...servers.filter((host) => host !== "" && !host.endsWith(OWN_MAIL_SERVERS)),
    ...texts.filter((text) => isSpfRecord(text) && !isOwnPolicy(text)),
  ];
  if (others.length === 0 || policies.some((text) => text.startsWith("v=DMARC1"))) return [];
  const says =
    `others send mail from ${name} (${others.join(", ")}), and onboarding would publish ` +
    `p=reject for it at _dmarc.${name}, which has no record`;
  const { terminal, dryRun } = context;
  if (terminal.asks && !dryRun && isWithin(name, context.zone.name ?? "")) {
    const said = await terminal.ask(`${says}. Publish p=none there first? yes or no [no]:`);
    if (said === "yes") {
      context.watchedDomain = name;
      return [];
    }
  }
  const mend =
    `publish a DMARC record at _dmarc.${name}, such as v=DMARC1; p=none, or set SENDING_DOMAIN ` +
    "to a name of its own";
  return [{ says, mend }];
}

function isOwnPolicy(text: string): boolean {
  const [, ...terms] = text.toLowerCase().split(" ");
  return terms.every((term) => /^(?:[-~?]all|\+?include:_spf\.mx\.cloudflare\.net)?$/.test(term));
}
