// Applies the newest limits of a team that the ledger knows. An isolate may have read older limits
// from a replica that lags (docs/scaling.md §Read replication).
import type { AdmitRequest, Policy } from "../../rpc/ledger-calls.ts";

export class NewestPolicy {
  #known: Policy | undefined;

  /**
   * Returns the newest known policy: the given policy, or the policy of an earlier call with a
   * later `asOf`.
   */
  of(given: Policy): Policy {
    if (!this.#known || this.#known.asOf <= given.asOf) this.#known = given;
    return this.#known;
  }

  applyTo(request: AdmitRequest): AdmitRequest {
    const policy = this.of(request.policy);
    return policy === request.policy ? request : { ...request, policy };
  }
}
