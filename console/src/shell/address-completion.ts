// Completes the beginning of an address. An answer belongs to the text that it was asked for, so
// that a late one is never shown for another text.
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api/api-client.ts";
import { beginningIn } from "./why-question.ts";

/** Time without a key until the service is asked. */
const PAUSE_MS = 200;
const MOST = 8;

/** The query for the addresses that begin with a text. */
export function addressesQuery(beginning: string) {
  return queryOptions({
    queryKey: ["recipients", beginning],
    queryFn: () => api.recipients.list({ prefix: beginning }),
  });
}

/** Returns the addresses to offer for a text that is being typed. */
export function useCompletions(typed: string): readonly string[] {
  const beginning = beginningIn(typed);
  const paused = useAfterPause(beginning);
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

function useAfterPause(text: string | null): string | null {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
