// Changes the loaded lists of suppressions without reading them again, because a long list would
// take many requests in sequence.
import type { InfiniteData } from "@tanstack/react-query";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { queryClient } from "../../api/query-client.ts";
import { type SuppressionPage, withoutRow } from "./listed-suppressions.ts";

/** Keys of the queries that list and count suppressions. */
export const SUPPRESSION_LIST = ["suppression-list"] as const;
export const SUPPRESSION_COUNT = ["suppression-count"] as const;

export type ListedSuppressions = InfiniteData<SuppressionPage, string | null>;

/** Removes the row from every loaded list. Requests the count of suppressions again. */
export async function dropFromLists(lifted: Pick<Suppression, "email" | "topic">): Promise<void> {
  queryClient.setQueriesData<ListedSuppressions>(
    { queryKey: SUPPRESSION_LIST },
    (data) => data && { ...data, pages: withoutRow(data.pages, lifted) },
  );
  await queryClient.invalidateQueries({ queryKey: SUPPRESSION_COUNT });
}
