// `npm run shard -- add`: adds one shard (docs/scaling.md). wrangler.toml is changed first, because
// wrangler finds a database by its binding. The deployment then creates the database, migrates it
// and binds it, so no worker runs before the tables exist.
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDeployConfig } from "../setup/deploy-config.ts";
import { SetupProblem } from "../setup/setup-problem.ts";
import { withNextShard } from "./wrangler-toml.ts";

export interface ShardOptions {
  /** The project's root. */
  readonly root: string;
  readonly dryRun: boolean;
  readonly say: (line: string) => void;
  /** Deploys. Resolves with the exit code of `npm run deploy`. */
  readonly deploy: () => Promise<number>;
}

/** Throws a SetupProblem if the shard can't be added. */
export async function addShard({ root, dryRun, say, deploy }: ShardOptions): Promise<void> {
  const path = join(root, "wrangler.toml");
  const before = readFileSync(path, "utf8");
  const { shard, binding, database, text } = withNextShard(before);
  if (dryRun) {
    const migrations = readdirSync(join(root, "migrations/shard")).filter((file) =>
      file.endsWith(".sql"),
    );
    say(`would bind   ${binding} to the database ${database} in wrangler.toml`);
    say(
      `would set SHARDS_FOR_NEW_TEAMS = "${shard}" in wrangler.toml: new teams go only to shard ${shard}`,
    );
    say(`would create ${database}, apply ${migrations.toSorted().join(", ")} to it, and deploy`);
    say("Nothing was changed.");
    return;
  }
  replaceFile(path, text);
  try {
    if (
      !readDeployConfig(root).databases.some(
        (one) => one.binding === binding && one.name === database,
      )
    )
      throw new SetupProblem(
        `wrangler.toml does not bind ${binding} after the edit`,
        "add the binding yourself, then run npm run deploy",
      );
  } catch (error) {
    replaceFile(path, before);
    throw error;
  }
  say(`bound        ${binding} to the database ${database} in wrangler.toml`);
  say(`set SHARDS_FOR_NEW_TEAMS = "${shard}": new teams go only to shard ${shard}`);
  if ((await deploy()) !== 0)
    throw new SetupProblem(
      `the deployment failed; wrangler.toml already has shard ${shard}`,
      "fix the reported error, then run npm run deploy, which continues from there; do not " +
        "run this command again, because it would add another shard",
    );
  say(
    `Shard ${shard} is ready. Keep wrangler.toml as it is now: every deployment binds the ` +
      "shards that it lists.",
  );
}

function replaceFile(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, text);
  renameSync(fresh, path);
}
