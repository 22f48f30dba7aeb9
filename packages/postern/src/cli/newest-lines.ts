// Shows the newest items of a list, oldest first. With `--follow`, new items follow as they come.
import { setTimeout as wait } from "node:timers/promises";
import type { CommandInput } from "./command.ts";
import { firstOf } from "./request-actions.ts";

/** The number of lines without `--limit`. */
export const LINES = 20;
const PAGE = 100;
const POLL_MS = 2_000;

export interface NewestList<Item> {
  /** The noun for the items, such as "replies". */
  readonly plural: string;
  /** Reads the list, newest first. `limit`: the number of items of a page. */
  readonly list: (limit: number) => AsyncIterable<Item>;
  readonly line: (item: Item) => string;
}

/** Throws if a request fails. Never returns with `--follow`. */
export async function showNewest<Item extends { readonly id: string }>(
  { given, terminal, streams }: Pick<CommandInput, "given" | "terminal" | "streams">,
  { plural, list, line }: NewestList<Item>,
): Promise<void> {
  const limit = given.count("limit", LINES);
  let known: ReadonlySet<string> = new Set();
  const show = (found: readonly Item[]) => {
    for (const item of found.toReversed())
      if (!known.has(item.id)) terminal.showOne(item, () => line(item));
    // A row of the request log has its newest request's id, so a repetition shows the row again.
    known = new Set(found.map(({ id }) => id));
  };
  show(await firstOf(list(Math.min(Math.max(limit, 1), PAGE)), limit));
  if (!given.has("follow")) return;
  streams.errors.write(`postern: waiting for new ${plural}; Ctrl-C ends this\n`);
  for (;;) {
    await wait(POLL_MS);
    show(await firstOf(list(PAGE), PAGE));
  }
}
