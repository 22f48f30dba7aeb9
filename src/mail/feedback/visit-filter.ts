// Decides whether a visit to a copy's links counts as an event. Visits by machines never count
// (contract.md §Opens and clicks). One object serves one recipient's copy, so it sees all visits to
// that copy. It keeps visits only in memory, because a visit matters only for a few seconds.
import type { VisitKey, VisitFilter } from "../../rpc/failure-and-visit-calls.ts";
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../env.ts";

interface Visit extends VisitKey {
  readonly at: number;
}

/** Time after a visit in which a repeated visit by the same agent does not count. */
const REPEAT_MS = 10_000;
/** Number of different links of one message that only a link scanner follows within BURST_MS. */
const BURST_LINKS = 3;
const BURST_MS = 2_000;
const VISITS_REMEMBERED = 200;

export class Visits extends DurableObject<Env> implements VisitFilter {
  #visits: Visit[] = [];

  /**
   * Decides about an open immediately. Decides about a followed link after BURST_MS, because only
   * then can the object know whether a burst follows.
   */
  async shouldCount(key: VisitKey): Promise<boolean> {
    const visit = { ...key, at: Date.now() };
    const recent = this.#visits.filter(({ at }) => at > visit.at - REPEAT_MS);
    if (recent.some(({ url, agent }) => url === visit.url && agent === visit.agent)) return false;
    this.#visits = [...recent.slice(1 - VISITS_REMEMBERED), visit];
    if (visit.url === null) return true;
    await scheduler.wait(BURST_MS);
    return !isInBurst(visit, this.#visits);
  }
}

/**
 * Returns whether the visit belongs to a burst: the same agent followed BURST_LINKS different links
 * within BURST_MS.
 */
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
