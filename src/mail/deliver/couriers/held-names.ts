// Remembers for some seconds, in this isolate, which sending domains the provider refuses to carry,
// or that it refuses the whole account (docs/architecture.md §Hold). So copies that were released
// before a ledger knew of the hold come back without a call to the provider. The ledgers' probes
// always go to the provider.
import { BoundedMap } from "../../../lib/bounded-cache.ts";
import type { Hold, ObservedHold } from "../../../rpc/holds.ts";

/**
 * Time for which a refusal is remembered. If a copy comes back whose hold has just ended, the
 * ledger waits before it releases the copy again. The refusal must be forgotten by then, so this
 * time is shorter than that wait.
 */
const REMEMBERED_MS = 10_000;
const DOMAINS_MAX = 1_000;
const ACCOUNT = "*";

const byProvider = new WeakMap<object, HeldNames>();

/** Returns a provider's remembered refusals. `speedup`, at least 1, divides the time for them. */
export function heldNamesOf(provider: object, speedup: number): HeldNames {
  const names = byProvider.get(provider) ?? new HeldNames(REMEMBERED_MS / speedup);
  byProvider.set(provider, names);
  return names;
}

export class HeldNames {
  readonly #rememberedMs: number;
  readonly #refusals = new BoundedMap<string, ObservedHold>(DOMAINS_MAX);

  constructor(rememberedMs: number) {
    this.#rememberedMs = rememberedMs;
  }

  /** Records a refusal, and returns it with its time. */
  note({ scope, code, message }: Hold, domain: string, now: number): ObservedHold {
    const name = scope === "account" ? ACCOUNT : domain;
    const refusal = { scope, code, message, refusedAt: now };
    this.#refusals.setLast(name, refusal);
    return refusal;
  }

  /** Records that the provider takes copies of the domain. */
  forget(domain: string): void {
    if (this.#refusals.size === 0) return;
    this.#refusals.delete(domain);
    this.#refusals.delete(ACCOUNT);
  }

  /** Returns the hold of the domain. Undefined means that no hold is known. */
  of(domain: string, now: number): ObservedHold | undefined {
    if (this.#refusals.size === 0) return undefined;
    const isFresh = (hold: ObservedHold | undefined): boolean =>
      hold !== undefined && now < hold.refusedAt + this.#rememberedMs;
    return [domain, ACCOUNT].map((name) => this.#refusals.get(name)).find(isFresh);
  }
}
