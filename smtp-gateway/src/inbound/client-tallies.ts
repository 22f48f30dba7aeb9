// Counts the open connections of each client's IP address and network, and its allowance: the
// number of connections that it may still open (smtp-gateway/DESIGN.md §Floods). Each new
// connection lowers the allowance by one, and the allowance grows again every minute. If a
// connection authenticates or names a genuine return-path, the allowance rises by one.
import { networksOf } from "./client-networks.ts";
import { HOUR_MS, MINUTE_MS } from "../millisecond-units.ts";

/** Milliseconds for which an IP address counts as known after a client authenticated from it. */
const AUTHENTICATED_KNOWN_MS = HOUR_MS;
const SWEEP_EVERY_MS = MINUTE_MS;
/** Factor between the limits of an IPv6 /48 and those of one of its /64s. */
export const NETWORK_FACTOR = 4;

/** The counts of one IP address or network. */
export interface ClientTally {
  readonly factor: number;
  open: number;
  /** Number of open connections that have not authenticated. */
  unauthenticated: number;
  /**
   * Number of connections that may still be opened, computed at the time `at` (milliseconds of the
   * process's clock).
   */
  allowance: number;
  at: number;
  knownUntil: number;
}

export class ClientTallies {
  readonly #attemptsPerMinute: number;
  /** The counts of each client. A key is an IPv4 address, an IPv6 /64 or an IPv6 /48. */
  readonly #tallies = new Map<string, ClientTally>();
  #sweptAt = 0;

  /**
   * `attemptsPerMinute`: the full allowance of an IP address, and the amount by which the allowance
   * grows per minute.
   */
  constructor(attemptsPerMinute: number) {
    this.#attemptsPerMinute = attemptsPerMinute;
  }

  /** Returns the counts of an IP address. For IPv6, also returns the counts of its /48. */
  of(address: string, now: number): readonly [ClientTally, ...ClientTally[]] {
    this.#sweep(now);
    const networks = networksOf(address);
    const own = this.#tally(networks.address, 1, now);
    return networks.network === networks.address
      ? [own]
      : [own, this.#tally(networks.network, NETWORK_FACTOR, now)];
  }

  spend(tallies: readonly ClientTally[]): void {
    for (const tally of tallies) tally.allowance = Math.max(0, tally.allowance - 1);
  }

  refund(tallies: readonly ClientTally[]): void {
    for (const tally of tallies)
      tally.allowance = Math.min(tally.allowance + 1, this.#attemptsPerMinute * tally.factor);
  }

  /** Records that a client authenticated from the address of `tally`. */
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

  /** Drops counts that equal those of a new client. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    for (const [group, { open, at, knownUntil }] of this.#tallies) {
      if (open === 0 && now - at >= MINUTE_MS && knownUntil <= now) this.#tallies.delete(group);
    }
  }
}
