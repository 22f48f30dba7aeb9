// Describes the work of a round that is still open. Pure.
import type { RemainingState } from "../faulty-worker.ts";
import type { Violation } from "./check.ts";
import { describeWork } from "./overdue.ts";

/** Tells whether nothing of a round is left to do. */
export function isSettled({ requests, ledger, work }: RemainingState): boolean {
  return requests + ledger.messages + ledger.undelivered + work.length === 0;
}

/** One violation for each piece of work that is overdue. Adds what else is left then. */
export function findUnsettled(overdue: readonly string[], remains: RemainingState): Violation[] {
  if (overdue.length === 0) return [];
  return [
    ...overdue.map((detail) => ({ rule: "overdue", token: null, detail })),
    ...describeRemains(remains).map((detail) => ({ rule: "not settled", token: null, detail })),
  ];
}

/** Describes all open work, with the time at which its schedule acts on it. */
export function describeRemains({ requests, work, now }: RemainingState): string[] {
  return [
    ...(requests > 0 ? [`requests under way: ${requests}`] : []),
    ...work.map((one) => describeWork(one, now)),
  ];
}
