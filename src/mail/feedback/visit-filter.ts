// Decides whether a visit to a copy's links counts as an event: machine traffic never does
// (contract.md §Opens and clicks). One object stands for one recipient's copy, so all visits to it
// meet in one memory; nothing is stored, since a visit only matters to those a few seconds around
// it.
import type { VisitFacts, VisitFilter } from "../../contracts/repeats-contract.ts";
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";

interface Visit extends VisitFacts {
  readonly at: number;
}

/** The same agent doing the same again within this time of the first does nothing new. */
const REPEAT_MS = 10_000;
/**
 * Nobody follows this many different links of one message within BURST_MS; programs that look at
 * every link do.
 */
const BURST_LINKS = 3;
const BURST_MS = 2_000;
const VISITS_REMEMBERED = 200;

export class Visits extends DurableObject<Env> implements VisitFilter {
  #visits: Visit[] = [];

  /**
   * Decides on an open at once, on a followed link after BURST_MS: whether others follow in a burst
   * is only known then.
   */
  async counts(facts: VisitFacts): Promise<boolean> {
    const visit = { ...facts, at: Date.now() };
    const known = this.#visits.filter(({ at }) => at > visit.at - REPEAT_MS);
    if (known.some(({ url, agent }) => url === visit.url && agent === visit.agent)) return false;
    this.#visits = [...known.slice(1 - VISITS_REMEMBERED), visit];
    if (visit.url === null) return true;
    await scheduler.wait(BURST_MS);
    return !isInBurst(visit, this.#visits);
  }
}

/** Whether some BURST_MS around a visit hold BURST_LINKS different links by its agent. */
function isInBurst(visit: Visit, visits: readonly Visit[]): boolean {
  const near = visits.filter(
    ({ url, agent, at }) =>
      url !== null && agent === visit.agent && Math.abs(at - visit.at) <= BURST_MS,
  );
  return near.some((first) => {
    const window = near.filter(({ at }) => at >= first.at && at <= first.at + BURST_MS);
    return (
      first.at <= visit.at &&
      visit.at <= first.at + BURST_MS &&
      new Set(window.map(({ url }) => url)).size >= BURST_LINKS
    );
  });
}
