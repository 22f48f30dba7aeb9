// Asks the API for what the team has used.
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api-client.ts";

/** Asks again so often, milliseconds, as long as the tab is seen. */
export function useUsage(everyMs: number) {
  return useQuery({
    queryKey: ["usage"],
    queryFn: () => api.usage.get(),
    refetchInterval: everyMs,
  });
}
