// Replaces the worker's ledger by a stub, to measure what the rest of a send costs. The stub runs
// in the same isolate and accepts everything immediately.

interface Item {
  readonly candidate: { readonly id: string };
}

interface Question {
  readonly verdict: { readonly items: readonly Item[] };
  readonly now: number;
}

interface Handler {
  fetch(request: Request, env: object, context: unknown): Response | Promise<Response>;
}

const stub = {
  admit: async ({ verdict, now }: Question) => ({
    kind: "answered",
    replayed: false,
    rate: { limit: 1, remaining: 1, resetSeconds: 0 },
    answer: {
      kind: "accepted",
      createdAt: now,
      items: verdict.items.map(({ candidate }) => ({ kind: "queued", id: candidate.id })),
    },
  }),
};

/** Returns the worker with an environment in which TEAM_LEDGER is the stub. */
export function withStubbedLedger(worker: Handler): Handler {
  let stubbed: object | undefined;
  return {
    fetch: (request, env, context) =>
      worker.fetch(
        request,
        (stubbed ??= { ...env, TEAM_LEDGER: { getByName: () => stub } }),
        context,
      ),
  };
}
