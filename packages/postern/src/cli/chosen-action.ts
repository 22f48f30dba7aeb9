// Finds the action that a command line names, and holds the line to the action's words and options.
import { type CliAction, type CliCommand, allOptions, optionsOf } from "./command.ts";
import { wrongUsage } from "./exit-codes.ts";
import { Given } from "./given.ts";
import { knownWords } from "./nearest-word.ts";

export interface ChosenAction {
  readonly action: CliAction;
  /** The whole name, such as `domains add`. */
  readonly title: string;
  /** The options, and the words after the action's name. */
  readonly given: Given;
}

/** Throws a CommandFailure for an unknown action and for an option that the action does not have. */
export function chosenAction(command: CliCommand, args: readonly string[]): ChosenAction {
  if (!("actions" in command))
    return {
      action: command,
      title: command.name,
      given: new Given(args, optionsOf(command)),
    };
  // Options may stand before the action, so their values have to be told from it.
  const [name] = new Given(args, allOptions(command)).words;
  const names = command.actions.map((one) => one.name);
  const action = command.actions.find((one) => one.name === (name ?? names[0]));
  if (!action) throw wrongUsage(`there is no action ${name}${knownWords(name ?? "", names)}`);
  const given = new Given(args, optionsOf(action), name === undefined ? 0 : 1);
  return { action, title: `${command.name} ${action.name}`, given };
}

/** Names of a file may be dots, which lead a request to another endpoint. */
const FILES = /folder|file/;

/** Throws a CommandFailure for a word that is missing, empty or one too many. */
export function checkWords({ action, title, given: { words } }: ChosenAction): void {
  const places = (action.takes ?? "").match(/\[?<[^>]+>/g) ?? [];
  const missing = places[words.length];
  const empty = places.find((one, at) => /^\.{0,2}$/.test(words[at] ?? "-") && !FILES.test(one));
  const form = `postern ${title} ${action.takes ?? ""}`.trimEnd();
  if (missing?.startsWith("<")) throw wrongUsage(`${missing} is missing: ${form}`);
  if (empty !== undefined) throw wrongUsage(`${empty} can't be empty or dots: ${form}`);
  const stray = words[places.length];
  if (stray !== undefined) throw wrongUsage(`${stray} is one word too many: ${form}`);
}
