// Requests of the domains' pages, and when they repeat.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, unwrap } from "../../api/api-client.ts";
import { PAGE_ROWS, usePages } from "../../api/pages.ts";
import { queryClient } from "../../api/query-client.ts";
import type { components } from "../../api/schema.ts";
import { isWaiting, isWorthVerifying } from "./domain-answer.ts";
import { type RecordRow, recordRows } from "./record-rows.ts";

export type ListedDomain = components["schemas"]["Domain"];
export type DomainDns = components["schemas"]["DomainDns"];

/** Time between two looks at the DNS of a domain that is not verified. */
const LOOK_MS = 10_000;
/** Time for which a look at a settled domain is good enough. */
const GOOD_MS = 60_000;
const LIST = ["domains"] as const;

export function useDomains() {
  return usePages([...LIST, "all"], (after) =>
    unwrap(
      api.GET("/v1/domains", { params: { query: { limit: PAGE_ROWS, ...(after && { after }) } } }),
    ),
  );
}

export function useDomain(id: string) {
  return useQuery({
    queryKey: [...LIST, "one", id],
    queryFn: () => unwrap(api.GET("/v1/domains/{id}", { params: { path: { id } } })),
  });
}

/** Reads the domains again after a write. */
export function refreshDomains(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: LIST });
}

/** Reads a domain and its DNS again after its records have changed. */
export async function refreshRecords(id: string): Promise<void> {
  await refreshDomains();
  await queryClient.invalidateQueries({ queryKey: ["domain-dns", id] });
}

/** Has the service judge the domain's records, and keep the result. */
export function useVerify(id: string) {
  return useMutation({
    mutationFn: () => unwrap(api.POST("/v1/domains/{id}/verify", { params: { path: { id } } })),
    onSuccess: refreshDomains,
  });
}

/**
 * Looks at a domain's DNS: again and again while it waits to be verified and is `watched`, otherwise
 * once. Verifies it when all that it waits for is seen.
 */
export function useDns(domain: ListedDomain, { isAsked, isWatched }: DnsInterest): DnsNow {
  const query = useQuery({
    queryKey: ["domain-dns", domain.id],
    queryFn: () => unwrap(api.GET("/v1/domains/{id}/dns", { params: { path: { id: domain.id } } })),
    enabled: isAsked,
    staleTime: isWaiting(domain) ? LOOK_MS : GOOD_MS,
    refetchInterval: isWatched && isWaiting(domain) ? LOOK_MS : false,
    refetchIntervalInBackground: false,
  });
  const { data: dns } = query;
  const rows = recordRows(domain, dns?.records ?? null);
  const { mutate } = useVerify(domain.id);
  const tried = useRef<string>(undefined);
  const isRipe = isWorthVerifying(domain, rows);
  useEffect(() => {
    if (!isRipe || dns === undefined || tried.current === dns.checked_at) return;
    tried.current = dns.checked_at;
    mutate();
  }, [isRipe, dns, mutate]);
  return { query, rows, nextInMs: isWatched && isWaiting(domain) ? LOOK_MS : null };
}

interface DnsInterest {
  readonly isAsked: boolean;
  readonly isWatched: boolean;
}

export interface DnsNow {
  readonly query: ReturnType<typeof useQuery<DomainDns>>;
  readonly rows: readonly RecordRow[];
  /** Time from one look to the next; null: it looks when asked. */
  readonly nextInMs: number | null;
}
