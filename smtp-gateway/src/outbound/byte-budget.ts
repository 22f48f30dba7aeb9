// Bounds the bytes of outgoing messages in memory. What a holder may have depends on the bytes that
// are left free (a dynamic threshold), so that none takes all. One team's mail to one destination
// may hold as many as are left free. Mail to one destination, or of one team, may hold three times
// as many. Teams share a destination's room by the same rule: each may hold as many bytes as are
// left of it, so that a flood leaves room for other teams' mail to the same destination. A team's
// mail of high priority may hold as many as are left free beside all that. Pure.
import { Holdings } from "../holdings.ts";
import type { MailPriority } from "../outcome.ts";

/** Bytes that one message takes until release(). */
export interface Room {
  /** The message's destination is known now. False: its mail has no room there. */
  readonly headFor: (destination: string) => boolean;
  readonly release: () => void;
}

/** The holders that a message's bytes are counted for. */
export interface RoomHolders {
  /** The recipient's, as long as its destination is unknown. */
  readonly domain: string;
  readonly team: string;
  readonly priority: MailPriority;
}

/** Times the free bytes. */
const TEAM_SHARE = 3;
const DESTINATION_SHARE = 3;
const DOMAINS_KEPT = 10_000;

export class ByteBudget {
  readonly #bytes: number;
  /** Bytes of normal mail by destination, or by domain while the destination is unknown. */
  readonly #held = new Holdings();
  readonly #heldByTeam = new Holdings();
  /** Bytes of one team's normal mail to one destination. */
  readonly #heldByPair = new Holdings();
  /** Bytes of mail of high priority by team. */
  readonly #heldHigh = new Holdings();
  /** Destinations by domain, the oldest first. */
  readonly #destinations = new Map<string, string>();
  #free: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#free = bytes;
  }

  get taken(): number {
    return this.#bytes - this.#free;
  }

  /** Takes bytes. Null: there is no room for them. */
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
    // The bytes that the message leaves, so that a large one does not take the last of them.
    const left = DESTINATION_SHARE * (this.#free - bytes) - held - bytes;
    return held === 0 || wanted <= left;
  }

  /** Negative bytes are given back. */
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
