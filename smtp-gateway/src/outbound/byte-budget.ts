// Limits the bytes of outgoing messages in memory. Each limit depends on the number of free bytes
// (a dynamic threshold), so that some bytes always stay free. Mail from one team to one destination
// may take as many bytes as are free. All mail to one destination may take three times the free
// bytes, and so may all mail from one team. A team's mail to a destination may also take no more
// bytes than the destination has left, so that a flood leaves memory for other teams. Each team's
// mail of high priority is counted separately, and may take as many bytes as are free. Pure.
import { Holdings } from "../counts-by-holder.ts";
import type { MailPriority } from "../outcome.ts";

/** The bytes that are taken for one message, until release(). */
export interface Room {
  /**
   * Counts the message for this destination from now on. Returns false if the destination has too
   * few bytes left for it.
   */
  readonly headFor: (destination: string) => boolean;
  readonly release: () => void;
}

/** The domain, team and priority for which a message's bytes are counted. */
export interface RoomHolders {
  /**
   * The recipient's domain. The bytes are counted for the domain until the destination is known.
   */
  readonly domain: string;
  readonly team: string;
  readonly priority: MailPriority;
}

/**
 * Factors of the limits. The maximum number of bytes for one team, and for one destination, is the
 * number of free bytes times its factor.
 */
const TEAM_SHARE = 3;
const DESTINATION_SHARE = 3;
const DOMAINS_KEPT = 10_000;

export class ByteBudget {
  readonly #bytes: number;
  /** Bytes of normal mail by destination, or by domain while its destination is not known. */
  readonly #held = new Holdings();
  readonly #heldByTeam = new Holdings();
  /** Bytes of normal mail by team and destination. */
  readonly #heldByPair = new Holdings();
  /** Bytes of mail of high priority, by team. */
  readonly #heldHigh = new Holdings();
  /** The destination of each domain, in the order in which the entries were set. */
  readonly #destinations = new Map<string, string>();
  #free: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#free = bytes;
  }

  get taken(): number {
    return this.#bytes - this.#free;
  }

  /** Takes bytes for a message. Returns null if a limit does not allow so many. */
  tryTake(holders: RoomHolders, bytes: number): Room | null {
    return holders.priority === "high"
      ? this.#tryTakeHigh(holders, bytes)
      : this.#tryTakeNormal(holders, bytes);
  }

  #tryTakeHigh({ domain, team }: RoomHolders, bytes: number): Room | null {
    if (this.#heldHigh.of(team) + bytes > this.#free) return null;
    this.#heldHigh.add(team, bytes);
    this.#free -= bytes;
    return {
      headFor: (destination) => {
        this.#learn(domain, destination);
        return true;
      },
      release: () => {
        this.#heldHigh.add(team, -bytes);
        this.#free += bytes;
      },
    };
  }

  #tryTakeNormal({ domain, team }: RoomHolders, bytes: number): Room | null {
    let holder = this.#destinations.get(domain) ?? domain;
    if (!this.#fits(holder, team, bytes)) return null;
    if (this.#heldByTeam.of(team) + bytes > TEAM_SHARE * this.#free) return null;
    this.#heldByTeam.add(team, bytes);
    this.#take(holder, team, bytes);
    return {
      headFor: (destination) => {
        this.#learn(domain, destination);
        if (holder === destination) return true;
        this.#take(holder, team, -bytes);
        holder = destination;
        const fits = this.#fits(holder, team, bytes);
        this.#take(holder, team, bytes);
        return fits;
      },
      release: () => {
        this.#heldByTeam.add(team, -bytes);
        this.#take(holder, team, -bytes);
      },
    };
  }

  #fits(destination: string, team: string, bytes: number): boolean {
    const wanted = this.#heldByPair.of(pairOf(destination, team)) + bytes;
    if (wanted > this.#free) return false;
    const held = this.#held.of(destination);
    // The limit is computed from the bytes that are free after this message. So a large message
    // can't take the last free bytes.
    const left = DESTINATION_SHARE * (this.#free - bytes) - held - bytes;
    return held === 0 || wanted <= left;
  }

  /** Counts bytes for a destination and a team. A negative number releases bytes. */
  #take(destination: string, team: string, bytes: number): void {
    this.#held.add(destination, bytes);
    this.#heldByPair.add(pairOf(destination, team), bytes);
    this.#free -= bytes;
  }

  #learn(domain: string, destination: string): void {
    this.#destinations.delete(domain);
    if (this.#destinations.size >= DOMAINS_KEPT)
      this.#destinations.delete(this.#destinations.keys().next().value!);
    this.#destinations.set(domain, destination);
  }
}

function pairOf(destination: string, team: string): string {
  return `${team} ${destination}`;
}
