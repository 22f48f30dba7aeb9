// Describes the work of a round that is still open. Pure.
import type { RemainingState } from "../faulty-worker.ts";
import type { Violation } from "./check.ts";
import { describeWork } from "./overdue.ts";

/** Tells whether a round has no open work. */
export function isSettled({ requests, ledger, work }: RemainingState): boolean {
  return requests + ledger.messages + ledger.undelivered + work.length === 0;
}

/**
 * Returns one violation for each piece of overdue work. Then adds a violation for each piece of
 * other open work.
 */
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
