// Reads a command line's options and positional arguments, by the names that the command declares.
import { parseArgs } from "node:util";
import { wrongUsage } from "./exit-codes.ts";
import { knownWords } from "./nearest-word.ts";

interface Option {
  readonly multiple?: true;
  readonly short?: string;
  /** The placeholder of the option's value in the help, such as `<address>`. A switch has none. */
  readonly value?: string;
  readonly summary: string;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** The options of every command. */
export const GLOBAL_OPTIONS: OptionTable = {
  url: { value: "<url>", summary: "The deployment's URL; default: POSTERN_URL, or the last login" },
  key: { value: "<key>", summary: "The API key; POSTERN_API_KEY or postern login is safer" },
  json: { summary: "Print the API's answer as JSON" },
  help: { short: "h", summary: "Show the help of the command" },
  version: { short: "V", summary: "Show the version of postern" },
};

type Value = string | boolean | (string | boolean)[] | undefined;

export class ParsedArguments {
  readonly positionals: readonly string[];
  readonly #values: Readonly<Record<string, Value>>;

  /**
   * Parses `args`. Leaves the first `names` positional arguments (a command's name) out of
   * `positionals`. Throws a CommandFailure for a wrong value and for an option that the command
   * does not have.
   */
  constructor(args: readonly string[], options: OptionTable, names = 0) {
    const known = { ...GLOBAL_OPTIONS, ...options };
    // Strict mode is off, because its error texts are for programmers and not for users.
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options: Object.fromEntries(Object.entries(known).map(parsedOption)),
      allowPositionals: true,
      strict: false,
      tokens: true,
    });
    for (const token of tokens) if (token.kind === "option") checkOption(token, known);
    this.positionals = positionals.slice(names);
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** Throws a CommandFailure if the option is missing. */
  needText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw wrongUsage(`--${name} is missing`);
    return value;
  }

  /** Returns the values of a repeatable option. */
  repeated(name: string): readonly string[] {
    return (this.#values[name] ?? []) as readonly string[];
  }

  /**
   * Returns the values of a repeatable option. Each value can list several, separated by commas.
   */
  texts(name: string): readonly string[] {
    return this.repeated(name)
      .flatMap((value) => value.split(","))
      .map((value) => value.trim());
  }

  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Throws a CommandFailure if the value is not JSON. */
  json(name: string): Record<string, unknown> | undefined {
    const json = this.text(name);
    try {
      return json === undefined ? undefined : (JSON.parse(json) as Record<string, unknown>);
    } catch {
      throw wrongUsage(`--${name} is not JSON`);
    }
  }

  /** Throws a CommandFailure if the value is not a whole number. */
  count(name: string, otherwise: number): number {
    const text = this.text(name);
    if (text !== undefined && !/^\d{1,6}$/.test(text))
      throw wrongUsage(`--${name} is not a number: ${text}`);
    return text === undefined ? otherwise : Number(text);
  }

  /**
   * Returns the argument at this index. The action has checked that it exists (chosen-action.ts).
   */
  positional(index: number): string {
    return this.positionals[index] ?? "";
  }
}

/** Describes the option for the parser. */
function parsedOption([name, { value, multiple, short }]: [string, Option]) {
  const type = value === undefined ? ("boolean" as const) : ("string" as const);
  return [
    name,
    { type, multiple: multiple === true, ...(short !== undefined && { short }) },
  ] as const;
}

/** Throws a CommandFailure for a wrong option. `rawName` is the option as typed, such as `-f`. */
function checkOption(
  {
    name,
    rawName,
    value,
    inlineValue,
  }: {
    readonly name: string;
    readonly rawName: string;
    readonly value?: string | undefined;
    readonly inlineValue?: boolean | undefined;
  },
  known: OptionTable,
): void {
  const option = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!option) {
    const names = Object.keys(known).map((one) => `--${one}`);
    throw wrongUsage(`Unknown option '${rawName}'${knownWords(rawName, names)}`);
  }
  if (option.value === undefined) {
    if (value !== undefined) throw wrongUsage(`${rawName} takes no value`);
  } else if (value === undefined) {
    throw wrongUsage(`${rawName} needs a value: ${rawName} ${option.value}`);
  } else if (inlineValue !== true && /^-./.test(value)) {
    throw wrongUsage(
      `${rawName} needs a value, and ${value} looks like an option: ` +
        `write --${name}=${value} to use it as the value`,
    );
  }
}

/**
 * Removes undefined and empty members, so that the request contains only the members that were
 * given.
 */
export function definedMembers<Members extends object>(members: Members): DefinedMembers<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as DefinedMembers<Members>;
}

/** The same members, but a member that may be undefined becomes optional instead. */
export type DefinedMembers<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};
