// Caches the service's answers for the pages. It repeats a request only if a retry can help.
import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import { onTry } from "./connection.ts";
import { ApiFailure, NoResponse } from "./failure.ts";

/** The first part of the cache keys of sessions. */
export const CONSOLE_SESSION_KEY = "session";

const RETRIES = 2;
const FRESH_MS = 5_000;

/** Statuses after which the session may have ended, or may have other rights. */
const SESSION_CHANGED: ReadonlySet<number> = new Set([401, 403]);

/** Requests the session again if the error says that the session has changed. */
export function refreshSession(error: unknown): void {
  if (error instanceof ApiFailure && SESSION_CHANGED.has(error.status))
    void queryClient.invalidateQueries({ queryKey: [CONSOLE_SESSION_KEY] });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: refreshSession }),
  mutationCache: new MutationCache({ onError: refreshSession }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // An offline browser can still reach a service on its own machine.
      networkMode: "always",
      retry: (count, error) => count < RETRIES && mayPass(error),
    },
    mutations: { networkMode: "always" },
  },
});

/**
 * Tells whether this cache repeats a failed request. connection.ts repeats requests that got no
 * answer. A fault of the service is shown immediately, because a silent retry would only hide it
 * longer.
 */
function mayPass(error: Error): boolean {
  return error instanceof ApiFailure ? error.status === 429 : !(error instanceof NoResponse);
}

/** Repeats the failed and the stale requests of the visible page. */
export async function refreshPage(): Promise<void> {
  await queryClient.refetchQueries(
    { type: "active", predicate: isWorthAsking },
    { cancelRefetch: false },
  );
}

/**
 * Leaves out lists that failed to load another page. Such a list repeats this request itself, so
 * that the loaded rows stay.
 */
function isWorthAsking(query: Query): boolean {
  const { status, fetchMeta } = query.state;
  return status === "error" ? !fetchMeta?.fetchMore : query.isStale();
}

onTry(refreshPage);
