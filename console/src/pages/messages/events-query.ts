// Reads the log page by page, and polls for newer events. The list shows the newer events only on
// request.
import { type InfiniteData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "../../api/api-client.ts";
import { DAY_MS } from "../../parts/time/time-units.ts";
import { pageAfter, type PageOfList, usePages } from "../../api/pages.ts";
import { queryClient } from "../../api/query-client.ts";
import {
  type MessagesFragment,
  type MessagesSearch,
  toLogQuery,
  windowStart,
} from "./messages-search.ts";
import {
  type ListedPage,
  hasGap,
  MOST_COUNTED,
  pollAfter,
  unseen,
  withNewest,
} from "./newest-events.ts";

const LONGEST_WINDOW_DAYS = 30;
/**
 * The pause before the list requests another page. The list reads these pages automatically, to
 * count the events that match the filters.
 */
const COUNT_PAUSE_MS = 250;

function listEvents(search: MessagesSearch, fragment: MessagesFragment, page: PageOfList) {
  return api.events.list({ ...toLogQuery(search, fragment, Date.now()), ...page });
}

/** Reads events page by page. Loaded pages are not read again. */
export function useEvents(search: MessagesSearch, fragment: MessagesFragment) {
  const { open: _open, view: _view, ...filters } = search;
  const key = ["events", filters, fragment] as const;
  const list = usePages(key, (page) => listEvents(search, fragment, page), {
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { list, key };
}

/**
 * Reads events like useEvents, and polls for newer events. `show` adds the newer events to the
 * list. The first poll adds its events itself, except while `isReading` returns true.
 */
export function useLiveEvents(
  search: MessagesSearch,
  fragment: MessagesFragment,
  isReading: () => boolean,
) {
  const { list, key } = useEvents(search, fragment);
  useReadAhead(list);
  const newest = useQuery({
    queryKey: ["newest", ...key],
    queryFn: () => listEvents(search, fragment, pageAfter(null)).page(),
    enabled: search.end === undefined && list.data !== undefined,
    refetchInterval: ({ state: { data } }) => pollAfter(data, Date.now()),
  });
  const pages = list.data?.pages ?? [];
  const fresh = newest.data ? unseen(pages, newest.data) : [];
  const show = (): void => {
    const page = newest.data;
    if (!page) return;
    queryClient.setQueryData<InfiniteData<ListedPage, string | null>>(key, (before) => {
      if (!before) return before;
      const merged = withNewest(before.pages, page);
      return { pages: merged, pageParams: before.pageParams.slice(0, merged.length) };
    });
    // Requests the displayed counts of the address again, because they must include the new events.
    if (fresh.length > 0) void queryClient.invalidateQueries({ queryKey: ["address"] });
  };
  // An empty list shows newer events without a click. The first poll after the page opens also
  // shows its events, except if the person already reads the list.
  const isFirst = useRef(true);
  const { dataUpdatedAt } = newest;
  useEffect(() => {
    if (dataUpdatedAt === 0) return;
    const isEmpty = list.rows?.length === 0;
    if (isEmpty || (isFirst.current && !isReading())) show();
    isFirst.current = false;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each look
  }, [dataUpdatedAt]);
  return {
    list,
    show,
    fresh: fresh.length,
    isMore: newest.data !== undefined && hasGap(fresh, newest.data),
    lookedAt: Math.max(newest.dataUpdatedAt, list.dataUpdatedAt),
    lookError: newest.error,
  };
}

/** Reads further pages until MOST_COUNTED rows are loaded. */
function useReadAhead({ rows, more }: ReturnType<typeof useEvents>["list"]): void {
  const isCounted = (rows?.length ?? 0) >= MOST_COUNTED;
  useEffect(() => {
    if (isCounted || !more) return undefined;
    const timer = setTimeout(more, COUNT_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isCounted, more]);
}

/** Returns the age in days of the oldest stored events. Undefined: the age is not known yet. */
export function useRetentionDays(): number | undefined {
  const { data } = useQuery({
    queryKey: ["retention"],
    queryFn: async () => {
      const start = windowStart(LONGEST_WINDOW_DAYS, Date.now());
      const stats = await api.stats.get({ start, interval: "day" });
      // The service shortens the period to the team's retention, and then extends the period to
      // whole days.
      return Math.floor((Date.now() - Date.parse(stats.start)) / DAY_MS);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
