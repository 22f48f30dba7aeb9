// The program `postern`: runs the command line with the process's arguments, environment and
// streams.
import process, { argv, env, stderr, stdin, stdout } from "node:process";
import { runCommandLine } from "./command-line.ts";
import { EXIT } from "./exit-codes.ts";

/** The program that reads the output, such as `head`, has closed the pipe. */
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(EXIT.done);
});

process.exitCode = await runCommandLine(argv.slice(2), {
  environment: env,
  input: stdin,
  output: stdout,
  errors: stderr,
  signals: process,
});
