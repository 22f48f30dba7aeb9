// A command of the command line, and the input of its run.
import type { Postern } from "../client/postern.ts";
import type { ChosenDeployment } from "./chosen-deployment.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { Given, OptionTable } from "./given.ts";
import type { ProcessEnvironment } from "./key-file.ts";
import type { CommandOutput } from "./command-output.ts";

export interface CommandInput {
  readonly given: Given;
  readonly terminal: CommandOutput;
  readonly environment: ProcessEnvironment;
  /** Finds the deployment and its key. Throws a CommandFailure. */
  readonly deployment: () => ChosenDeployment;
  /** A client of that deployment. */
  readonly client: () => Postern;
}

export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  /** The forms of the command, without the program's name. */
  readonly usage: readonly string[];
  /** The words that may follow its name: for the completion. */
  readonly actions?: readonly string[];
  readonly options?: OptionTable;
  /** Whole command lines. */
  readonly examples: readonly string[];
  /** Returns the exit code; undefined: 0. Throws a CommandFailure or an error of the client. */
  readonly run: (input: CommandInput) => Promise<ExitCode | void>;
}
