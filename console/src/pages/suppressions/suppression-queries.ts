// Requests of the suppressions' page.
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { usePages } from "../../api/pages.ts";
import { queryClient } from "../../api/query-client.ts";
import type { suppressionQuery } from "./suppressions-search.ts";

const LIST = ["suppressions"] as const;

export function useSuppressions(query: ReturnType<typeof suppressionQuery>) {
  return usePages([...LIST, query], (page) => api.suppressions.list({ ...query, ...page }));
}

/** Reads the suppressions again after a write. */
export function refreshSuppressions(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: LIST });
}

export function addSuppression(body: {
  readonly email: string;
  readonly topic: string;
  readonly note: string | null;
}): Promise<Suppression> {
  return api.suppressions.create(body);
}
