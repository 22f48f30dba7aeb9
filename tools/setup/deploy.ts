// `npm run deploy`.
import { PROGRAM } from "./program-surroundings.ts";
import { runCommand } from "./run-command.ts";
import { deployVersion } from "./deploy-version.ts";

process.exitCode = await runCommand("deploy", deployVersion, process.argv.slice(2), PROGRAM);
