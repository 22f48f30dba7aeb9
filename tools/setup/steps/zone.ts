// Step: the DNS token can read the zone that contains the service domain. Later steps need this
// zone.
import type { Context, Step } from "../setup-context.ts";
import { SetupProblem } from "../setup-problem.ts";
import { hostOf } from "../setting-prompts.ts";
import { isLocal } from "../rules.ts";

/** The record that Cloudflare creates for a worker's custom domain. */
const WORKER_RECORD = { type: "AAAA", content: "100::" } as const;
const WEB_TYPES = new Set(["A", "AAAA", "CNAME"]);

export const zone: Step = {
  name: "zone",
  plan: ({ settings }) => [`find the zone that contains ${settings["SERVICE_DOMAIN"]}`],
  async run(context) {
    const { settings, dns } = context;
    const { SERVICE_DOMAIN = "", DNS_ZONE_ID } = settings;
    const found = await dns.findZone(DNS_ZONE_ID, SERVICE_DOMAIN);
    if (found.name !== null && !isWithin(SERVICE_DOMAIN, found.name)) {
      throw new SetupProblem(
        `the zone ${found.id} is ${found.name}, which does not contain ${SERVICE_DOMAIN}`,
        "set DNS_ZONE_ID to the zone of the service domain",
      );
    }
    context.zone = found;
    context.settings = {
      ...settings,
      DNS_ZONE_ID: found.id,
      ...(found.name !== null && { ZONE: found.name }),
    };
    await dns.at(found, SERVICE_DOMAIN);
    context.customDomain = await claimCustomDomain(context, "PUBLIC_URL");
    context.consoleDomain =
      hostOf(settings["CONSOLE_URL"]) === hostOf(settings["PUBLIC_URL"])
        ? null
        : await claimCustomDomain(context, "CONSOLE_URL");
    context.kept.zone = found;
    context.kept.custom_domain = context.customDomain;
    context.kept.console_domain = context.consoleDomain;
    context.file.save();
    const web = [context.customDomain, context.consoleDomain]
      .filter((host) => host !== null)
      .map((host) => `; ${host} becomes the worker's custom domain`)
      .join("");
    return {
      kind: "already",
      detail: `${found.name ?? "its name can't be read"} (${found.id})${web}`,
    };
  },
};

export function isWithin(name: string, zoneName: string): boolean {
  return name === zoneName || name.endsWith(`.${zoneName}`);
}

/**
 * Returns a custom domain of the worker: the host of the URL in the setting, if the host is in the
 * zone. If the host already has records, asks the operator first, because wrangler would delete
 * them without a question.
 */
async function claimCustomDomain(
  { settings, zone: { name, id }, dns, onConflict, terminal }: Context,
  setting: "PUBLIC_URL" | "CONSOLE_URL",
): Promise<string | null> {
  const host = hostOf(settings[setting]);
  if (host === undefined || isLocal(host) || name === null || !isWithin(host, name)) return null;
  const standing = (await dns.at({ id, name }, host)).filter(({ type }) => WEB_TYPES.has(type));
  const others = standing.filter(
    ({ type, content }) => type !== WORKER_RECORD.type || content !== WORKER_RECORD.content,
  );
  if (others.length === 0) return host;
  const there = others.map(({ type, content }) => `${type} ${content}`).join(", ");
  let policy: string = onConflict;
  if (policy === "stop" && terminal.asks) {
    policy = await terminal.ask(
      `${host} already has ${there}. Replace it with the worker, keep it (if it leads to the ` +
        "worker), or stop? [stop]:",
    );
  }
  if (policy === "keep") return null;
  if (policy === "replace") return host;
  throw new SetupProblem(
    `${host} already has ${there}, where the worker's custom domain belongs; nothing was ` +
      "overwritten",
    `remove that record, set ${setting} to another host, or run again with --dns-conflict=replace, ` +
      "or with --dns-conflict=keep if it leads to the worker",
  );
}
