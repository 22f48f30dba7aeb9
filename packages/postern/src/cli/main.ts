// The command line `postern`: finds the command, runs it, and says in words why it failed.
import { argv, env, stderr, stdout } from "node:process";
import { Postern } from "../client/postern.ts";
import { chosenDeployment } from "./chosen-deployment.ts";
import type { CliCommand } from "./command.ts";
import { COMMANDS } from "./command-table.ts";
import { EXIT, type ExitCode, wrongUsage } from "./exit-codes.ts";
import { failureWords } from "./failure-words.ts";
import { Given } from "./given.ts";
import { commandHelp, programHelp } from "./help-text.ts";
import { printable, CommandOutput } from "./command-output.ts";

const NOTES = ["X-Ignored-Members", "X-Ignored-Parameters", "X-Missing-Variables"];

/** Ended by the reader of a pipe, such as `head`. */
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(EXIT.done);
});

const args = argv.slice(2);
try {
  process.exitCode = await run(args);
} catch (error) {
  const words = failureWords(error);
  if (!words) throw error;
  const { message, exitCode, details } = words;
  stderr.write(
    args.includes("--json")
      ? `${JSON.stringify({ error: { message, ...details } })}\n`
      : `postern: ${message.split("\n").map(printable).join("\n")}\n`,
  );
  process.exitCode = exitCode;
}

async function run([name = "help", ...rest]: readonly string[]): Promise<ExitCode> {
  if (["help", "--help", "-h"].includes(name)) return help(rest[0]);
  const command = commandNamed(name);
  const given = new Given(rest, command.options ?? {});
  if (given.has("help")) return help(name);
  const deployment = () =>
    chosenDeployment({ url: given.text("url"), key: given.text("key") }, env);
  const client = () => {
    const { url, key } = deployment();
    return new Postern(key, { baseUrl: url, onResponse: printNotes });
  };
  const terminal = new CommandOutput(given.has("json"));
  return (
    (await command.run({ given, terminal, environment: env, deployment, client })) ?? EXIT.done
  );
}

function help(name: string | undefined): ExitCode {
  const text = name === undefined ? programHelp(COMMANDS) : commandHelp(commandNamed(name));
  stdout.write(`${text}\n`);
  return EXIT.done;
}

function commandNamed(name: string): CliCommand {
  const command = COMMANDS.find((one) => one.name === name);
  if (!command)
    throw wrongUsage(
      `there is no command ${name}: ${COMMANDS.map((one) => one.name).join(", ")}, help`,
    );
  return command;
}

/** Names what the request had and the API ignored: mostly a misspelling. */
function printNotes({ headers }: Response): void {
  for (const note of NOTES) {
    const names = headers.get(note);
    if (names !== null) stderr.write(`postern: ${note}: ${names}\n`);
  }
}
