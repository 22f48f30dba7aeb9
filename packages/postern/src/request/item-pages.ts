// A list that an endpoint returns. The caller reads it item by item or page by page.
import type { ApiCaller, RequestOptions } from "./api-call.ts";

export interface ItemPage<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  /** The value of `after` for the next page; null on the last page. */
  readonly next_cursor: string | null;
}

interface PageQuery {
  readonly after?: string | undefined;
}

/** `for await` reads all items. It requests the next page after the last item of a page. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #call: ApiCaller;
  readonly #path: string;
  readonly #query: PageQuery;
  readonly #options: RequestOptions | undefined;

  constructor(
    call: ApiCaller,
    path: string,
    query: PageQuery,
    options: RequestOptions | undefined,
  ) {
    this.#call = call;
    this.#path = path;
    this.#query = query;
    this.#options = options;
  }

  page(): Promise<ItemPage<Item>> {
    return this.#pageAfter(this.#query.after);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, undefined> {
    let after: string | null | undefined = this.#query.after;
    do {
      const page: ItemPage<Item> = await this.#pageAfter(after);
      yield* page.data;
      after = page.next_cursor;
    } while (after !== null);
  }

  #pageAfter(after: string | undefined): Promise<ItemPage<Item>> {
    return this.#call({
      method: "GET",
      path: this.#path,
      query: { ...this.#query, after },
      options: this.#options,
    });
  }
}
