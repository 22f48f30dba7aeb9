// `npm run setup`.
import { PROGRAM } from "./program-surroundings.ts";
import { runCommand } from "./run-command.ts";
import { setUp } from "./set-up.ts";

process.exitCode = await runCommand("setup", setUp, process.argv.slice(2), PROGRAM);
