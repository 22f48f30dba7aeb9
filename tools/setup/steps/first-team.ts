// Step: a first team exists. Only the response that creates the team shows its API key. So set-up
// saves the name before the request, and the key directly after it. If the response is lost, the
// key is unknown. In that case, set-up deletes the team and creates it again.
import type { Context, Step } from "../setup-context.ts";
import type { SetupTeam } from "../operator-client.ts";

/**
 * Maximum number of milliseconds between saving the name (by this machine's clock) and the team's
 * creation (by the worker's clock).
 */
const LOST_WITHIN_MS = 120_000;

export const team: Step = {
  name: "team",
  plan: ({ settings }) => [`create the team ${settings["TEAM_NAME"]}, if it is not there`],
  async run(context) {
    const { api, kept, settings, environment, dryRun } = context;
    const name = settings["TEAM_NAME"] ?? "";
    const adminToken = environment["ADMIN_TOKEN"]?.trim() || (kept.secrets["ADMIN_TOKEN"] ?? "");
    if (dryRun && kept.deployed === undefined)
      return { kind: "would", detail: `create the team ${name}` };
    const found = (await api.teams(adminToken)).find((one) => one.name === name);
    const key =
      environment["API_KEY"]?.trim() || (kept.team?.name === name ? kept.team.api_key : undefined);
    const isLost = found !== undefined && key === undefined && wasLost(context, found);
    if (found !== undefined && !isLost) {
      context.teamKey = key ?? null;
      const how =
        key === undefined
          ? "; its key is not known here (set API_KEY to a key with full access)"
          : "";
      return { kind: "already", detail: `${name} (${found.id})${how}` };
    }
    if (dryRun) return { kind: "would", detail: `create the team ${name}` };
    if (isLost) await api.removeTeam(adminToken, found.id);
    return create(context, adminToken, name, isLost);
  },
};

async function create(context: Context, adminToken: string, name: string, isAgain: boolean) {
  const { api, kept, file } = context;
  kept.team = { name, requested_at: new Date().toISOString() };
  file.save();
  const created = await api.createTeam(adminToken, name);
  kept.team = { ...kept.team, id: created.id, api_key: created.api_key.key };
  file.save();
  context.teamKey = created.api_key.key;
  return {
    kind: "done" as const,
    detail: `${name} (${created.id})${isAgain ? ", created again, because the first answer with its key was lost" : ""}`,
    notes: [
      `The team's API key, which is shown only now (and kept in ${file.path}):`,
      `  ${created.api_key.key}`,
    ],
  };
}

/** Tells whether set-up created this team, but did not receive the answer. */
function wasLost({ kept }: Context, found: SetupTeam): boolean {
  const wish = kept.team;
  if (wish === undefined || wish.name !== found.name || wish.id !== undefined) return false;
  return Math.abs(Date.parse(found.created_at) - Date.parse(wish.requested_at)) < LOST_WITHIN_MS;
}
