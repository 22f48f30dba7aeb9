// Polls the deployment's state and its metrics while the page is visible.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { operatorApi } from "../../api/api-client.ts";
import { queryClient } from "../../api/query-client.ts";
import { type WatchedDeployment, watchGateways } from "./gateway-watch.ts";
import { addSample, type MetricsSample } from "./metrics/metric-figures.ts";
import { parseMetrics } from "./metrics/metrics-text.ts";

export const DEPLOYMENT_EVERY_MS = 15_000;
export const METRICS_EVERY_MS = 10_000;
/**
 * The interval between two requests for the teams that need attention. It is long, because the
 * service reads the mail of up to 20 teams for each answer.
 */
export const ATTENTION_EVERY_MS = 30_000;
/** The period over which counters are compared. */
const WINDOW_MS = 600_000;
/**
 * The interval between two requests for the gateways' reports. It is long, because a gateway checks
 * itself only once an hour.
 */
const GATEWAYS_EVERY_MS = 60_000;

const DEPLOYMENT = ["operator", "deployment"] as const;
const METRICS = ["operator", "metrics"] as const;

/** Keeps the previous answer while the console is open, to know when each gateway's state began. */
export function useDeployment() {
  return useQuery({
    queryKey: DEPLOYMENT,
    queryFn: async () =>
      watchGateways(
        queryClient.getQueryData<WatchedDeployment>(DEPLOYMENT),
        await operatorApi.deployment.get(),
      ),
    refetchInterval: DEPLOYMENT_EVERY_MS,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the report of each gateway about itself. */
export function useGateways() {
  return useQuery({
    queryKey: ["operator", "gateways"],
    queryFn: () => operatorApi.gateways.get(),
    refetchInterval: GATEWAYS_EVERY_MS,
  });
}

/**
 * Returns the teams that need attention, the worst first. `skip`: the number of teams to leave out
 * at the beginning.
 */
export function useAttention(skip = 0) {
  return useQuery({
    queryKey: ["operator", "attention", skip],
    queryFn: () => operatorApi.attention.get({ skip: String(skip) }),
    refetchInterval: ATTENTION_EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

/** Returns the team's own reports about its mail. */
export function useTeamMail(teamId: string) {
  const deliverability = useQuery({
    queryKey: ["operator", "team", teamId, "deliverability"],
    queryFn: () => operatorApi.teams.getDeliverability(teamId),
    refetchInterval: ATTENTION_EVERY_MS,
  });
  const usage = useQuery({
    queryKey: ["operator", "team", teamId, "usage"],
    queryFn: () => operatorApi.teams.getUsage(teamId),
    refetchInterval: ATTENTION_EVERY_MS,
  });
  return { deliverability, usage };
}

/** Returns the samples of the last ten minutes, oldest first. */
export function useMetrics() {
  return useQuery({
    queryKey: METRICS,
    queryFn: async () => {
      const text = await operatorApi.metrics.get();
      const look: MetricsSample = { at: Date.now(), families: parseMetrics(text) };
      return addSample(
        queryClient.getQueryData<readonly MetricsSample[]>(METRICS) ?? [],
        look,
        WINDOW_MS,
      );
    },
    refetchInterval: METRICS_EVERY_MS,
    structuralSharing: false,
    gcTime: WINDOW_MS,
  });
}
