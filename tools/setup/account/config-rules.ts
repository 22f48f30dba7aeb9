// Makes the Configuration Rule that switches Browser Integrity Check off for the service's host. In
// every zone this check is on by default. It refuses programs by their user agent (1010) before a
// worker runs: https://developers.cloudflare.com/rules/configuration-rules/create-api/
import { type AccountApi, needsRight } from "../account-api.ts";
import { isRefusedRight } from "./cloudflare-codes.ts";
import { errorTextOf, member } from "../json-call.ts";
import { CallProblem } from "../setup-problem.ts";

const PHASE = "http_config_settings";
export const NEEDS_CONFIG = "Zone · Config Rules · Edit";

interface Ruleset {
  readonly id: string;
  readonly rules: readonly unknown[];
}

/** Tells whether the host has the rule. Throws a CallProblem if the rules can't be read. */
export async function hasProgramsRule(
  api: AccountApi,
  zoneId: string,
  host: string,
): Promise<boolean> {
  return (await rulesetOf(api, zoneId))?.rules.some((rule) => isFor(rule, host)) ?? false;
}

/** Adds the rule after the existing rules. Throws a CallProblem if a call fails. */
export async function addProgramsRule(
  api: AccountApi,
  zoneId: string,
  host: string,
): Promise<void> {
  const rule = {
    description: `postern: programs may call ${host}`,
    expression: `(http.host eq "${host}")`,
    action: "set_config",
    action_parameters: { bic: false },
  };
  const known = await rulesetOf(api, zoneId);
  const needs = needsRight(NEEDS_CONFIG);
  if (known) await api.must("POST", `/zones/${zoneId}/rulesets/${known.id}/rules`, needs, rule);
  else
    await api.must("POST", `/zones/${zoneId}/rulesets`, needs, {
      name: "Configuration rules",
      kind: "zone",
      phase: PHASE,
      rules: [rule],
    });
}

/** Returns the zone's ruleset of the phase. Null: the zone has no rule of this kind. */
async function rulesetOf(api: AccountApi, zoneId: string): Promise<Ruleset | null> {
  const path = `/zones/${zoneId}/rulesets/phases/${PHASE}/entrypoint`;
  const answer = await api.ask("GET", path);
  const id = member(answer.json, "result", "id");
  const rules = member(answer.json, "result", "rules");
  if (answer.status < 300 && typeof id === "string")
    return { id, rules: Array.isArray(rules) ? rules : [] };
  if (answer.status === 404) return null;
  throw new CallProblem(
    `GET ${path}: Cloudflare answered ${errorTextOf(answer)}`,
    isRefusedRight(answer) ? needsRight(NEEDS_CONFIG) : "run this again",
  );
}

function isFor(rule: unknown, host: string): boolean {
  return (
    member(rule, "enabled") !== false &&
    member(rule, "action_parameters", "bic") === false &&
    String(member(rule, "expression")).includes(`"${host}"`)
  );
}
