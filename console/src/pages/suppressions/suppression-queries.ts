// The requests of the page about suppressions.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { usePages } from "../../api/pages.ts";
import { queryClient } from "../../api/query-client.ts";
import {
  type ListedSuppressions,
  SUPPRESSION_COUNT,
  SUPPRESSION_LIST,
} from "../message/loaded-suppressions.ts";
import { type AskedList, withRow } from "./suppression-pages.ts";
import type { suppressionQuery } from "./suppressions-search.ts";

/**
 * If a list has more pages than this, a write changes the loaded pages instead of reading the list
 * again.
 */
const PAGES_READ_AGAIN = 5;

export function useSuppressions(query: AskedList) {
  return usePages([...SUPPRESSION_LIST, query], (page) =>
    api.suppressions.list({ ...query, ...page }),
  );
}

/**
 * Reads the number of matching suppressions. Shows the previous number until the next number
 * arrives.
 */
export function useSuppressionCount(query: ReturnType<typeof suppressionQuery>) {
  return useQuery({
    queryKey: [...SUPPRESSION_COUNT, query],
    queryFn: () => api.suppressions.count(query),
    placeholderData: keepPreviousData,
  });
}

export async function refreshSuppressions(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: SUPPRESSION_COUNT }),
    queryClient.invalidateQueries({
      queryKey: SUPPRESSION_LIST,
      predicate: ({ state }) =>
        ((state.data as ListedSuppressions | undefined)?.pages.length ?? 0) <= PAGES_READ_AGAIN,
    }),
  ]);
}

export async function addSuppression(
  body: Pick<Suppression, "email" | "topic" | "note">,
): Promise<void> {
  const added = await api.suppressions.create(body);
  const lists = queryClient.getQueriesData<ListedSuppressions>({ queryKey: SUPPRESSION_LIST });
  for (const [key, data] of lists) {
    const pages = data && withRow(data.pages, added, key[1] as AskedList);
    if (pages) queryClient.setQueryData<ListedSuppressions>(key, { ...data, pages });
  }
}
