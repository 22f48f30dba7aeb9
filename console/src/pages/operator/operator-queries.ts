// Polls the deployment's state and its checks while the page is visible.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { operatorApi } from "../../api/operator-api-client.ts";

/** The interval between two requests for the checks and the deployment. */
export const CHECKS_EVERY_MS = 15_000;
/**
 * The interval between two requests for the teams that need attention. It is long, because the
 * service reads the mail of up to 20 teams for each answer.
 */
export const ATTENTION_EVERY_MS = 30_000;
/**
 * The interval between two requests for the gateways' reports. It is long, because a gateway checks
 * itself only once an hour.
 */
const GATEWAYS_EVERY_MS = 60_000;

export const useDeployment = () =>
  usePolled(["deployment"], () => operatorApi.deployment.get(), CHECKS_EVERY_MS);

/** Returns the worker's checks of its numbers and its gateways. */
export const useChecks = () =>
  usePolled(["checks"], () => operatorApi.checks.get(), CHECKS_EVERY_MS);

/** Returns the self-checks of each gateway. */
export const useGateways = () =>
  usePolled(["gateways"], () => operatorApi.gateways.get(), GATEWAYS_EVERY_MS);

/** Returns the teams that need attention, the worst first. Leaves out the first `skip` teams. */
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
  const read = operatorApi.teams;
  return {
    deliverability: usePolled(
      ["team", teamId, "deliverability"],
      () => read.getDeliverability(teamId),
      ATTENTION_EVERY_MS,
    ),
    usage: usePolled(["team", teamId, "usage"], () => read.getUsage(teamId), ATTENTION_EVERY_MS),
  };
}

function usePolled<Data>(
  name: readonly string[],
  queryFn: () => Promise<Data>,
  refetchInterval: number,
) {
  return useQuery({ queryKey: ["operator", ...name], queryFn, refetchInterval });
}
