// Checks the Cloudflare account of the deployment (docs/doctor.md): the login's rights, the queues,
// and the migrations. No other worker may read from the deployment's queues, and every migration
// must be applied.
import { NEEDS_D1, pendingMigrations } from "../account/applied-migrations.ts";
import type { Database } from "../deploy-config.ts";
import { missingProducts, PRODUCTS, takenQueues } from "../account/product-needs.ts";
import { CallProblem } from "../setup-problem.ts";
import type { AccountLogin, LogIn } from "./account-login.ts";
import { critical, type CheckResult, type CheckResults, ok, notKnown } from "./check-result.ts";

const RIGHTS = "account.rights";
const QUEUES = "account.queues";
const MIGRATIONS = "account.migrations";
const NO_DATABASE = /couldn't find a D1 DB/i;

type OpenLogin = Extract<AccountLogin, { kind: "in" }>;

export async function checkAccount(login: LogIn): Promise<CheckResults> {
  const found = await login();
  if (found.kind === "out")
    return notKnown(
      "account",
      `rights, queues and migrations: ${found.reason} (npx wrangler login)`,
    );
  const groups = await Promise.all([
    unlessRefused(RIGHTS, () => checkRights(found)),
    unlessRefused(QUEUES, () => checkQueues(found)),
    ...found.config.databases.map((database) =>
      unlessRefused(MIGRATIONS, () => checkMigrations(found, database)),
    ),
  ]);
  return groups.flat();
}

/**
 * Returns the results of `look`. If the login lacks a permission or the API does not answer, the
 * check is skipped, because the deployment is not at fault.
 */
export async function unlessRefused(
  check: string,
  look: () => Promise<CheckResults>,
): Promise<CheckResults> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof CallProblem)) throw error;
    return notKnown(check, `could not be read: ${error.message}; ${error.mend}`);
  }
}

async function checkRights({ api }: OpenLogin): Promise<CheckResults> {
  const missing = await missingProducts(api);
  if (missing.length === 0) return ok(RIGHTS, `the login may use ${PRODUCTS}`);
  return missing.map(({ says, mend }) => critical(RIGHTS, says, mend));
}

async function checkQueues({ api, config }: OpenLogin): Promise<CheckResults> {
  const taken = await takenQueues(api, config);
  if (taken.length === 0) return ok(QUEUES, `only ${config.worker} reads from its queues`);
  return taken.map(({ says, mend }) =>
    critical(QUEUES, `${says}: that worker delivers this deployment's mail`, mend),
  );
}

async function checkMigrations({ wrangler }: OpenLogin, database: Database): Promise<CheckResult> {
  const { name } = database;
  try {
    const pending = await pendingMigrations(wrangler, database);
    if (pending.length === 0) return ok(MIGRATIONS, `${name} has the present schema`);
    return critical(
      MIGRATIONS,
      `${name} lacks ${pending.join(", ")}, so the worker refuses all work (D1: no such table or ` +
        "column, 7500)",
      "npm run setup or npm run deploy applies them",
    );
  } catch (error) {
    if (!(error instanceof CallProblem) || !NO_DATABASE.test(error.message)) throw error;
    const mend = `npm run setup makes it; the login needs ${NEEDS_D1}`;
    return critical(MIGRATIONS, `the account has no database ${name} (7404)`, mend);
  }
}
