// Remembers for a moment, in this isolate, what the provider takes no copies of: sending domains, or
// the whole account (docs/architecture.md §Hold). So the copies that were released before a ledger
// knew of the hold come back without being offered. The ledgers' probes are always offered.
import { BoundedMap } from "../../../lib/bounded-cache.ts";
import type { Hold, ObservedHold } from "../../../rpc/holds.ts";

/**
 * Time for which a refusal is remembered. It is shorter than the wait after which a ledger offers a
 * copy again that came back although its hold had ended.
 */
const REMEMBERED_MS = 10_000;
const DOMAINS_MAX = 1_000;
const ACCOUNT = "*";

const byProvider = new WeakMap<object, HeldNames>();

/** Returns the memory of a provider's binding. `speedup`: divisor of its time, at least 1. */
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

  /** Notes a refusal, and returns it with its time. */
  note({ scope, code, message }: Hold, domain: string, now: number): ObservedHold {
    const name = scope === "account" ? ACCOUNT : domain;
    const refusal = { scope, code, message, refusedAt: now };
    this.#refusals.setLast(name, refusal);
    return refusal;
  }

  /** Notes that the provider takes copies of the domain. */
  forget(domain: string): void {
    if (this.#refusals.size === 0) return;
    this.#refusals.delete(domain);
    this.#refusals.delete(ACCOUNT);
  }

  /** Returns the hold of the domain. Undefined: none is known. */
  of(domain: string, now: number): ObservedHold | undefined {
    if (this.#refusals.size === 0) return undefined;
    const isFresh = (hold: ObservedHold | undefined): boolean =>
      hold !== undefined && now < hold.refusedAt + this.#rememberedMs;
    return [domain, ACCOUNT].map((name) => this.#refusals.get(name)).find(isFresh);
  }
}
