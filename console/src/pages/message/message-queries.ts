// Reads a message, an address and its suppressions. It repeats the requests while the data may
// still change.
import { useQuery } from "@tanstack/react-query";
import type { Suppression } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { ApiFailure } from "../../api/failure.ts";
import { isOpenState, pollInterval } from "./recipient-facts.ts";

const OPEN_POLL_MS = 5_000;

export function useMessage(id: string) {
  return useQuery({
    queryKey: ["email", id],
    queryFn: () => api.emails.get(id),
    refetchInterval: ({ state: { data } }) => (data ? pollInterval(data, Date.now()) : false),
  });
}

/** Reads the service's report about mail to an address. */
export function useRecipient(address: string) {
  return useQuery({
    queryKey: ["address", address],
    queryFn: () => api.recipients.get(address),
    refetchInterval: ({ state: { data } }) =>
      data && isOpenState(data.explanation.state) ? OPEN_POLL_MS : false,
  });
}

/**
 * Reads the suppressions in force for an address. A caller that needs them again passes another
 * value of `seen`.
 */
export function useSuppressionsOf(address: string, seen: string) {
  return useQuery({
    queryKey: ["suppressions", "of", address, seen],
    queryFn: () => suppressionsOf(address),
    placeholderData: (before, query) => (query?.queryKey[2] === address ? before : undefined),
  });
}

async function suppressionsOf(email: string): Promise<readonly Suppression[]> {
  try {
    const { data } = await api.suppressions.getOfAddress(email);
    return data;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return [];
    throw error;
  }
}
