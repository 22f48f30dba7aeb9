// Requests of the suppressions' page.
import { api, unwrap } from "../../api/api-client.ts";
import { PAGE_ROWS, usePages } from "../../api/pages.ts";
import { queryClient } from "../../api/query-client.ts";
import type { components } from "../../api/schema.ts";
import type { suppressionQuery } from "./suppressions-search.ts";

export type ListedSuppression = components["schemas"]["Suppression"];

const LIST = ["suppressions"] as const;

export function useSuppressions(query: ReturnType<typeof suppressionQuery>) {
  return usePages([...LIST, query], (after) =>
    unwrap(
      api.GET("/v1/suppressions", {
        params: { query: { ...query, limit: PAGE_ROWS, ...(after && { after }) } },
      }),
    ),
  );
}

/** Reads the suppressions again after a write. */
export function refreshSuppressions(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: LIST });
}

export function addSuppression(body: {
  readonly email: string;
  readonly topic: string;
  readonly note: string | null;
}): Promise<ListedSuppression> {
  return unwrap(api.POST("/v1/suppressions", { body }));
}

export function liftSuppression({ email, topic }: ListedSuppression): Promise<unknown> {
  return unwrap(
    api.DELETE("/v1/suppressions/{email}/{topic}", { params: { path: { email, topic } } }),
  );
}
