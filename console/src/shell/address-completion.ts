// Completes the beginning of an address. A late answer for an older text never replaces newer
// suggestions.
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api/api-client.ts";
import { useAfterPause } from "../parts/time/after-pause.ts";
import { beginningIn } from "./why-search.ts";

/** The pause in typing after which the service is asked. */
const PAUSE_MS = 200;
const MOST = 8;

/** The query for addresses that begin with a text. */
export function addressesQuery(beginning: string) {
  return queryOptions({
    queryKey: ["recipients", beginning],
    queryFn: () => api.recipients.list({ prefix: beginning }),
  });
}

/** Returns the suggested addresses for a typed text. */
export function useCompletions(typed: string): readonly string[] {
  const beginning = beginningIn(typed);
  const paused = useAfterPause(beginning, PAUSE_MS);
  const { data } = useQuery({
    ...addressesQuery(paused ?? ""),
    enabled: paused !== null,
    placeholderData: keepPreviousData,
  });
  if (beginning === null || !data) return [];
  return data.data
    .map(({ address }) => address)
    .filter((address) => {
      const text = address.toLowerCase();
      return text.startsWith(beginning) && text !== beginning;
    })
    .slice(0, MOST);
}
