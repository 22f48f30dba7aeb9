// A command of the command line, its actions, and the input of a run.
import type { Postern } from "../client/postern.ts";
import type { ChosenDeployment } from "./chosen-deployment.ts";
import type { CommandOutput } from "./command-output.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { Given, OptionTable } from "./given.ts";
import type { ProcessEnvironment } from "./key-file.ts";
import type { ProgramStreams } from "./program-streams.ts";

export interface CommandInput {
  readonly given: Given;
  readonly terminal: CommandOutput;
  readonly streams: ProgramStreams;
  readonly environment: ProcessEnvironment;
  /** Finds the deployment and its key. Throws a CommandFailure. */
  readonly deployment: () => ChosenDeployment;
  /** A client of that deployment. */
  readonly client: () => Postern;
}

/** Returns the exit code; undefined: 0. Throws a CommandFailure or an error of the client. */
export type CommandRun = (input: CommandInput) => Promise<ExitCode | void>;

export interface CliAction {
  readonly name: string;
  /** One sentence without its full stop. */
  readonly summary: string;
  /** The words that follow the name, such as `<id>`, or `[<folder>]` for one that may be left out. */
  readonly takes?: string;
  readonly options?: OptionTable;
  /** The question that comes first on a terminal, because the action destroys something. */
  readonly asks?: (given: Given) => string;
  readonly run: CommandRun;
}

interface Exemplified {
  /** Whole command lines. */
  readonly examples: readonly string[];
}

export interface SingleCommand extends CliAction, Exemplified {}

/** A noun with a verb for each thing that is done with it. */
export interface CommandGroup extends Exemplified {
  readonly name: string;
  readonly summary: string;
  /** The first one is run where none is named. */
  readonly actions: readonly CliAction[];
}

export type CliCommand = SingleCommand | CommandGroup;

const YES: OptionTable = { yes: { short: "y", summary: "Do not ask" } };

export function actionsOf(command: CliCommand): readonly CliAction[] {
  return "actions" in command ? command.actions : [command];
}

export function optionsOf(action: CliAction): OptionTable {
  return { ...action.options, ...(action.asks !== undefined && YES) };
}

/** The options of all of a command's actions. */
export function allOptions(command: CliCommand): OptionTable {
  return Object.assign({}, ...actionsOf(command).map(optionsOf)) as OptionTable;
}
