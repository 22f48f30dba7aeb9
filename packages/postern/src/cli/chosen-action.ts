// The action of a command that has several, such as `add` of `postern domains add`.
import type { CommandInput } from "./command.ts";
import { type ExitCode, wrongUsage } from "./exit-codes.ts";
import { knownWords } from "./nearest-word.ts";

export type Actions = Readonly<Record<string, (input: CommandInput) => Promise<ExitCode | void>>>;

/** Runs the action that the first word names; without a word the first one. */
export function runAction(actions: Actions, input: CommandInput): Promise<ExitCode | void> {
  const names = Object.keys(actions);
  const name = input.given.words[0] ?? names[0] ?? "";
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (!action) throw wrongUsage(`there is no action ${name}${knownWords(name, names)}`);
  return action(input);
}
