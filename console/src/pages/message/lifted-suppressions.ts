// Remembers the suppressions that were lifted in this tab, because the service does not store them.
// A message's timeline shows them until the page reloads.
import { useQuery } from "@tanstack/react-query";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { queryClient } from "../../api/query-client.ts";

export interface LiftedSuppression {
  readonly suppression: Suppression;
  /** Unix milliseconds. */
  readonly at: number;
}

const NONE: readonly LiftedSuppression[] = [];

export function rememberLifted(lifted: LiftedSuppression): void {
  const key = keyOf(lifted.suppression.email);
  queryClient.setQueryData(key, (before: readonly LiftedSuppression[] = NONE) => [
    ...before,
    lifted,
  ]);
}

export function useLifted(address: string): readonly LiftedSuppression[] {
  const { data } = useQuery({
    queryKey: keyOf(address),
    queryFn: () => NONE,
    initialData: NONE,
    staleTime: "static",
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

function keyOf(address: string): readonly string[] {
  return ["lifted", address.toLowerCase()];
}
