// The command line `postern`: finds the command, runs it, and explains a failure.
import { readFileSync } from "node:fs";
import { Postern } from "../client/postern.ts";
import { chosenDeployment } from "./chosen-deployment.ts";
import { checkCommandArguments, chosenAction } from "./chosen-action.ts";
import type { CliCommand } from "./command.ts";
import { CommandOutput } from "./command-output.ts";
import { COMMANDS } from "./command-table.ts";
import { CommandFailure, EXIT, type ExitCode, wrongUsage } from "./exit-codes.ts";
import { failureText } from "./failure-text.ts";
import { actionHelp, commandHelp, programHelp } from "./help-text.ts";
import { printWarnings } from "./ignored-warnings.ts";
import type { ProcessEnvironment } from "./key-file.ts";
import { knownWords } from "./nearest-word.ts";
import { printableJson, printableText } from "./printable.ts";
import { type ProgramStreams, promptsOn } from "./program-streams.ts";

export interface ProgramSurroundings extends ProgramStreams {
  readonly environment: ProcessEnvironment;
}

/** Runs a command line. Throws only for a bug in this program. */
export async function runCommandLine(
  args: readonly string[],
  surroundings: ProgramSurroundings,
): Promise<ExitCode> {
  try {
    return await run(args, surroundings);
  } catch (error) {
    const words = failureText(error);
    if (!words) throw error;
    const { message, exitCode, details } = words;
    surroundings.errors.write(
      args.includes("--json")
        ? `${printableJson({ error: { message, ...details } })}\n`
        : `postern: ${printableText(message)}\n`,
    );
    return exitCode;
  }
}

async function run(
  [name = "help", ...rest]: readonly string[],
  { environment, ...streams }: ProgramSurroundings,
): Promise<ExitCode> {
  const print = (text: string): ExitCode => {
    streams.output.write(`${text}\n`);
    return EXIT.done;
  };
  if (["help", "--help", "-h"].includes(name)) return print(help(rest));
  if (["--version", "-V", "-v"].includes(name)) return print(version());
  if (name.startsWith("-"))
    throw wrongUsage(`the command comes before its options: postern <command> ${name}`);
  const chosen = chosenAction(commandNamed(name), rest);
  const { given, action } = chosen;
  if (given.has("help")) return print(help([name, ...rest]));
  if (given.has("version")) return print(version());
  checkCommandArguments(chosen);
  const deployment = () =>
    chosenDeployment({ url: given.text("url"), key: given.text("key") }, environment);
  const client = () => {
    const { url, key } = deployment();
    const onResponse = (response: Response) => printWarnings(response, streams.errors);
    return new Postern(key, { baseUrl: url, onResponse });
  };
  if (action.asks !== undefined && streams.input.isTTY && !given.has("yes"))
    await askFirst(action.asks(given), deployment().url, streams);
  const terminal = new CommandOutput(given.has("json"), streams);
  const ended = await action.run({ given, terminal, streams, environment, deployment, client });
  return ended ?? EXIT.done;
}

/**
 * Asks for confirmation before a destructive action. Throws a CommandFailure if the answer is not
 * yes.
 */
async function askFirst(question: string, url: string, streams: ProgramStreams): Promise<void> {
  const { ask, end } = promptsOn(streams);
  const answer = await ask(printableText(`${question} (${url}) [y/N] `)).finally(end);
  if (!/^y(?:es)?$/i.test(answer)) throw new CommandFailure("nothing was done", EXIT.failed);
}

/** Returns the help of the program, or of the command or action that the words name. */
function help([name, ...rest]: readonly string[]): string {
  if (name === undefined) return programHelp(COMMANDS);
  const command = commandNamed(name);
  const isOfAction = "actions" in command && rest.some((word) => !word.startsWith("-"));
  if (!isOfAction) return commandHelp(command);
  const { action, title } = chosenAction(command, rest);
  return actionHelp(action, title, command.examples);
}

function commandNamed(name: string): CliCommand {
  const command = COMMANDS.find((one) => one.name === name);
  if (!command) {
    const names = COMMANDS.map((one) => one.name);
    throw wrongUsage(`there is no command ${name}${knownWords(name, [...names, "help"])}`);
  }
  return command;
}

/**
 * Reads the version from the package's folder, which is two levels above both the sources and the
 * build.
 */
function version(): string {
  const about = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { version: string };
  return about.version;
}
