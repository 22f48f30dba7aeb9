// `npm run ci`: runs the checks, a release without publishing, a small bench, and the tests at
// once, then the browser tests; the tests include a chaos campaign. The bench starts the parts that most benches share:
// worker, gateway, mail servers, webhooks and clients. The output of the tests is printed last if
// the other commands end first. Without a Chromium, the browser tests are skipped.
import { findChromium, HOW_TO_INSTALL } from "./browser/machine-chromium.ts";
import { findLastVersion } from "./e2e/last-version.ts";
import { expectLoad } from "../tools/harness/slowness.ts";
import { type Command, runSideBySide } from "./side-by-side.ts";

/** The commands run at once, and each takes about this many times as long as by itself. */
const SIDE_BY_SIDE_TAKES = 3;

const hasChromium = findChromium() !== null;
const browser: Command = {
  name: "browser",
  program: process.execPath,
  // More windows at once would only slow each other down.
  args: ["test/run.ts", "--project=browser", "--maxWorkers=3"],
};
const commands: readonly Command[] = [
  { name: "check", program: "npm", args: ["run", "check"] },
  // `npm run package` tries the package with the runtimes that this command does not install.
  {
    name: "release",
    program: process.execPath,
    args: ["tools/release/main.ts", "--dry-run", "--allow-dirty", "--untried"],
  },
  { name: "bench", program: process.execPath, args: ["tools/bench/main.ts", "load", "--smoke"] },
  { name: "test", program: process.execPath, args: ["test/run.ts", "--project=!browser"] },
];

if (!hasChromium)
  process.stdout.write(`LEFT OUT: the tests in the browser, because ${HOW_TO_INSTALL}\n`);
if (findLastVersion() === null)
  process.stdout.write(
    "LEFT OUT: the upgrade, because this clone lacks the last version's commit (git fetch --unshallow)\n",
  );
expectLoad(SIDE_BY_SIDE_TAKES);
const print = (text: string): void => void process.stdout.write(text);
const failed = await runSideBySide(commands, print);
// A page has to react in the time in which a person would, so the browser runs by itself.
if (hasChromium) failed.push(...(await runSideBySide([browser], print)));
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
