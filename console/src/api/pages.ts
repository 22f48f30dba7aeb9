// Reads a paged list of the API page by page.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Pages } from "../../../packages/postern/src/request/item-pages.ts";
import { useSilence } from "./connection.ts";
import { NoResponse } from "./failure.ts";
import { pause } from "./request-pace.ts";

/** The largest page size that the API accepts (contract.md §Lists). */
export const PAGE_ROWS = 100;

/** The time between two requests for parts of a list. */
const TURN_MS = 125;

/** The part of a list's query that selects a page. */
export interface PageOfList {
  readonly limit: number;
  /** The cursor of the page. Absent for the first page. */
  readonly after?: string;
}

interface PagesOptions {
  /**
   * The time for which the loaded pages count as fresh. After this time, the console requests the
   * pages again, and rows may move.
   */
  readonly staleTime?: number;
  /** The interval in which the loaded pages are read again while the tab is visible. */
  readonly refetchInterval?: number;
}

export function pageAfter(after: string | null): PageOfList {
  return { limit: PAGE_ROWS, ...(after !== null && { after }) };
}

let nextTurn = 0;

/** Waits until TURN_MS have passed since the previous request for a list page. */
async function takeTurn(): Promise<void> {
  const now = Date.now();
  const turn = Math.max(now, nextTurn);
  nextTurn = turn + TURN_MS;
  if (turn > now) await pause(turn - now);
}

/** Returns the rows that were read, and a function that reads more. */
export function usePages<Row>(
  key: readonly unknown[],
  list: (page: PageOfList) => Pages<Row>,
  options: PagesOptions = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: async ({ pageParam }) => {
      if (pageParam !== null) await takeTurn();
      return list(pageAfter(pageParam)).page();
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    ...options,
  });
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    query;
  const isSilent = useSilence() !== null;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  const next = (): void => void fetchNextPage();
  // A page that got no answer is requested again when the service answers again. A page that failed
  // with an error is requested again only when a person asks for it.
  const isUnanswered = isFetchNextPageError && error instanceof NoResponse;
  const isRefused = isFetchNextPageError && !isUnanswered;
  const isHeldUp = isRefused || (isUnanswered && isSilent);
  return {
    ...query,
    rows,
    more: hasNextPage && !isFetchingNextPage && !isHeldUp ? next : undefined,
    retryMore: isRefused ? next : undefined,
    hasMore: hasNextPage,
  };
}
