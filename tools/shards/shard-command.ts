// The commands of `npm run shard` (docs/scaling.md), their arguments and the address of the API.
import { parseArgs } from "node:util";
import { readStoredSettings } from "../setup/ask-settings.ts";
import { deployVersion } from "../setup/deploy-version.ts";
import { findLocalStack } from "../setup/doctor/local-stack.ts";
import { SetupFile } from "../setup/setup-file.ts";
import { SETTING_PROMPTS } from "../setup/setting-prompts.ts";
import {
  type CommandSurroundings,
  runCommand,
  type SetupCommand,
  withUsage,
} from "../setup/run-command.ts";
import type { CommandEnvironment } from "../setup/run-wrangler.ts";
import { SetupProblem } from "../setup/setup-problem.ts";
import { addCore, addShard } from "./add.ts";
import { listShards } from "./list.ts";
import type { Api } from "./operator-api.ts";
import { widenTeam } from "./widen-team.ts";

const USAGE = `npm run shard -- <command>

  list                        lists the shards and the core databases, with their number of teams
                              and their sizes
  add                         adds a shard for new teams: binds, creates, migrates, deploys
  core add                    adds a core database for new teams, in the same way
  widen <team> [shards…]      spreads a team's events over these shards, day by day, from the next
                              midnight that is at least an hour away; without shards, over the
                              team's own shard and the emptiest other shard

  --dry-run                   shows what add, core add or widen would do, and changes nothing
  --local                     for the stack of npm start: list and widen use it, add and core add
                              write wrangler.toml and deploy nothing

list and widen call API_URL with ADMIN_TOKEN. If these are not set, they call the deployment that
npm run setup remembers.`;

export const shardCommand: SetupCommand = async (args, around) => {
  const { root, environment, output } = around;
  const say = (line: string): void => void output.write(`${line}\n`);
  const { command, rest, dryRun, isLocal } = parseArguments(args, environment);
  const api = (): Api => ({ ...addressOf(around, isLocal), say });
  const deploy = isLocal ? null : () => runCommand("deploy", deployVersion, [], around);
  const adding = { root, dryRun, say, deploy };
  const [team, ...shards] = rest;
  if (command === undefined) say(USAGE);
  else if (command === "add" && rest.length === 0) await addShard(adding);
  else if (command === "core" && rest.join() === "add") await addCore(adding);
  else if (command === "list" && rest.length === 0) await listShards(api());
  else if (command === "widen" && team && shards.every((shard) => /^\d{1,5}$/.test(shard)))
    await widenTeam(api(), team, shards.map(Number), dryRun);
  else throw new SetupProblem(`unknown command\n\n${USAGE}`);
  return true;
};

function parseArguments(args: readonly string[], environment: CommandEnvironment) {
  const flag = { type: "boolean", default: false } as const;
  const config = {
    args: [...args],
    allowPositionals: true,
    options: { "dry-run": flag, local: flag },
  };
  const { values, positionals } = withUsage(USAGE, () => parseArgs(config));
  const [command, ...rest] = positionals;
  // npm does not pass options before `--` as arguments. It passes them in environment variables.
  const dryRun = values["dry-run"] || environment["npm_config_dry_run"] === "true";
  return { command, rest, dryRun, isLocal: values.local };
}

function addressOf({ root, environment }: CommandSurroundings, isLocal: boolean): Omit<Api, "say"> {
  if (isLocal) {
    const stack = findLocalStack(environment, root);
    if (stack) return stack;
    throw new SetupProblem("no local stack is running", "start it by npm start");
  }
  const { kept } = new SetupFile(environment, root, true);
  const url = environment["API_URL"] || readStoredSettings(SETTING_PROMPTS, kept)["PUBLIC_URL"];
  const adminToken = environment["ADMIN_TOKEN"] || kept.secrets["ADMIN_TOKEN"];
  if (url && adminToken) return { url: url.replace(/\/$/, ""), adminToken };
  throw new SetupProblem(
    "the API's address or its token is unknown",
    "set API_URL and ADMIN_TOKEN, or use --local for the stack of npm start",
  );
}
