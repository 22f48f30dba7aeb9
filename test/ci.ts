// `npm run ci`: runs in turn the commands that examine the repository, the tests, and the browser
// tests. The tests include a chaos campaign. The bench starts the parts that most benches share:
// worker, gateway, mail servers, webhooks and clients. If the machine has no Chromium, the browser
// tests are left out.
import { findChromium, HOW_TO_INSTALL } from "./browser/machine-chromium.ts";
import { findLastVersion } from "./e2e/last-version.ts";
import { ENDING_SIGNALS } from "../tools/harness/process-table.ts";
import { expectLoad } from "../tools/harness/slowness.ts";
import { type Command, runSideBySide } from "./side-by-side.ts";

/** The workers of one run share the machine, so a test takes about three times as long as alone. */
const LOAD = 3;

const hasChromium = findChromium() !== null;
const node = (name: string, ...args: string[]): Command => ({
  name,
  program: process.execPath,
  args,
});
/** The commands of a stage run at once. A stage begins when the stage before it has ended. */
const stages: readonly (readonly Command[])[] = [
  [
    { name: "check", program: "npm", args: ["run", "check"] },
    // `npm run package` tries the package with the runtimes that this command does not install.
    node("release", "tools/release/main.ts", "--dry-run", "--allow-dirty", "--untried"),
    node("bench", "tools/bench/main.ts", "load", "--smoke"),
  ],
  [node("test", "test/run.ts", "--project=!browser")],
  // A page has to react in the time in which a person would, so the browser runs by itself, and
  // with few windows.
  hasChromium ? [node("browser", "test/run.ts", "--project=browser", "--maxWorkers=3")] : [],
];

if (!hasChromium)
  process.stdout.write(`LEFT OUT: the tests in the browser, because ${HOW_TO_INSTALL}\n`);
if (findLastVersion() === null)
  process.stdout.write(
    "LEFT OUT: the upgrade, because this clone lacks the last version's commit (git fetch --unshallow)\n",
  );
expectLoad(LOAD);
let isInterrupted = false;
for (const signal of ENDING_SIGNALS)
  process.once(signal, () => {
    isInterrupted = true;
  });
const failed: string[] = [];
for (const stage of stages)
  if (!isInterrupted)
    failed.push(...(await runSideBySide(stage, (text) => void process.stdout.write(text))));
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
