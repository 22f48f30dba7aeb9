// Answers a list as Resend does: `{object, data, has_more}`, paged by the items' ids. `after` asks
// for items older than an id, `before` for newer items (docs/from-resend.md §Lists).
import { rowPositionText } from "../../endpoint.ts";
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "../../limits.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import { refuse } from "../../refusal.ts";
import { bareId } from "./bare-ids.ts";
import type { OwnApi, ResendRequest } from "./resend-endpoint.ts";

/**
 * Maximum number of pages that are searched for the item that `before` names. The search begins
 * with the newest page.
 */
const PAGES_SEARCHED = 10;

export interface ListedItem {
  readonly id: string;
  readonly created_at: string;
}

/**
 * Maximum number of Postern pages that are read for one Resend page. Some Postern pages have fewer
 * items than were requested.
 */
const PAGES_READ = 5;

interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

/** A page of a Postern list. */
interface OwnPage<Item> extends Page<Item> {
  readonly next_cursor: string | null;
}

interface ListSource<Item> {
  /** The path of the Postern list, which is sorted newest first. */
  readonly path: string;
  /**
   * Query parameters of the Postern list, one set for each search. The searches' results are
   * merged.
   */
  readonly searches?: readonly Readonly<Record<string, string>>[];
  /** Returns the position in the Postern list directly after an item. */
  readonly positionOf?: (item: ListedItem) => string;
  /** Finds the item that `after` names. */
  readonly find: (id: string) => Promise<ListedItem | undefined>;
  readonly present: (item: Item) => JsonObject;
}

export async function serveList<Item extends ListedItem>(
  { query }: ResendRequest,
  own: OwnApi,
  source: ListSource<Item>,
): Promise<JsonObject> {
  const [after, before] = [query.get("after"), query.get("before")];
  if (after !== null && before !== null)
    throw refuse("invalid", { errors: { after: ["can't be combined with before"] } });
  const limit = query.get("limit") ?? String(LIST_LIMIT_DEFAULT);
  const page =
    before === null
      ? await pageAfter(own, source, limit, after)
      : await pageBefore(own, source, limit, before);
  return { object: "list", has_more: page.has_more, data: page.data.map(source.present) };
}

async function pageAfter<Item extends ListedItem>(
  own: OwnApi,
  source: ListSource<Item>,
  limit: string,
  after: string | null,
): Promise<Page<Item>> {
  const item = after === null ? undefined : await source.find(after);
  if (after !== null && !item) throw notInList("after");
  return readPage(own, source, limit, item);
}

/**
 * Reads the list from its newest item down to the item that `before` names. Returns at most `limit`
 * items, those just above the named item.
 */
async function pageBefore<Item extends ListedItem>(
  own: OwnApi,
  source: ListSource<Item>,
  limit: string,
  before: string,
): Promise<Page<Item>> {
  const newer: Item[] = [];
  // Reading the first page also validates the limit.
  let page = await readPage(own, source, limit, undefined);
  for (let pages = 0; pages < PAGES_SEARCHED; pages += 1) {
    const at = page.data.findIndex(({ id }) => bareId(id) === bareId(before));
    newer.push(...(at < 0 ? page.data : page.data.slice(0, at)));
    if (at >= 0)
      return { data: newer.slice(-Number(limit)), has_more: newer.length > Number(limit) };
    if (!page.has_more) throw notInList("before");
    page = await readPage(own, source, String(LIST_LIMIT_MAX), page.data.at(-1));
  }
  throw refuse("invalid", {
    errors: { before: ["is too far behind the newest items; use after instead"] },
  });
}

/** Reads the page that begins after an item. */
async function readPage<Item extends ListedItem>(
  own: OwnApi,
  { path, searches = [{}], positionOf = rowPosition }: ListSource<Item>,
  limit: string,
  after: ListedItem | undefined,
): Promise<Page<Item>> {
  const cursor = after && (await own.cursorAt(path, positionOf(after)));
  const pages: Page<Item>[] = [];
  for (const search of searches)
    pages.push(await readSearch(own, path, { ...search, limit }, cursor ?? null));
  const items = pages.flatMap(({ data }) => data);
  const sorted = pages.length === 1 ? items : items.toSorted(newestFirst);
  const data = sorted.slice(0, Number(limit));
  return {
    data,
    has_more: pages.some((page) => page.has_more) || data.length < items.length,
  };
}

async function readSearch<Item>(
  own: OwnApi,
  path: string,
  search: Readonly<Record<string, string>> & { readonly limit: string },
  after: string | null,
): Promise<Page<Item>> {
  const data: Item[] = [];
  let cursor = after;
  for (let pages = 0; pages < PAGES_READ; pages += 1) {
    const query = new URLSearchParams({ ...search, ...(cursor !== null && { after: cursor }) });
    const page: OwnPage<Item> = await own.ask({
      method: "GET",
      path: `${path}?${query.toString()}`,
    });
    data.push(...page.data);
    cursor = page.next_cursor;
    if (cursor === null || data.length >= Number(search.limit)) break;
  }
  return { data, has_more: cursor !== null };
}

function rowPosition({ id, created_at: at }: ListedItem): string {
  return rowPositionText({ createdAt: Date.parse(at), id });
}

function newestFirst(one: ListedItem, other: ListedItem): number {
  return sortKey(one) < sortKey(other) ? 1 : -1;
}

function sortKey({ id, created_at: at }: ListedItem): string {
  return `${at} ${id}`;
}

function notInList(member: "after" | "before") {
  return refuse("invalid", { errors: { [member]: ["is not the id of an item of this list"] } });
}
