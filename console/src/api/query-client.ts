// Keeps the service's answers for the pages, and asks again only where that can help.
import { MutationCache, type Query, QueryCache, QueryClient } from "@tanstack/react-query";
import { onTry } from "./connection.ts";
import { ApiFailure, Unanswered } from "./failure.ts";

/** The first word of the keys under which sessions are kept. */
export const SESSION = "session";

const RETRIES = 2;
const FRESH_MS = 5_000;

/** A 401 says that a session is over. Whose it is and whether it is so, the service knows. */
export function noteFailure(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401)
    void queryClient.invalidateQueries({ queryKey: [SESSION] });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  mutationCache: new MutationCache({ onError: noteFailure }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // A browser without a network reaches a service on its own machine.
      networkMode: "always",
      retry: (count, error) => count < RETRIES && mayPass(error),
    },
    mutations: { networkMode: "always" },
  },
});

/** Connection.ts asks again after a request without an answer. */
function mayPass(error: Error): boolean {
  return error instanceof ApiFailure ? error.mayPass : !(error instanceof Unanswered);
}

/** Asks again for what failed on the page that is shown, and for what is not fresh. */
export async function refreshPage(): Promise<void> {
  await queryClient.refetchQueries(
    { type: "active", predicate: isWorthAsking },
    { cancelRefetch: false },
  );
}

/** A further page of a list that failed is left to its list, whose rows stay where they are. */
function isWorthAsking(query: Query): boolean {
  const { status, fetchMeta } = query.state;
  return status === "error" ? !fetchMeta?.fetchMore : query.isStale();
}

onTry(refreshPage);
