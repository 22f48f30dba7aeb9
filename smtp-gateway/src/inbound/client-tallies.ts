// Counts, for each client address and network, its open connections and the connections that it may
// still open (smtp-gateway/DESIGN.md §Floods). Each connection takes one from this allowance, which
// grows back by the minute. A useful connection gives it back.
import { networksOf } from "./client-networks.ts";

/** An address is known for this long after an authentication. */
const AUTHENTICATED_KNOWN_MS = 60 * 60 * 1000;
const MINUTE_MS = 60_000;
const SWEEP_EVERY_MS = MINUTE_MS;
/** An IPv6 /48 may hold and open this many times as much as one of its /64s. */
export const NETWORK_FACTOR = 4;

/** The counts of one address or network. */
export interface ClientTally {
  readonly factor: number;
  open: number;
  /** Open connections that have not authenticated. */
  unauthenticated: number;
  /** The allowance at the time `at` (milliseconds of the process). */
  allowance: number;
  at: number;
  knownUntil: number;
}

export class ClientTallies {
  readonly #attemptsPerMinute: number;
  /** The keys are addresses, /64 and /48. */
  readonly #tallies = new Map<string, ClientTally>();
  #sweptAt = 0;

  /** `attemptsPerMinute`: the allowance of an address, and how much of it grows back per minute. */
  constructor(attemptsPerMinute: number) {
    this.#attemptsPerMinute = attemptsPerMinute;
  }

  /** The tally of an address; for IPv6, also that of its network. */
  of(address: string, now: number): readonly [ClientTally, ...ClientTally[]] {
    this.#sweep(now);
    const networks = networksOf(address);
    const own = this.#tally(networks.address, 1, now);
    return networks.network === networks.address
      ? [own]
      : [own, this.#tally(networks.network, NETWORK_FACTOR, now)];
  }

  /** Takes one connection from each allowance. */
  spend(tallies: readonly ClientTally[]): void {
    for (const tally of tallies) tally.allowance = Math.max(0, tally.allowance - 1);
  }

  /** Gives one connection back to each allowance. */
  refund(tallies: readonly ClientTally[]): void {
    for (const tally of tallies)
      tally.allowance = Math.min(tally.allowance + 1, this.#attemptsPerMinute * tally.factor);
  }

  /** Notes that a client authenticated from the address of `tally`. */
  noteKnown(tally: ClientTally, now: number): void {
    tally.knownUntil = now + AUTHENTICATED_KNOWN_MS;
  }

  #tally(group: string, factor: number, now: number): ClientTally {
    const most = this.#attemptsPerMinute * factor;
    const tally = this.#tallies.get(group) ?? {
      factor,
      open: 0,
      unauthenticated: 0,
      allowance: most,
      at: now,
      knownUntil: 0,
    };
    tally.allowance = Math.min(tally.allowance + ((now - tally.at) / MINUTE_MS) * most, most);
    tally.at = now;
    this.#tallies.set(group, tally);
    return tally;
  }

  /** Forgets tallies that equal a new one. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    for (const [group, { open, at, knownUntil }] of this.#tallies) {
      if (open === 0 && now - at >= MINUTE_MS && knownUntil <= now) this.#tallies.delete(group);
    }
  }
}
