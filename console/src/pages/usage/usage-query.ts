// Reads the team's usage from the API.
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api-client.ts";

/**
 * Requests the usage repeatedly while the tab is visible. `everyMs` is the interval in
 * milliseconds.
 */
export function useUsage(everyMs: number) {
  return useQuery({
    queryKey: ["usage"],
    queryFn: () => api.usage.get(),
    refetchInterval: everyMs,
  });
}
