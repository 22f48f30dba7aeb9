// Tells what became of sends whose answer got lost (contract.md §Statuses): the caller asks again
// by the ids of its messages. The question waits for the commit of everything that came before it,
// and a send that it does not find is revoked, so that a call still on its way is not accepted
// after the caller was told that nothing is stored.
import type { AdmitItem, AdmitRequest, Recalled, RateState } from "../../rpc/ledger-calls.ts";
import type { AdmissionState } from "./accept-send.ts";
import { candidatesIn, resultsOf } from "./decide-items.ts";

/**
 * Ids of revoked messages that are remembered. They are kept in memory only: the platform ends the
 * calls to an object with the object, so none arrives after its restart.
 */
const REVOKED_IDS = 10_000;

interface RecallDependencies {
  readonly state: () => AdmissionState;
  /** Runs work in the next group commit. */
  readonly write: <Result>(work: () => Result) => Promise<Result>;
}

export class RecalledSends {
  readonly #using: RecallDependencies;
  readonly #revoked = new Set<string>();

  constructor(using: RecallDependencies) {
    this.#using = using;
  }

  /** See TeamLedger.recall. */
  async recall(request: AdmitRequest, rate: RateState): Promise<Recalled> {
    return { ...(await this.#using.write(() => this.#find(request))), rate };
  }

  /** Tells whether one of the messages was revoked. */
  isRevoked(items: readonly AdmitItem[]): boolean {
    return this.#revoked.size > 0 && candidatesIn(items).some(({ id }) => this.#revoked.has(id));
  }

  #find({ policy, idempotency: claim, lock, verdict, now }: AdmitRequest): Omit<Recalled, "rate"> {
    if (verdict.kind !== "items") return { isKnown: false, items: [] };
    const { counters, keys, intake } = this.#using.state();
    const candidates = candidatesIn(verdict.items);
    const known = candidates.map(({ id }) => intake.isKnown(id));
    const hasKnown = known.includes(true);
    if (!hasKnown) {
      if (claim && lock !== null) keys.release(claim.key, lock);
      for (const { id } of candidates) this.#revoke(id);
    }
    // Labels that the send took do not count as new, so its items are judged as they were.
    const caps = counters.labels.judge(candidates, policy, now);
    const results = resultsOf(
      verdict.items,
      caps.map((cap, index) => (known[index] ? null : cap)),
    );
    return { isKnown: hasKnown, items: results };
  }

  #revoke(id: string): void {
    const [oldest] = this.#revoked;
    if (oldest !== undefined && this.#revoked.size >= REVOKED_IDS) this.#revoked.delete(oldest);
    this.#revoked.add(id);
  }
}
