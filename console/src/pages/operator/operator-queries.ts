// Asks for the deployment's state and its metrics again and again while the page is seen.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { operatorApi } from "../../api/api-client.ts";
import { queryClient } from "../../api/query-client.ts";
import { type WatchedDeployment, watchGateways } from "./gateway-watch.ts";
import { addSample, type MetricsSample } from "./metrics/metric-figures.ts";
import { parseMetrics } from "./metrics/metrics-text.ts";

export const DEPLOYMENT_EVERY_MS = 15_000;
export const METRICS_EVERY_MS = 10_000;
/** An answer reads the mail of up to 20 teams. */
export const ATTENTION_EVERY_MS = 30_000;
/** The time over which counters are compared. */
const WINDOW_MS = 600_000;
/** A gateway looks at itself once an hour. */
const GATEWAYS_EVERY_MS = 60_000;

const DEPLOYMENT = ["operator", "deployment"] as const;
const METRICS = ["operator", "metrics"] as const;

/** The answers before stay known for as long as the console is open: states are followed in them. */
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

/** Returns what each gateway found about itself. */
export function useGateways() {
  return useQuery({
    queryKey: ["operator", "gateways"],
    queryFn: () => operatorApi.gateways.get(),
    refetchInterval: GATEWAYS_EVERY_MS,
  });
}

/** Returns the teams that need attention, without the `skip` worst ones. */
export function useAttention(skip = 0) {
  return useQuery({
    queryKey: ["operator", "attention", skip],
    queryFn: () => operatorApi.attention.get({ skip: String(skip) }),
    refetchInterval: ATTENTION_EVERY_MS,
    placeholderData: keepPreviousData,
  });
}

/** Returns what the team itself reads of its mail. */
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

/** Returns the looks of the last ten minutes, the last one at the end. */
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
