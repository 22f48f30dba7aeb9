// The help texts: of the program, of each command, and of each action with its options.
import { type CliAction, type CliCommand, optionsOf } from "./command.ts";
import { GLOBAL_OPTIONS, type OptionTable } from "./parsed-arguments.ts";
import { tableLines } from "./command-output.ts";

const INDENT = "  ";
/** A usage line names at most this many options one by one. */
const FEW = 4;

export function programHelp(commands: readonly CliCommand[]): string {
  return page([
    "postern: transactional email from the command line",
    "",
    ...section("Usage", ["postern <command> [options]"]),
    ...section("Commands", rows(commands.map(({ name, summary }) => [name, summary]))),
    ...section("Options of every command", optionRows(GLOBAL_OPTIONS)),
    "`postern <command> --help` shows a command's options and examples.",
  ]);
}

export function commandHelp(command: CliCommand): string {
  if (!("actions" in command)) return actionHelp(command, command.name, command.examples);
  const { name, summary, actions, examples } = command;
  const forms = actions.map((one) => [`${one.name} ${one.takes ?? ""}`.trimEnd(), one.summary]);
  return page([
    `${summary}.`,
    "",
    ...section("Usage", [`postern ${name} <action> [options]`]),
    ...section("Actions", rows(forms)),
    ...section("Options of every command", optionRows(GLOBAL_OPTIONS)),
    ...section("Examples", examples),
    `Default action: ${actions[0]?.name}. ` +
      `\`postern ${name} <action> --help\` shows an action's options.`,
  ]);
}

/** `title`: the full name of the action, such as `domains add`. */
export function actionHelp(action: CliAction, title: string, examples: readonly string[]): string {
  const options = optionsOf(action);
  return page([
    `${action.summary}.`,
    "",
    ...section("Usage", [formOf(title, action, options)]),
    ...section("Options", optionRows(options)),
    ...section("Options of every command", optionRows(GLOBAL_OPTIONS)),
    ...section(
      "Examples",
      examples.filter((one) => one.includes(`postern ${title}`)),
    ),
  ]);
}

function formOf(title: string, { takes = "" }: CliAction, options: OptionTable): string {
  const named = Object.entries(options).map(
    ([name, { value }]) => `[--${name}${value === undefined ? "" : ` ${value}`}]`,
  );
  return ["postern", title, takes, ...(named.length > FEW ? ["[options]"] : named)]
    .filter((part) => part !== "")
    .join(" ");
}

function page(lines: readonly string[]): string {
  return lines.join("\n").trimEnd();
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => INDENT + line), ""];
}

function optionRows(options: OptionTable): readonly string[] {
  return rows(
    Object.entries(options).map(([name, { value, short, multiple, summary }]) => [
      [
        `${short === undefined ? "" : `-${short}, `}--${name}`,
        ...(value === undefined ? [] : [value]),
      ].join(" "),
      multiple ? `${summary} (may be repeated)` : summary,
    ]),
  );
}

/** Aligns two columns without headings. */
function rows(pairs: readonly (readonly string[])[]): readonly string[] {
  return pairs.length === 0 ? [] : tableLines(["", ""], pairs).slice(1);
}
