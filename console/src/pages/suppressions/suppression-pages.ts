// Updates the loaded pages of a list after a write, because reading a long list again would take
// many requests in sequence. Pure.
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { type SuppressionPage, withoutRow } from "../message/listed-suppressions.ts";
import type { listQuery } from "./suppressions-search.ts";

export type AskedList = ReturnType<typeof listQuery>;

/**
 * Inserts the row into its page by the list's sort order. Does nothing if the list's filters do not
 * match the row.
 */
export function withRow(
  pages: readonly SuppressionPage[],
  row: Suppression,
  query: AskedList,
): SuppressionPage[] {
  const rest = withoutRow(pages, row);
  if (!matches(row, query)) return rest;
  const comesAfter = (one: Suppression) => compare(row, one, query.sort) < 0;
  const inside = rest.findIndex(({ data }) => data.some(comesAfter));
  // A row that sorts after all loaded rows is added to the last page. It is left out if the list
  // has more pages.
  const at = inside >= 0 ? inside : rest.at(-1)?.next_cursor === null ? rest.length - 1 : -1;
  return rest.map((page, index) =>
    index === at
      ? {
          ...page,
          data: [...page.data, row].toSorted((left, right) => compare(left, right, query.sort)),
        }
      : page,
  );
}

function matches(row: Suppression, query: AskedList): boolean {
  const { email_contains: contains = "", email_from: from = "", topic, reason, origin } = query;
  return (
    row.email.includes(contains.toLowerCase()) &&
    row.email >= from.toLowerCase() &&
    (topic === undefined || topic.toLowerCase() === row.topic) &&
    (reason === undefined || reason === row.reason) &&
    (origin === undefined || origin === row.origin)
  );
}

function compare(left: Suppression, right: Suppression, sort: AskedList["sort"]): number {
  if (sort === "email") return order(left.email, right.email) || order(left.topic, right.topic);
  const newest = order(right.created_at, left.created_at) || order(right.id, left.id);
  return sort === "oldest" ? -newest : newest;
}

function order(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
