// `npm run shard -- add | list | widen`: the operator's shards (docs/scaling.md).
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { keptAnswers } from "../setup/answers.ts";
import { deployVersion } from "../setup/deploy-version.ts";
import { findLocalStack } from "../setup/doctor/local-stack.ts";
import { SetupFile } from "../setup/setup-file.ts";
import { QUESTIONS } from "../setup/questions.ts";
import { runCommand } from "../setup/run-command.ts";
import type { CommandEnvironment } from "../setup/run-wrangler.ts";
import { SetupProblem } from "../setup/setup-problem.ts";
import { addShard } from "./add.ts";
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

process.exitCode = await runCommand("shard", async (args, { environment, output }) => {
  const say = (line: string): void => void output.write(`${line}\n`);
  const { command, rest, dryRun, isLocal } = parseArguments(args, environment);
  const api = (): Api => ({ ...addressOf(environment, isLocal), say });
  const [team, ...shards] = rest;
  if (command === undefined) say(USAGE);
  else if (command === "add" && rest.length === 0)
    await addShard({ root: ROOT, dryRun, say, deploy: () => runCommand("deploy", deployVersion) });
  else if (command === "list" && rest.length === 0) await listShards(api());
  else if (command === "widen" && team && shards.every((shard) => /^\d{1,5}$/.test(shard)))
    await widenTeam(api(), team, shards.map(Number), dryRun);
  else throw new SetupProblem(`what is that?\n\n${USAGE}`);
  return true;
});

function parseArguments(args: readonly string[], environment: CommandEnvironment) {
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
    const dryRun = values["dry-run"] || environment["npm_config_dry_run"] === "true";
    return { command, rest, dryRun, isLocal: values.local };
  } catch (error) {
    throw new SetupProblem(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function addressOf(environment: CommandEnvironment, isLocal: boolean): Omit<Api, "say"> {
  if (isLocal) {
    const stack = findLocalStack(environment, ROOT);
    if (stack) return stack;
    throw new SetupProblem("no local stack is running", "start it by npm start");
  }
  const { kept } = new SetupFile(environment, ROOT, true);
  const url = environment["API_URL"] || keptAnswers(QUESTIONS, kept)["PUBLIC_URL"];
  const adminToken = environment["ADMIN_TOKEN"] || kept.secrets["ADMIN_TOKEN"];
  if (url && adminToken) return { url: url.replace(/\/$/, ""), adminToken };
  throw new SetupProblem(
    "the API's address or its token is unknown",
    "set API_URL and ADMIN_TOKEN, or use --local for the stack of npm start",
  );
}
