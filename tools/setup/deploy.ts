// `npm run deploy`.
import { runCommand } from "./run-command.ts";
import { deployVersion } from "./deploy-version.ts";

process.exitCode = await runCommand("deploy", deployVersion);
