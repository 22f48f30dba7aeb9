// Reads the team's usage from the API.
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api-client.ts";

/** Time between two requests while the tab is visible, milliseconds. */
export function useUsage(everyMs: number) {
  return useQuery({
    queryKey: ["usage"],
    queryFn: () => api.usage.get(),
    refetchInterval: everyMs,
  });
}
