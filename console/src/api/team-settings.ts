// Reads the settings that apply to the whole team.
import { queryOptions } from "@tanstack/react-query";
import { api } from "./api-client.ts";

export const teamSettingsQuery = queryOptions({
  queryKey: ["team settings"] as const,
  queryFn: () => api.team.getSettings(),
});
