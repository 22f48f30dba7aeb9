// Finds out whether a send was stored, when the caller lost the answer to the send (contract.md
// §Statuses). The caller names the ids of the send's messages. The call waits until all earlier
// calls are committed. A send that is not stored is revoked, because its lost call may still
// arrive. The ledger must not accept that call after the caller was told that nothing is stored.
import type { AdmitItem, AdmitRequest, RecalledSend, RateState } from "../../rpc/ledger-calls.ts";
import { BoundedMap } from "../../lib/bounded-cache.ts";
import type { AdmissionState } from "./accept-send.ts";
import { candidatesIn, resultsOf } from "./decide-items.ts";

/**
 * Maximum number of revoked ids in memory. The ids need not be on disk. When the platform ends this
 * Durable Object, it also ends all calls to the object, so no revoked call arrives after a restart.
 */
const REVOKED_IDS = 10_000;

export interface RecallDependencies {
  readonly state: () => AdmissionState;
  /**
   * Returns whether the ledger has the message, or has events of the message that are not in a
   * chunk yet.
   */
  readonly isKnown: (emailId: string) => boolean;
  /** Runs work in the next group commit. */
  readonly write: <Result>(work: () => Result) => Promise<Result>;
}

export class RecalledSends {
  readonly #using: RecallDependencies;
  readonly #revoked = new BoundedMap<string, true>(REVOKED_IDS);

  constructor(using: RecallDependencies) {
    this.#using = using;
  }

  /** See TeamLedger.recall. */
  async recall(request: AdmitRequest, rate: RateState): Promise<RecalledSend> {
    return { ...(await this.#using.write(() => this.#find(request))), rate };
  }

  /** Returns whether one of the messages was revoked. */
  isRevoked(items: readonly AdmitItem[]): boolean {
    return this.#revoked.size > 0 && candidatesIn(items).some(({ id }) => this.#revoked.has(id));
  }

  #find({
    policy,
    idempotency: claim,
    lock,
    verdict,
    now,
  }: AdmitRequest): Omit<RecalledSend, "rate"> {
    if (verdict.kind !== "items") return { isKnown: false, items: [] };
    const { counters, keys } = this.#using.state();
    const candidates = candidatesIn(verdict.items);
    const known = candidates.map(({ id }) => this.#using.isKnown(id));
    const hasKnown = known.includes(true);
    if (!hasKnown) {
      if (claim && lock !== null) keys.release(claim.key, lock);
      for (const { id } of candidates) this.#revoked.set(id, true);
    }
    // If the send was stored, the labels of its accepted items are already counted. So this second
    // judgment refuses the same items for the same caps.
    const caps = counters.labels.judge(candidates, policy, now);
    const results = resultsOf(
      verdict.items,
      caps.map((cap, index) => (known[index] ? null : cap)),
    );
    return { isKnown: hasKnown, items: results };
  }
}
