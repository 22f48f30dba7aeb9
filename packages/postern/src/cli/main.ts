// The command line `postern`: finds the command, runs it, and says in words why it failed.
import { readFileSync } from "node:fs";
import { argv, env, stderr, stdout } from "node:process";
import { Postern } from "../client/postern.ts";
import { chosenDeployment } from "./chosen-deployment.ts";
import type { CliCommand } from "./command.ts";
import { COMMANDS } from "./command-table.ts";
import { EXIT, type ExitCode, wrongUsage } from "./exit-codes.ts";
import { failureWords } from "./failure-words.ts";
import { Given } from "./given.ts";
import { commandHelp, programHelp } from "./help-text.ts";
import { CommandOutput } from "./command-output.ts";
import { knownWords } from "./nearest-word.ts";
import { printable, printableJson, printableText } from "./printable.ts";

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
      ? `${printableJson({ error: { message, ...details } })}\n`
      : `postern: ${printableText(message)}\n`,
  );
  process.exitCode = exitCode;
}

async function run([name = "help", ...rest]: readonly string[]): Promise<ExitCode> {
  if (["help", "--help", "-h"].includes(name)) return help(rest[0]);
  if (["--version", "-V", "-v"].includes(name)) return version();
  if (name.startsWith("-"))
    throw wrongUsage(`the command comes before its options: postern <command> ${name}`);
  const command = commandNamed(name);
  const given = new Given(rest, command.options ?? {});
  if (given.has("help")) return help(name);
  if (given.has("version")) return version();
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
  if (!command) {
    const names = COMMANDS.map((one) => one.name);
    throw wrongUsage(`there is no command ${name}${knownWords(name, [...names, "help"])}`);
  }
  return command;
}

/** Prints the version of the package, which lies two folders above its sources and its build. */
function version(): ExitCode {
  const about = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { version: string };
  stdout.write(`${about.version}\n`);
  return EXIT.done;
}

/** Names what the request had and the API ignored: mostly a misspelling. */
function printNotes({ headers }: Response): void {
  for (const note of NOTES) {
    const names = headers.get(note);
    if (names !== null) stderr.write(`postern: ${note}: ${printable(names)}\n`);
  }
}
