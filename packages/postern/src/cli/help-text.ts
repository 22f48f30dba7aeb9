// The help: of the program, and of each command with its options and examples.
import type { CliCommand } from "./command.ts";
import { GLOBAL_OPTIONS, type OptionTable } from "./given.ts";
import { tableLines } from "./command-output.ts";

const INDENT = "  ";

export function programHelp(commands: readonly CliCommand[]): string {
  return [
    "postern: transactional email from the command line",
    "",
    ...section("Usage", ["postern <command> [options]"]),
    ...section("Commands", rows(commands.map(({ name, summary }) => [name, summary]))),
    ...section("Options of every command", optionRows(GLOBAL_OPTIONS)),
    "`postern <command> --help` shows the rest, with examples.",
  ].join("\n");
}

export function commandHelp({ summary, usage, options = {}, examples }: CliCommand): string {
  const own = optionRows(options);
  return [
    `${summary}.`,
    "",
    ...section(
      "Usage",
      usage.map((form) => `postern ${form}`),
    ),
    ...(own.length > 0 ? section("Options", own) : []),
    ...section("Options of every command", optionRows(GLOBAL_OPTIONS)),
    ...section("Examples", examples),
  ]
    .join("\n")
    .trimEnd();
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [`${title}:`, ...lines.map((line) => INDENT + line), ""];
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
function rows(pairs: readonly (readonly [string, string] | readonly string[])[]) {
  return pairs.length === 0 ? [] : tableLines(["", ""], pairs).slice(1);
}
