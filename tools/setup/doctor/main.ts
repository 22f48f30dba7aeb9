// `npm run doctor`.
import { runCommand } from "../run-command.ts";
import { diagnose } from "./diagnose.ts";

process.exitCode = await runCommand("doctor", diagnose);
