// Step: every store of a deployment of the jurisdiction `eu` is in the EU, or is created there
// (docs/near-its-users.md §EU only). Other steps create databases and queues. This step creates the
// bucket, because it also writes the bucket's jurisdiction into wrangler.toml.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AccountApi } from "../account-api.ts";
import { coreDatabases } from "../deploy-config.ts";
import { type DataStore, findStores } from "../doctor/data-stores.ts";
import { member } from "../json-call.ts";
import type { Context, Step } from "../setup-context.ts";
import { replaceFile } from "../setup-file.ts";
import { SetupProblem } from "../setup-problem.ts";
import { isEu } from "./jurisdiction-arguments.ts";
import { executeSql, rowsOf } from "../account/applied-migrations.ts";

const NEEDS = "Account · Workers R2 Storage · Edit";
const BESIDE =
  "set up a second deployment with names of its own (docs/set-up.md), and let its teams send there";

export const stores: Step = {
  name: "jurisdiction",
  applies: ({ settings, config }) => isEu(settings) || config.bucket.jurisdiction !== undefined,
  plan: ({ config }) => [`create every store in the EU, ${config.bucket.name} first`],
  async run(context) {
    const { wrangler, environment, config, settings, dryRun, root } = context;
    if (!isEu(settings)) {
      keepAnswer(context, "eu");
      throw new SetupProblem(
        `wrangler.toml has the bucket ${config.bucket.name} in the jurisdiction ` +
          `${config.bucket.jurisdiction}, but JURISDICTION is any`,
        "set JURISDICTION=eu, or remove the line from wrangler.toml if nothing was created yet",
      );
    }
    const api = await AccountApi.open(wrangler, environment);
    const found = await findStores(api, config);
    const outside = found.filter(({ jurisdiction }) => jurisdiction === null);
    if (outside.length > 0) {
      keepAnswer(context, "any");
      throw await refusalOf(context, outside);
    }
    const isThere = found.some(({ kind }) => kind === "bucket");
    const isNamed = config.bucket.jurisdiction === "eu";
    if (isThere && isNamed) return { kind: "already", detail: `${found.length} stores in the EU` };
    const what = `create the bucket ${config.bucket.name} in the EU, and name its jurisdiction in wrangler.toml`;
    if (dryRun) return { kind: "would", detail: what };
    if (!isNamed) nameJurisdiction(config.path ?? join(root, "wrangler.toml"), config.bucket.name);
    if (!isThere)
      await wrangler.must(
        ["r2", "bucket", "create", config.bucket.name, "--jurisdiction", "eu"],
        NEEDS,
      );
    return {
      kind: "done",
      detail: `${config.bucket.name} is in the EU, and wrangler.toml names its jurisdiction`,
    };
  },
};

/** Stores the deployment's answer. Otherwise the next run would repeat the refused answer. */
function keepAnswer({ kept, file }: Context, answer: string): void {
  kept.settings["JURISDICTION"] = answer;
  file.save();
}

async function refusalOf(
  { wrangler, config }: Context,
  outside: readonly DataStore[],
): Promise<SetupProblem> {
  const sql = "SELECT count(*) AS mailed FROM teams WHERE first_mail IS NOT NULL";
  let mailed = 0;
  for (const core of coreDatabases(config)) {
    if (!outside.some(({ name }) => name === core.name)) continue;
    const ran = await executeSql(wrangler, core.binding, sql);
    if (ran.code === 0) mailed += Number(member(rowsOf(ran)[0], "mailed"));
  }
  const names = outside.map(({ kind, name }) => `the ${kind} ${name}`).join(", ");
  return new SetupProblem(
    `JURISDICTION is eu, but ${names} were created outside the EU, and a store never moves` +
      (mailed > 0 ? `; ${mailed} of its teams have had mail` : ""),
    mailed > 0 ? BESIDE : `delete them if they hold nothing that you need, or ${BESIDE}`,
  );
}

/** Adds the bucket's jurisdiction below its name. The operator's own lines stay. */
function nameJurisdiction(path: string, bucket: string): void {
  const text = readFileSync(path, "utf8");
  const line = `bucket_name = "${bucket}"\n`;
  if (!text.includes(line))
    throw new SetupProblem(
      `wrangler.toml has no line bucket_name = "${bucket}"`,
      'add jurisdiction = "eu" to the [[r2_buckets]] yourself, then run this again',
    );
  replaceFile(path, text.replace(line, `${line}jurisdiction = "eu"\n`));
}
