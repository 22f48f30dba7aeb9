// Reads a webhook, the newest entries of its delivery log, and its replays. Hidden tabs do not
// poll.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api } from "../../api/api-client.ts";
import { PAGE_ROWS, pageAfter } from "../../api/pages.ts";
import { queryClient } from "../../api/query-client.ts";
import type { ListedWebhookDelivery } from "./webhook-health.ts";

export const WEBHOOKS = ["webhooks"] as const;
export const WEBHOOK_LIST = [...WEBHOOKS, "list"] as const;

/** The number of attempts that the row of cells shows. */
const STRIP_ENTRIES = 200;

const POLL_MS = 10_000;
const QUIET_POLL_MS = 30_000;
const REPLAY_POLL_MS = 2_000;

export function refreshWebhooks(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: WEBHOOKS });
}

/**
 * Reads the list again after a deletion. The deleted webhook is not read again, because the service
 * would answer 404.
 */
export function refreshList(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: WEBHOOK_LIST });
}

export function useWebhook(id: string) {
  return useQuery({
    queryKey: [...WEBHOOKS, "one", id],
    queryFn: () => api.webhooks.get(id),
    refetchInterval: POLL_MS,
  });
}

/** Reads a batch with its body and the endpoint's replies, when a row is opened. */
export function useWebhookBatch(id: string, batchId: string) {
  return useQuery({
    queryKey: [...WEBHOOKS, "batch", id, batchId],
    queryFn: () => api.webhooks.getBatch(id, batchId),
    refetchInterval: ({ state }) => (state.data?.body === null ? false : POLL_MS),
  });
}

/**
 * Reads the newest entries of a webhook's delivery log, for the row of cells and the text about the
 * webhook's state.
 */
export function useNewestWebhookDeliveries(id: string) {
  return useQuery({
    queryKey: [...WEBHOOKS, "newest deliveries", id],
    queryFn: async (): Promise<readonly ListedWebhookDelivery[]> => {
      const first = await api.webhooks.listDeliveries(id, { limit: PAGE_ROWS }).page();
      if (first.next_cursor === null) return first.data;
      const rest = { limit: STRIP_ENTRIES - PAGE_ROWS, after: first.next_cursor };
      const second = await api.webhooks.listDeliveries(id, rest).page();
      return [...first.data, ...second.data];
    },
    refetchInterval: ({ state }) =>
      state.data?.[0]?.outcome === "delivered" ? QUIET_POLL_MS : POLL_MS,
  });
}

/** Reads the webhook's replays. It polls faster while a replay runs. */
export function useReplays(id: string) {
  return useInfiniteQuery({
    queryKey: [...WEBHOOKS, "replays", id],
    queryFn: ({ pageParam }) => api.webhooks.listReplays(id, pageAfter(pageParam)).page(),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ status }) => status === "running"))
        ? REPLAY_POLL_MS
        : QUIET_POLL_MS,
  });
}
