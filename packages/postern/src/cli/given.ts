// The options and words of a command line, read by the names that a command declares.
import { parseArgs } from "node:util";
import { wrongUsage } from "./exit-codes.ts";

interface Option {
  readonly type: "string" | "boolean";
  readonly multiple?: true;
  readonly short?: string;
  /** The placeholder of its value in the help, such as `<address>`. */
  readonly value?: string;
  readonly summary: string;
}

export type OptionTable = Readonly<Record<string, Option>>;

/** The options of every command. */
export const GLOBAL_OPTIONS: OptionTable = {
  url: {
    type: "string",
    value: "<url>",
    summary: "The deployment: else POSTERN_URL, or the last login",
  },
  key: {
    type: "string",
    value: "<key>",
    summary: "The API key: better POSTERN_API_KEY, or postern login",
  },
  json: { type: "boolean", summary: "Print what the API answered, as JSON" },
  help: { type: "boolean", short: "h", summary: "Show the help of the command" },
};

type Value = string | boolean | (string | boolean)[] | undefined;

export class Given {
  readonly words: readonly string[];
  readonly #values: Readonly<Record<string, Value>>;

  /** Throws a CommandFailure for an option that the command does not have. */
  constructor(args: readonly string[], options: OptionTable) {
    try {
      const { values, positionals } = parseArgs({
        args: [...args],
        options: { ...GLOBAL_OPTIONS, ...options },
        allowPositionals: true,
      });
      this.words = positionals;
      this.#values = values;
    } catch (error) {
      throw wrongUsage((error as Error).message);
    }
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

  /** The values of an option that may be repeated, each of which may list several with commas. */
  texts(name: string): readonly string[] {
    const values = (this.#values[name] ?? []) as readonly string[];
    return values.flatMap((value) => value.split(",")).map((value) => value.trim());
  }

  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Returns the word at that place, after the command's own. Throws a CommandFailure. */
  needWord(index: number, what: string): string {
    const word = this.words[index];
    if (word === undefined) throw wrongUsage(`${what} is missing`);
    return word;
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
