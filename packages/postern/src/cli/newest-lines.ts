// Shows the newest items of a list, oldest first. With `--follow`, new items follow as they come.
import { setTimeout as wait } from "node:timers/promises";
import type { Postern } from "../client/postern.ts";
import type { CommandRun } from "./command.ts";
import type { ParsedArguments } from "./parsed-arguments.ts";
import { firstOf } from "./request-actions.ts";

/** The number of lines without `--limit`. */
export const LINES = 20;
const PAGE = 100;
const POLL_MS = 2_000;

/**
 * `list` reads the items, newest first, by pages of `limit`. `plural` is their noun, such as
 * "replies". The action throws if a request fails, and never returns with `--follow`.
 */
export function newestRun<Item extends { readonly id: string }>(
  plural: string,
  list: (client: Postern, given: ParsedArguments, limit: number) => AsyncIterable<Item>,
  line: (item: Item) => string,
): CommandRun {
  return async ({ client, given, terminal, streams }) => {
    const postern = client();
    const limit = given.count("limit", LINES);
    let known: ReadonlySet<string> = new Set();
    const show = (found: readonly Item[]) => {
      for (const item of found.toReversed())
        if (!known.has(item.id)) terminal.showOne(item, () => line(item));
      // A repeated request gives its row of the request log a new id, so the row is shown again.
      known = new Set(found.map(({ id }) => id));
    };
    show(await firstOf(list(postern, given, Math.min(Math.max(limit, 1), PAGE)), limit));
    if (!given.has("follow")) return;
    streams.errors.write(`postern: waiting for new ${plural}; Ctrl-C ends this\n`);
    for (;;) {
      await wait(POLL_MS);
      show(await firstOf(list(postern, given, PAGE), PAGE));
    }
  };
}
