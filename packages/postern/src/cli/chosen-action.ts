// Finds the action that a command line names, and checks its arguments and options against the
// action.
import { type CliAction, type CliCommand, allOptions, optionsOf } from "./command.ts";
import { wrongUsage } from "./exit-codes.ts";
import { ParsedArguments } from "./parsed-arguments.ts";
import { knownWords } from "./nearest-word.ts";

type ChosenAction = ReturnType<typeof chosenAction>;

/**
 * Returns the action, its full name such as `domains add`, and its options and arguments. Throws a
 * CommandFailure for an unknown action and for an option that the action does not have.
 */
export function chosenAction(command: CliCommand, args: readonly string[]) {
  if (!("actions" in command)) {
    const action: CliAction = command;
    return { action, title: command.name, given: new ParsedArguments(args, optionsOf(command)) };
  }
  // Options may come before the action, so their values must not be read as the action.
  const [name] = new ParsedArguments(args, allOptions(command)).positionals;
  const names = command.actions.map((one) => one.name);
  const action = command.actions.find((one) => one.name === (name ?? names[0]));
  if (!action) throw wrongUsage(`there is no action ${name}${knownWords(name ?? "", names)}`);
  const given = new ParsedArguments(args, optionsOf(action), name === undefined ? 0 : 1);
  return { action, title: `${command.name} ${action.name}`, given };
}

/**
 * Matches the names of arguments for files, which may be `.` or `..`. All other arguments become
 * parts of a URL's path, where dots would lead to another endpoint.
 */
const FILES = /folder|file/;

/** Throws a CommandFailure for a missing, empty or surplus argument. */
export function checkCommandArguments({
  action,
  title,
  given: { positionals },
}: ChosenAction): void {
  const expected = (action.takes ?? "").match(/\[?<[^>]+>/g) ?? [];
  const missing = expected[positionals.length];
  const empty = expected.find(
    (one, at) => /^\.{0,2}$/.test(positionals[at] ?? "-") && !FILES.test(one),
  );
  const form = `postern ${title} ${action.takes ?? ""}`.trimEnd();
  if (missing?.startsWith("<")) throw wrongUsage(`${missing} is missing: ${form}`);
  if (empty !== undefined) throw wrongUsage(`${empty} can't be empty or dots: ${form}`);
  const stray = positionals[expected.length];
  if (stray !== undefined) throw wrongUsage(`${stray} is one word too many: ${form}`);
}
