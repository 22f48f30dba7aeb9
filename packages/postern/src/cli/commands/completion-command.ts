// `postern completion`: prints a shell's completion script, generated from the table of commands.
import { actionsOf, allOptions, type CliCommand, type SingleCommand } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { GLOBAL_OPTIONS } from "../parsed-arguments.ts";
import { knownWords } from "../nearest-word.ts";

type Script = (commands: readonly CliCommand[]) => string;

const SCRIPTS: Readonly<Record<string, Script>> = { bash, zsh, fish };

export function completionCommand(commands: () => readonly CliCommand[]): SingleCommand {
  return {
    name: "completion",
    summary: "Print the completion for a shell",
    takes: `<${Object.keys(SCRIPTS).join("|")}>`,
    examples: [
      'eval "$(postern completion bash)"',
      'eval "$(postern completion zsh)"',
      "postern completion fish | source",
    ],
    run: ({ given, streams }) => {
      const shell = given.positional(0);
      const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
      if (!script)
        throw wrongUsage(`no completion for ${shell}${knownWords(shell, Object.keys(SCRIPTS))}`);
      streams.output.write(script(commands()));
      return Promise.resolve();
    },
  };
}

function wordsOf(command: CliCommand): readonly string[] {
  const names = Object.keys({ ...allOptions(command), ...GLOBAL_OPTIONS });
  return [...actionNames(command), ...names.map((name) => `--${name}`)];
}

/** The words that may follow the command's name. */
function actionNames(command: CliCommand): readonly string[] {
  if (command.name === "completion") return Object.keys(SCRIPTS);
  return "actions" in command ? actionsOf(command).map(({ name }) => name) : [];
}

function bash(commands: readonly CliCommand[]): string {
  return `_postern() {
  local words
  case "\${COMP_WORDS[1]}" in
${commands.map((one) => `    ${one.name}) words="${wordsOf(one).join(" ")}" ;;\n`).join("")}    *) words="${commands.map(({ name }) => name).join(" ")} help" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${commands.map(({ name }) => name).join(" ")} help"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _postern postern
`;
}

function zsh(commands: readonly CliCommand[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const described = commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(" ");
  return `#compdef postern
_postern() {
  if (( CURRENT == 2 )); then
    local -a commands=(${described} 'help:Show the help of a command')
    _describe command commands
    return
  fi
  case "\${words[2]}" in
${commands.map((one) => `    ${one.name}) compadd -- ${wordsOf(one).join(" ")} ;;\n`).join("")}  esac
  _files
}
compdef _postern postern
`;
}

function fish(commands: readonly CliCommand[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`\'`)}'`;
  const lines = commands.flatMap((command) => [
    `complete -c postern -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.summary)}`,
    ...actionNames(command).map(
      (action) =>
        `complete -c postern -n '__fish_seen_subcommand_from ${command.name}' -f -a ${action}`,
    ),
    ...Object.entries({ ...allOptions(command), ...GLOBAL_OPTIONS }).map(
      ([option, { summary: words, value }]) =>
        `complete -c postern -n '__fish_seen_subcommand_from ${command.name}' -l ${option}` +
        `${value === undefined ? "" : " -r"} -d ${quoted(words)}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}
