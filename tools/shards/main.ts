// `npm run shard -- add | list | widen`: the operator's shards (docs/scaling.md).
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SetupProblem } from "../setup/setup-problem.ts";
import { listShards } from "./list.ts";
import type { Api } from "./operator-api.ts";
import { widenTeam } from "./widen-team.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const USAGE = `npm run shard -- <command>

  list                        which shards there are, how many teams each has and how large it is
  add                         one more, for new teams from now on: binds, creates, migrates, deploys
  widen <team> [shards…]      from the next midnight that is an hour away, spreads a team's days over
                              these shards, or over those that it has and the emptiest other one

  --dry-run                   says what add or widen would do, and does none of it
  --local                     the stack of npm start, for list and widen

list and widen call API_URL with ADMIN_TOKEN; without these, what npm run setup remembers of the deployment.`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetupProblem)) throw error;
  process.stderr.write(
    `shard: ${error.message}${error.mend === "" ? "" : `\n  → ${error.mend}`}\n`,
  );
  process.exitCode = 1;
}

async function run(args: readonly string[]): Promise<void> {
  const { command, rest, dryRun, isLocal } = parseArguments(args);
  if (command === undefined) return say(USAGE);
  if (command === "add" && rest.length === 0) return add(dryRun);
  if (command === "list" && rest.length === 0) return listShards(api(isLocal));
  const [team, ...shards] = rest;
  if (command === "widen" && team !== undefined && shards.every((shard) => /^\d{1,5}$/.test(shard)))
    return widenTeam(api(isLocal), team, shards.map(Number), dryRun);
  throw new SetupProblem(`what is that?\n\n${USAGE}`);
}

/**
 * Loads wrangler's own parser of wrangler.toml, which takes a second that the other commands need
 * not wait.
 */
async function add(dryRun: boolean): Promise<void> {
  const { addShard, deployFrom } = await import("./add.ts");
  await addShard({ root: ROOT, dryRun, say, deploy: async () => deployFrom(ROOT) });
}

function parseArguments(args: readonly string[]): {
  command: string | undefined;
  rest: string[];
  dryRun: boolean;
  isLocal: boolean;
} {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        "dry-run": { type: "boolean", default: false },
        local: { type: "boolean", default: false },
      },
    });
    const [command, ...rest] = positionals;
    // npm takes an option that does not follow `--` for itself and passes it on in the environment.
    const dryRun = values["dry-run"] || process.env["npm_config_dry_run"] === "true";
    return { command, rest, dryRun, isLocal: values.local };
  } catch (error) {
    throw new SetupProblem(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function api(isLocal: boolean): Api {
  const state = resolve(ROOT, process.env["POSTERN_STATE"] || ".postern");
  if (isLocal) {
    const { api_url: url, admin_token: adminToken } = read(
      `${state}/dev.json`,
      "start it by npm start",
    ) as Record<string, string>;
    return { url: url ?? "", adminToken: adminToken ?? "", say };
  }
  const { API_URL, ADMIN_TOKEN } = process.env;
  if (API_URL && ADMIN_TOKEN)
    return { url: API_URL.replace(/\/$/, ""), adminToken: ADMIN_TOKEN, say };
  const kept = read(
    `${state}/production.json`,
    "set API_URL and ADMIN_TOKEN, or use --local for the stack of npm start",
  ) as {
    settings?: Record<string, string>;
    secrets?: Record<string, string>;
  };
  const url = API_URL || kept.settings?.["PUBLIC_URL"];
  const adminToken = ADMIN_TOKEN || kept.secrets?.["ADMIN_TOKEN"];
  if (!url || !adminToken)
    throw new SetupProblem(
      "the API's address or its token is unknown",
      "set API_URL and ADMIN_TOKEN",
    );
  return { url: url.replace(/\/$/, ""), adminToken, say };
}

function read(path: string, mend: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new SetupProblem(`${path} can't be read`, mend);
  }
}
