// Step: programs with any user agent reach the service's host (config-rules.ts). Set-up is complete
// without this step, because most programs send a user agent of their own.
import { AccountApi } from "../account-api.ts";
import { addProgramsRule, hasProgramsRule, NEEDS_CONFIG } from "../account/config-rules.ts";
import type { Context, Step } from "../setup-context.ts";
import { CallProblem } from "../setup-problem.ts";

export const programs: Step = {
  name: "programs",
  applies: ({ customDomain }) => customDomain !== null,
  plan: ({ customDomain }) => [`make a Configuration Rule for ${customDomain}, if it has none`],
  async run(context) {
    const { customDomain: host, zone, dryRun } = context;
    const rule = `Browser Integrity Check is off for ${host}`;
    if (host === null) return { kind: "skipped", detail: "the worker has no host in the zone" };
    const api = await apiWithRight(context);
    if (typeof api === "string") return { kind: "skipped", detail: api, notes: byHand(host) };
    try {
      if (await hasProgramsRule(api, zone.id, host)) return { kind: "already", detail: rule };
      if (dryRun) return { kind: "would", detail: `make a Configuration Rule for ${host}` };
      await addProgramsRule(api, zone.id, host);
      return { kind: "done", detail: `${rule}, by a Configuration Rule` };
    } catch (error) {
      if (!(error instanceof CallProblem)) throw error;
      return { kind: "skipped", detail: error.message, notes: byHand(host) };
    }
  },
};

/**
 * Returns the API with wrangler's login. If the login lacks the right, returns the API with the DNS
 * token, to which the operator may have given the right. If both lack it, returns the first
 * refusal.
 */
async function apiWithRight({
  wrangler,
  environment,
  settings,
  zone,
}: Context): Promise<AccountApi | string> {
  const login = await AccountApi.open(wrangler, environment);
  const refusals: string[] = [];
  for (const api of [login, login.withToken(settings["DNS_API_TOKEN"] ?? "")]) {
    try {
      await hasProgramsRule(api, zone.id, "");
      return api;
    } catch (error) {
      if (!(error instanceof CallProblem)) throw error;
      refusals.push(error.message);
    }
  }
  return refusals[0] ?? "";
}

function byHand(host: string): string[] {
  return [
    "needed   so that Python's urllib and its like are not refused (403, error code: 1010):",
    `  give DNS_API_TOKEN the permission ${NEEDS_CONFIG} and run this again, or in the dashboard,`,
    `  Rules, Configuration Rules, make one: Hostname equals ${host}, Browser Integrity Check off`,
  ];
}
