// `npm run ci`: runs the checks, a release up to its publication, a bench with the least work and
// all tests at once, among them a campaign of chaos. That bench starts what most benches share:
// worker, gateway, mail servers, webhooks and clients. The output of the tests comes last if the
// others have ended before. Without a Chromium, those in the browser are left out.
import { findChromium, HOW_TO_INSTALL } from "./browser/machine-chromium.ts";
import { findLastVersion } from "./e2e/last-version.ts";
import { type Command, runSideBySide } from "./side-by-side.ts";

const hasChromium = findChromium() !== null;
const browser: Command = {
  name: "browser",
  program: process.execPath,
  // More windows at once would only wait for each other, and for all other tests.
  args: ["test/run.ts", "--project=browser", "--maxWorkers=3"],
};
const commands: readonly Command[] = [
  { name: "check", program: "npm", args: ["run", "check"] },
  // The package is tried by `npm run package` with runtimes that this does not install.
  {
    name: "release",
    program: process.execPath,
    args: ["tools/release/main.ts", "--dry-run", "--allow-dirty", "--untried"],
  },
  { name: "bench", program: process.execPath, args: ["tools/bench/main.ts", "load", "--smoke"] },
  ...(hasChromium ? [browser] : []),
  { name: "test", program: process.execPath, args: ["test/run.ts", "--project=!browser"] },
];

if (!hasChromium)
  process.stdout.write(`LEFT OUT: the tests in the browser, because ${HOW_TO_INSTALL}\n`);
if (findLastVersion() === null)
  process.stdout.write(
    "LEFT OUT: the upgrade, because this clone lacks the last version's commit (git fetch --unshallow)\n",
  );
const failed = await runSideBySide(commands, (text) => process.stdout.write(text));
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
