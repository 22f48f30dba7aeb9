// Reads the service's report of mail by provider (contract.md §Deliverability). It refreshes each
// minute while the tab is visible.
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api-client.ts";

const POLL_MS = 60_000;

/** Returns the report on the last 24 hours. */
export function useLastDay(isAsked = true) {
  return useDeliverability("24 h", () => undefined, isAsked);
}

/**
 * Returns a report. `startOf` returns the start of the report's period. Undefined: 24 hours ago.
 */
export function useDeliverability(name: string, startOf: () => string | undefined, isAsked = true) {
  return useQuery({
    queryKey: ["deliverability", name],
    queryFn: () => {
      const start = startOf();
      return api.deliverability.get(start === undefined ? {} : { start });
    },
    enabled: isAsked,
    refetchInterval: POLL_MS,
  });
}
