// A command of the command line, its actions, and the input of a run.
import type { Postern } from "../client/postern.ts";
import type { ChosenDeployment } from "./chosen-deployment.ts";
import type { CommandOutput } from "./command-output.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { ParsedArguments, OptionTable } from "./parsed-arguments.ts";
import type { ProcessEnvironment } from "./key-file.ts";
import type { ProgramStreams } from "./program-streams.ts";

export interface CommandInput {
  readonly given: ParsedArguments;
  readonly terminal: CommandOutput;
  readonly streams: ProgramStreams;
  readonly environment: ProcessEnvironment;
  /** Finds the deployment and its key. Throws a CommandFailure if one of them is missing. */
  readonly deployment: () => ChosenDeployment;
  /** A client for that deployment. */
  readonly client: () => Postern;
}

/** Returns the exit code; undefined means 0. Throws for a wrong command line or a failed call. */
export type CommandRun = (input: CommandInput) => Promise<ExitCode | void>;

export interface CliAction {
  readonly name: string;
  /** One sentence without a full stop. */
  readonly summary: string;
  /**
   * The arguments after the name, such as `<id>`. An optional argument has brackets: `[<folder>]`.
   */
  readonly takes?: string;
  readonly options?: OptionTable;
  /** The confirmation that a terminal shows before a destructive action. */
  readonly asks?: (given: ParsedArguments) => string;
  readonly run: CommandRun;
}

interface Exemplified {
  /** Whole command lines. */
  readonly examples: readonly string[];
}

export interface SingleCommand extends CliAction, Exemplified {}

/** A command with several actions, such as `domains add` and `domains verify`. */
export interface CommandGroup extends Exemplified {
  readonly name: string;
  readonly summary: string;
  /** The first action runs if the command line names no action. */
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

export function allOptions(command: CliCommand): OptionTable {
  return Object.assign({}, ...actionsOf(command).map(optionsOf)) as OptionTable;
}
