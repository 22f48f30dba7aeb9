// Finds out whether a send was stored when its answer got lost (contract.md §Statuses). The caller
// asks by the ids of the send's messages. The question waits until all earlier calls are committed.
// A send that is not found is revoked: the call that carries it may still arrive, and must not be
// accepted after the caller was told that nothing is stored.
import type { AdmitItem, AdmitRequest, RecalledSend, RateState } from "../../rpc/ledger-calls.ts";
import { BoundedMap } from "../../lib/bounded-cache.ts";
import type { AdmissionState } from "./accept-send.ts";
import { candidatesIn, resultsOf } from "./decide-items.ts";

/**
 * Maximum number of revoked ids that are remembered, in memory only. When the platform ends this
 * Durable Object, it also ends all calls to the object, so no revoked call arrives after a restart.
 */
const REVOKED_IDS = 10_000;

export interface RecallDependencies {
  readonly state: () => AdmissionState;
  /** Tells whether the ledger has the message, or events of it that are not in a chunk yet. */
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

  /** Tells whether one of the messages was revoked. */
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
    // If the send was stored, its labels are already counted and are not new. So judging the send a
    // second time gives the same caps.
    const caps = counters.labels.judge(candidates, policy, now);
    const results = resultsOf(
      verdict.items,
      caps.map((cap, index) => (known[index] ? null : cap)),
    );
    return { isKnown: hasKnown, items: results };
  }
}
