// Runs an action that makes one request or reads one list, and prints the answer: the API's JSON,
// or lines and tables.
import type { Postern } from "../client/postern.ts";
import type { CommandInput, CommandRun } from "./command.ts";
import { type Cell, tableLines } from "./command-output.ts";
import { EXIT } from "./exit-codes.ts";
import type { ParsedArguments } from "./parsed-arguments.ts";

/** Maps a column's heading to the function that makes the column's cell for an item. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => Cell>>;

const PAGE = 100;

/** Prints the answer of a call. The exit code is 1 if `isFine` returns false. */
export function requestRun<Answer>(
  call: (client: Postern, given: ParsedArguments, input: CommandInput) => Promise<Answer>,
  lines: (answer: Answer, given: ParsedArguments) => readonly string[],
  isFine: (answer: Answer) => boolean = () => true,
): CommandRun {
  return async (input) => {
    const answer = await call(input.client(), input.given, input);
    input.terminal.show(answer, () => lines(answer, input.given));
    return isFine(answer) ? EXIT.done : EXIT.failed;
  };
}

/** Deletes the object that the action's argument names. The API's answer has no body. */
export function deleteRun(call: (client: Postern, id: string) => Promise<void>): CommandRun {
  return async ({ client, given, terminal }) => {
    const id = given.positional(0);
    await call(client(), id);
    terminal.show({ id }, () => [`Deleted: ${id}.`]);
  };
}

/**
 * Prints a list as one array. `--limit`, if the action has this option, limits the number of items.
 */
export function listRun<Item>(
  columns: Columns<Item>,
  items: (client: Postern, given: ParsedArguments, limit: number) => AsyncIterable<Item>,
  most = Infinity,
): CommandRun {
  return async ({ client, given, terminal }) => {
    const limit = given.count("limit", most);
    const page = Math.max(1, Math.min(limit, PAGE));
    const found = await firstOf(items(client(), given, page), limit);
    terminal.show(found, () => table(columns, found));
  };
}

export async function firstOf<Item>(items: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const found: Item[] = [];
  if (most === 0) return found;
  for await (const item of items) if (found.push(item) >= most) break;
  return found;
}

export function table<Item>(columns: Columns<Item>, items: readonly Item[]): readonly string[] {
  const cells = Object.values(columns);
  return tableLines(
    Object.keys(columns),
    items.map((item) => cells.map((cell) => cell(item))),
  );
}
