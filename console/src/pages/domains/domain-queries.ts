// The requests of the pages about domains, and how often they repeat.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Domain, DomainDns } from "../../../../packages/postern/src/generated/types.ts";
import { api } from "../../api/api-client.ts";
import { usePages } from "../../api/pages.ts";
import { queryClient } from "../../api/query-client.ts";
import { useMay } from "../../parts/permitted.tsx";
import { isWaiting, isWorthVerifying } from "./domain-summary.ts";
import { type RecordRow, recordRows } from "./record-rows.ts";

/** Time between two DNS checks of an unverified domain. */
const LOOK_MS = 10_000;
/** Time for which the DNS check of a verified domain counts as fresh. */
const GOOD_MS = 60_000;
const LIST = ["domains"] as const;

export function useDomains() {
  return usePages([...LIST, "all"], (page) => api.domains.list(page));
}

export function useDomain(id: string) {
  return useQuery({
    queryKey: [...LIST, "one", id],
    queryFn: () => api.domains.get(id),
  });
}

export function refreshDomains(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: LIST });
}

export async function refreshRecords(id: string): Promise<void> {
  await refreshDomains();
  await queryClient.invalidateQueries({ queryKey: ["domain-dns", id] });
}

/** Makes the service verify the domain and store the result. */
export function useVerify(id: string) {
  return useMutation({
    mutationFn: () => api.domains.verify(id),
    onSuccess: refreshDomains,
  });
}

/**
 * Checks a domain's DNS. The check repeats while the domain waits for verification and `isWatched`
 * is true. When DNS has all needed records, the service is asked to verify the domain.
 */
export function useDns(domain: Domain, { isAsked, isWatched }: DnsInterest): DnsNow {
  const query = useQuery({
    queryKey: ["domain-dns", domain.id],
    queryFn: () => api.domains.getDns(domain.id),
    enabled: isAsked,
    staleTime: isWaiting(domain) ? LOOK_MS : GOOD_MS,
    refetchInterval: isWatched && isWaiting(domain) ? LOOK_MS : false,
  });
  const { data: dns } = query;
  const rows = recordRows(domain, dns?.records ?? null);
  const { mutate } = useVerify(domain.id);
  const tried = useRef<string>(undefined);
  const mayVerify = useMay("POST /v1/domains/{id}/verify");
  const isRipe = mayVerify && isWorthVerifying(domain, rows);
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
  /** Time until the next check. Null: checks run only on request. */
  readonly nextInMs: number | null;
}
