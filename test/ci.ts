// `npm run ci`: runs the checks, the chaos campaign and all tests at once. The output of the tests
// comes last if the others have ended before.
import { type Command, runSideBySide } from "./support/side-by-side.ts";

/** Three storms of eight rounds each. */
const CHAOS = ["chaos/main.ts", "--rounds", "24", "--at-once", "8", "--seed", "4"];

const commands: readonly Command[] = [
  { name: "check", program: "npm", args: ["run", "check"] },
  { name: "chaos", program: process.execPath, args: CHAOS },
  { name: "test", program: process.execPath, args: ["test/run.ts", "--project=!browser"] },
];

const failed = await runSideBySide(commands, (text) => process.stdout.write(text));
if (failed.length > 0) process.stderr.write(`failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
