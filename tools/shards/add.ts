// `npm run shard -- add` and `core add`: add one shard or core database (docs/scaling.md). They
// change wrangler.toml first, because wrangler finds a database by its binding. The deployment then
// creates the database, migrates it and binds it, so no worker runs before the tables exist.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { migrationsIn, readDeployConfig } from "../setup/deploy-config.ts";
import { replaceFile } from "../setup/setup-file.ts";
import { SetupProblem } from "../setup/setup-problem.ts";
import { type Addition, withNextCore, withNextShard } from "./wrangler-toml.ts";

export interface ShardOptions {
  readonly root: string;
  readonly dryRun: boolean;
  readonly say: (line: string) => void;
  /**
   * Deploys. Resolves with the exit code of `npm run deploy`. Null: the shard is for the stack of
   * `npm start`, which creates the database at its next start.
   */
  readonly deploy: (() => Promise<number>) | null;
}

/** A database to add, and the texts that say where new teams go. */
interface Added extends Addition {
  readonly name: string;
  readonly migrations: string;
  readonly would: string;
  readonly did: string;
}

/** Adds a shard. Throws a SetupProblem if this is not possible. */
export async function addShard(options: ShardOptions): Promise<void> {
  const added = withNextShard(readToml(options));
  const set = `SHARDS_FOR_NEW_TEAMS = "${added.shard}"`;
  const then = `new teams go only to shard ${added.shard}`;
  await add(options, {
    ...added,
    name: `shard ${added.shard}`,
    migrations: "migrations/shard",
    would: `would set ${set} in wrangler.toml: ${then}`,
    did: `set ${set}: ${then}`,
  });
}

const TAKES = "takes all new teams until it has as many teams as each other database";

/** Adds a core database. Throws a SetupProblem if this is not possible. */
export async function addCore(options: ShardOptions): Promise<void> {
  const added = withNextCore(readToml(options));
  await add(options, {
    ...added,
    name: `core shard ${added.shard}`,
    migrations: "migrations/core",
    would: `then core shard ${added.shard} ${TAKES}`,
    did: `core shard ${added.shard} ${TAKES}`,
  });
}

function readToml({ root }: ShardOptions): string {
  return readFileSync(join(root, "wrangler.toml"), "utf8");
}

async function add(options: ShardOptions, added: Added): Promise<void> {
  const { root, dryRun, say, deploy } = options;
  const { name, binding, database, text } = added;
  const path = join(root, "wrangler.toml");
  const before = readToml(options);
  if (dryRun) {
    const migrations = migrationsIn(join(root, added.migrations)).join(", ");
    say(`would bind   ${binding} to the database ${database} in wrangler.toml`);
    say(added.would);
    say(`would create ${database}, apply ${migrations} to it, and deploy`);
    say("Nothing was changed.");
    return;
  }
  replaceFile(path, text);
  try {
    const { databases } = readDeployConfig(root);
    if (!databases.some((one) => one.binding === binding && one.name === database))
      throw new SetupProblem(
        `wrangler.toml does not bind ${binding} after the edit`,
        "add the binding yourself, then run npm run deploy",
      );
  } catch (error) {
    replaceFile(path, before);
    throw error;
  }
  say(`bound        ${binding} to the database ${database} in wrangler.toml`);
  say(added.did);
  if (deploy === null) return say(`Start npm start again: it creates and migrates ${database}.`);
  if ((await deploy()) !== 0)
    throw new SetupProblem(
      `the deployment failed; wrangler.toml already has ${name}`,
      "fix the reported error, then run npm run deploy, which continues from there; do not " +
        "run this command again, because it would add another",
    );
  say(
    `${name.charAt(0).toUpperCase()}${name.slice(1)} is ready. Keep wrangler.toml as it is now: ` +
      "every deployment binds the shards that it lists.",
  );
}
