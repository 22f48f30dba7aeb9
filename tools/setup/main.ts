// `npm run setup`.
import { runCommand } from "./run-command.ts";
import { setUp } from "./set-up.ts";

process.exitCode = await runCommand("setup", setUp);
