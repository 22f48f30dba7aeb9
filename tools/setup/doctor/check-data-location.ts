// Checks where the data of a deployment of the jurisdiction `eu` is stored (docs/near-its-users.md
// §EU only). The worker reports on its objects, and the Cloudflare account on each store.
import { type DataStore, findStores } from "./data-stores.ts";
import type { LogIn } from "./account-login.ts";
import { unlessRefused } from "./check-account.ts";
import type { Deployment } from "./check-worker.ts";
import { critical, type CheckResult, type CheckResults, ok, notKnown } from "./check-result.ts";

const KINDS = { database: "databases", bucket: "the bucket", queue: "queues" } as const;

export async function checkDataLocation(
  deployment: Deployment | null,
  login: LogIn,
): Promise<CheckResult[]> {
  if (deployment === null) return [];
  const { jurisdiction = null, teams_elsewhere: elsewhere = 0 } = deployment;
  const moved = elsewhere === 0 ? [] : [judgeTeams(jurisdiction ?? "any", elsewhere)];
  if (jurisdiction !== "eu") return moved;
  return [...moved, judgeObjects(deployment.object_jurisdiction), await checkStores(login)].flat();
}

function judgeTeams(jurisdiction: string, elsewhere: number): CheckResult {
  return critical(
    "data.teams",
    `JURISDICTION is ${jurisdiction}, but ${elsewhere} teams sent their first mail under another ` +
      "jurisdiction, so their sends are refused",
    "set JURISDICTION to its earlier value, and deploy (npm run setup)",
  );
}

function judgeObjects(said: string | null | undefined): CheckResult {
  const check = "data.objects";
  if (said === "eu") return ok(check, "an object says that it is in the EU");
  const what = `an object says ${said ?? "no jurisdiction"}`;
  return critical(check, what, "deploy a new version: npm run deploy");
}

async function checkStores(login: LogIn): Promise<CheckResults> {
  const found = await login();
  if (found.kind === "out")
    return notKnown("data.stores", `not looked up: ${found.reason} (npx wrangler login)`);
  return unlessRefused("data.stores", async () => {
    const stores = await findStores(found.api, found.config);
    return (["database", "bucket", "queue"] as const).map((kind) =>
      judgeStores(
        kind,
        stores.filter((store) => store.kind === kind),
      ),
    );
  });
}

function judgeStores(kind: keyof typeof KINDS, stores: readonly DataStore[]): CheckResult {
  const check = `data.${kind}s`;
  const named = (some: readonly DataStore[]) => some.map(({ name }) => name).join(", ");
  const outside = stores.filter(({ jurisdiction }) => jurisdiction !== "eu");
  const untold = outside.filter(({ jurisdiction }) => jurisdiction === undefined);
  if (outside.length > untold.length)
    return critical(
      check,
      `outside the EU: ${named(outside.filter((one) => !untold.includes(one)))}`,
      "a store never moves: set up a second deployment (docs/near-its-users.md, EU only)",
    );
  if (untold.length > 0 || stores.length === 0)
    return notKnown(check, `Cloudflare does not report where ${named(untold) || KINDS[kind]} is`);
  return ok(check, `in the EU: ${named(stores)}`);
}
