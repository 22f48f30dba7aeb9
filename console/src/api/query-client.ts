// Keeps the service's answers for the pages, and asks again only where that can help.
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { ApiFailure } from "./failure.ts";
import { noteSignedOut } from "./console-session.ts";

const RETRIES = 2;
const FRESH_MS = 5_000;

function noteFailure(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) noteSignedOut();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteFailure }),
  mutationCache: new MutationCache({ onError: noteFailure }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (count, error) => count < RETRIES && (!(error instanceof ApiFailure) || error.mayPass),
    },
  },
});
