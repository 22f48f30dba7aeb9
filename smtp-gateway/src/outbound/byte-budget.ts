// Bounds the bytes of outgoing messages in memory. The mail to one destination may hold at most as
// many as are left free (a dynamic threshold), so that none takes all: one destination gets half,
// and each further one finds room beside those whose servers hang. One team's mail may hold three
// times as many as are left free, so that a flood to many destinations leaves room for other teams.
// A team's mail of high priority may hold as many as are left free beside all that, so that it
// finds room whatever its other mail holds. Pure.
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

const TEAM_SHARE = 3;
const DOMAINS_KEPT = 10_000;

export class ByteBudget {
  readonly #bytes: number;
  /** Bytes of normal mail by destination, or by domain while the destination is unknown. */
  readonly #held = new Holdings();
  readonly #heldByTeam = new Holdings();
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
    if (this.#held.of(holder) + bytes > this.#free) return null;
    if (this.#heldByTeam.of(team) + bytes > TEAM_SHARE * this.#free) return null;
    this.#held.add(holder, bytes);
    this.#heldByTeam.add(team, bytes);
    this.#free -= bytes;
    return {
      headFor: (destination) => {
        this.#learn(domain, destination);
        if (holder === destination) return true;
        this.#held.add(holder, -bytes);
        holder = destination;
        this.#held.add(holder, bytes);
        return this.#held.of(holder) - bytes <= this.#free;
      },
      release: () => {
        this.#held.add(holder, -bytes);
        this.#heldByTeam.add(team, -bytes);
        this.#free += bytes;
      },
    };
  }

  #learn(domain: string, destination: string): void {
    this.#destinations.delete(domain);
    if (this.#destinations.size >= DOMAINS_KEPT)
      this.#destinations.delete(this.#destinations.keys().next().value!);
    this.#destinations.set(domain, destination);
  }
}
