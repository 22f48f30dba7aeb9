// The run of an action that makes one request, or reads one list, and shows the answer: as the
// API's JSON, or as lines and tables.
import type { Postern } from "../client/postern.ts";
import type { CommandInput, CommandRun } from "./command.ts";
import { type Cell, tableLines } from "./command-output.ts";
import { EXIT } from "./exit-codes.ts";
import type { Given } from "./given.ts";

/** Heading → cell. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => Cell>>;

const PAGE = 100;

/** Shows the answer of a call. The exit code is 1 where `isFine` says that the answer is not. */
export function answering<Answer>(
  call: (client: Postern, given: Given, input: CommandInput) => Promise<Answer>,
  lines: (answer: Answer, given: Given) => readonly string[],
  isFine: (answer: Answer) => boolean = () => true,
): CommandRun {
  return async (input) => {
    const answer = await call(input.client(), input.given, input);
    input.terminal.show(answer, () => lines(answer, input.given));
    return isFine(answer) ? EXIT.done : EXIT.failed;
  };
}

/** Deletes what the action's word names: the API's answer has no body. */
export function deleting(call: (client: Postern, id: string) => Promise<void>): CommandRun {
  return async ({ client, given, terminal }) => {
    const id = given.word(0);
    await call(client(), id);
    terminal.show({ id }, () => [`Deleted: ${id}.`]);
  };
}

/** Shows a list as one array, up to `--limit` where the action has that option. */
export function listing<Item>(
  columns: Columns<Item>,
  items: (client: Postern, given: Given, limit: number) => AsyncIterable<Item>,
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
