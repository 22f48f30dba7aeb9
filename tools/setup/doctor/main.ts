// `npm run doctor`.
import { PROGRAM } from "../program-surroundings.ts";
import { runCommand } from "../run-command.ts";
import { diagnose } from "./diagnose.ts";

process.exitCode = await runCommand("doctor", diagnose, process.argv.slice(2), PROGRAM);
