// Bounds the bytes of outgoing messages in memory. Each bound depends on the bytes that are free (a
// dynamic threshold), so that some bytes always stay free. The mail of one team to one destination
// may hold as many bytes as are free. All mail to one destination, or of one team, may hold three
// times as many. The teams share a destination's room by the same rule: each may hold as many bytes
// as the destination has left, so a flood leaves room for other teams. Mail of high priority is
// counted apart: a team may hold as many bytes of it as are free. Pure.
import { Holdings } from "../holdings.ts";
import type { MailPriority } from "../outcome.ts";

/** The bytes that one message takes until release(). */
export interface Room {
  /** Notes the message's destination. False: it has no room there. */
  readonly headFor: (destination: string) => boolean;
  readonly release: () => void;
}

/** The holders in whose bounds the message's bytes count. */
export interface RoomHolders {
  /** The recipient's domain. It is counted while the destination is unknown. */
  readonly domain: string;
  readonly team: string;
  readonly priority: MailPriority;
}

/** Factors of the free bytes. */
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
    // Counts the bytes that are left after this message, so that a large one can't take the last.
    const left = DESTINATION_SHARE * (this.#free - bytes) - held - bytes;
    return held === 0 || wanted <= left;
  }

  /** A negative number gives bytes back. */
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
