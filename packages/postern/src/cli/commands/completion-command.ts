// `postern completion`: prints a shell's completion, drawn from the table of commands.
import { stdout } from "node:process";
import type { CliCommand } from "../command.ts";
import { wrongUsage } from "../exit-codes.ts";
import { GLOBAL_OPTIONS } from "../given.ts";
import { knownWords } from "../nearest-word.ts";

type Script = (commands: readonly CliCommand[]) => string;

const SCRIPTS: Readonly<Record<string, Script>> = { bash, zsh, fish };

export function completionCommand(commands: () => readonly CliCommand[]): CliCommand {
  return {
    name: "completion",
    summary: "Print the completion for a shell",
    usage: Object.keys(SCRIPTS).map((shell) => `completion ${shell}`),
    actions: Object.keys(SCRIPTS),
    examples: [
      'eval "$(postern completion bash)"',
      'eval "$(postern completion zsh)"',
      "postern completion fish | source",
    ],
    run: ({ given }) => {
      const shell = given.needWord(0, "the shell");
      const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
      if (!script)
        throw wrongUsage(`no completion for ${shell}${knownWords(shell, Object.keys(SCRIPTS))}`);
      stdout.write(script(commands()));
      return Promise.resolve();
    },
  };
}

function wordsOf({ actions = [], options = {} }: CliCommand): readonly string[] {
  const names = Object.keys({ ...options, ...GLOBAL_OPTIONS });
  return [...actions, ...names.map((name) => `--${name}`)];
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
  const lines = commands.flatMap(({ name, summary, actions = [], options = {} }) => [
    `complete -c postern -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...actions.map(
      (action) => `complete -c postern -n '__fish_seen_subcommand_from ${name}' -f -a ${action}`,
    ),
    ...Object.entries({ ...options, ...GLOBAL_OPTIONS }).map(
      ([option, { summary: words, type }]) =>
        `complete -c postern -n '__fish_seen_subcommand_from ${name}' -l ${option}` +
        `${type === "string" ? " -r" : ""} -d ${quoted(words)}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}
