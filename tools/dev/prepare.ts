// Prepares a fresh clone for `npx wrangler dev` before wrangler reads its settings: writes
// .dev.vars with local secrets, and migrates the databases. The program also runs at every edit
// (prepare.mjs), when it usually has nothing to do. Its messages appear in wrangler's output.
import { join } from "node:path";
import { writeDevVars } from "./dev-vars.ts";
import { migrate } from "./migrate.ts";
import { addressesBeside } from "./find-other-stack.ts";
import { loadSecrets } from "./dev-secrets.ts";
import { ROOT, StartProblem, stateDirectory } from "./dev-settings.ts";
import { dotenv, workerSettings } from "./worker-settings.ts";
import { isFirstBuild } from "./wrangler-run.ts";

/** Wrangler's default state directory. */
const PERSIST_TO = join(ROOT, ".wrangler", "state");
const GATEWAY_TIMEOUT_MS = 1_000;

try {
  await prepare(stateDirectory(process.env));
} catch (error) {
  if (!(error instanceof StartProblem)) throw error;
  console.error(`postern: ${error.message}`);
  process.exitCode = 1;
}

async function prepare(state: string): Promise<void> {
  const addresses = addressesBeside(state);
  const devVars = writeDevVars(
    join(ROOT, ".dev.vars"),
    dotenv(workerSettings(loadSecrets(state, {}), addresses)),
  );
  if (devVars === "written")
    say("wrote .dev.vars: local settings and secrets, including ADMIN_TOKEN");
  if (
    await migrate(
      { state, persistTo: PERSIST_TO, record: join(PERSIST_TO, "migrated.json") },
      new AbortController().signal,
    )
  )
    say("migrated the databases in .wrangler/state");
  if (!isFirstBuild(PERSIST_TO)) return;
  if (devVars === "kept")
    say(".dev.vars was edited, so it stays unchanged; /healthz and the log name missing settings");
  else say(await wordsOnGateway(addresses.egress));
}

async function wordsOnGateway(egress: string): Promise<string> {
  try {
    await fetch(`${egress}/healthz`, { signal: AbortSignal.timeout(GATEWAY_TIMEOUT_MS) });
    return `mail goes to the gateway of the running stack (${egress})`;
  } catch {
    return (
      `no gateway answers at ${egress}, so mail waits in the ledger: run \`npm start\` as ` +
      "well, which brings the gateway, the inbox and DNS"
    );
  }
}

function say(line: string): void {
  console.log(`postern: ${line}`);
}
