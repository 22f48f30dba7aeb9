// Finds and describes the open work of a round, and which of it is overdue. The measure is the
// number of checks after the due time, not the elapsed time, because a slow machine also checks less
// often. Pure.
import type { RemainingState, RemainingWork } from "../faulty-worker.ts";
import type { Violation } from "./check.ts";

/**
 * The number of checks after the due time at which work counts as overdue. A campaign checks at
 * most every 250 ms. The platform repeats an alarm that failed in the storm after 2, 4 and 8
 * seconds.
 */
const LOOKS = 100;

/** Remembers how often each piece of work was seen after its due time. */
export class OverdueWork {
  #seen = new Map<string, number>();

  /** Counts the work that is open at `now`. Returns descriptions of the work that is overdue. */
  look(work: readonly RemainingWork[], now: number): string[] {
    const late = work.filter(({ dueAt }) => dueAt === null || dueAt <= now);
    this.#seen = new Map(
      late.map((one) => [nameOf(one), (this.#seen.get(nameOf(one)) ?? 0) + 1] as const),
    );
    return late
      .filter((one) => this.#seen.get(nameOf(one))! >= LOOKS)
      .map((one) => describeWork(one, now));
  }
}

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

function describeWork({ what, dueAt }: RemainingWork, now: number): string {
  if (dueAt === null) return `${what}, without a due time`;
  const seconds = ((now - dueAt) / 1_000).toFixed(1);
  const when = dueAt <= now ? `${seconds} s ago` : `in ${seconds.slice(1)} s`;
  return `${what}, due ${when} (${new Date(dueAt).toISOString()})`;
}

function nameOf({ what, dueAt }: RemainingWork): string {
  return `${what} at ${dueAt}`;
}
