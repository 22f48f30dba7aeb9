// The options and words of a command line, read by the names that a command declares.
import { parseArgs } from "node:util";
import { wrongUsage } from "./exit-codes.ts";
import { knownWords } from "./nearest-word.ts";

interface Option {
  readonly multiple?: true;
  readonly short?: string;
  /** The placeholder of its value in the help, such as `<address>`. A switch has none. */
  readonly value?: string;
  readonly summary: string;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** The options of every command. */
export const GLOBAL_OPTIONS: OptionTable = {
  url: {
    value: "<url>",
    summary: "The deployment: else POSTERN_URL, or the last login",
  },
  key: {
    value: "<key>",
    summary: "The API key: better POSTERN_API_KEY, or postern login",
  },
  json: { summary: "Print what the API answered, as JSON" },
  help: { short: "h", summary: "Show the help of the command" },
  version: { short: "V", summary: "Show the version of postern" },
};

type Value = string | boolean | (string | boolean)[] | undefined;

export class Given {
  readonly words: readonly string[];
  readonly #values: Readonly<Record<string, Value>>;

  /**
   * Leaves out the first `names` words. Throws a CommandFailure for an option that the command does
   * not have, or a wrong value.
   */
  constructor(args: readonly string[], options: OptionTable, names = 0) {
    const known = { ...GLOBAL_OPTIONS, ...options };
    // The parser's own refusals are strict mode's, and speak of its programming interface.
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options: Object.fromEntries(Object.entries(known).map(parsedOption)),
      allowPositionals: true,
      strict: false,
      tokens: true,
    });
    for (const token of tokens) if (token.kind === "option") checkOption(token, known);
    this.words = positionals.slice(names);
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  /** Throws a CommandFailure if the option is not there. */
  needText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw wrongUsage(`--${name} is missing`);
    return value;
  }

  /** The values of an option that may be repeated. */
  repeated(name: string): readonly string[] {
    return (this.#values[name] ?? []) as readonly string[];
  }

  /** The values of an option that may be repeated, each of which may list several with commas. */
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

  /** The word at that place, which the action takes (chosen-action.ts). */
  word(index: number): string {
    return this.words[index] ?? "";
  }
}

/** The option as the parser declares it. */
function parsedOption([name, { value, multiple, short }]: [string, Option]) {
  const type = value === undefined ? ("boolean" as const) : ("string" as const);
  return [
    name,
    { type, multiple: multiple === true, ...(short !== undefined && { short }) },
  ] as const;
}

/** Throws a CommandFailure. `rawName` is the option as it was written, such as `-f`. */
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
        `--${name}=${value} if it is none`,
    );
  }
}

/** Keeps the members that are given: a request has no others. */
export function definedMembers<Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  ) as Defined<Members>;
}

/** The members, of which none is there as undefined. */
export type Defined<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};
