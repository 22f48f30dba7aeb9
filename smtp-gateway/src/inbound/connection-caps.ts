// Decides which connections find a place. Strangers share half of the places; the rest is for
// customers. A stranger is a connection that has not authenticated, from an address that has not
// lately either. When the places are taken, the stranger that has been silent longest makes room,
// first in the network that holds the most places. A connection that leads to an authentication or
// to a genuine return-path costs nothing; any other takes from an allowance that grows back.
import { networksOf } from "./client-networks.ts";

/** An address is known for so long after an authentication. */
const KNOWN_MS = 60 * 60 * 1000;
const MINUTE_MS = 60_000;
const SWEEP_EVERY_MS = MINUTE_MS;
const STRANGERS_SHARE = 0.5;
/** An IPv6 /48 may hold and try so many times what one of its /64 may. */
const NETWORK_FACTOR = 4;
/**
 * A stranger is not silent before: networks that hold equally many places do not take them from
 * each other in the middle of a dialog.
 */
const SILENT_MS = 1_000;

export interface CapOptions {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Connections that lead to nothing, a minute; as many may come at once. */
  readonly attemptsPerMinute: number;
}

/** The cap that is in a connection's way. */
export type Cap = "server" | "strangers" | "address" | "network" | "rate";

/** The connection that has a place. */
export interface Client {
  /** The client waits for an answer of ours. */
  readonly isWaiting: () => boolean;
  /** Ends it: its place is needed. */
  readonly displace: () => void;
}

/** The count of one address or network. */
interface Tally {
  readonly factor: number;
  open: number;
  /** Open connections that have not authenticated. */
  strangers: number;
  /** The allowance that was left at `at` (milliseconds of the process). */
  allowance: number;
  at: number;
  knownUntil: number;
}

/** One connection's place among the others. */
export interface ConnectionPlace {
  /** The address authenticated not long ago. */
  readonly known: boolean;
  /** The client has said something. */
  readonly hear: () => void;
  /** The connection was worth having; counts once. */
  readonly proveFruitful: () => void;
  /** The client has authenticated: it keeps its place from now on. */
  readonly authenticate: () => void;
  /** Gives the place up, once. */
  readonly leave: () => void;
}

export class ConnectionCaps {
  readonly #options: CapOptions;
  readonly #now: () => number;
  /** The keys are addresses, /64 and /48. */
  readonly #tallies = new Map<string, Tally>();
  /** Connections that have not authenticated; those that have been silent longest come first. */
  readonly #waiting = new Set<Seat>();
  #open = 0;
  /** Open connections that have not authenticated, from addresses that are not known. */
  #strangers = 0;
  #sweptAt = 0;

  constructor(options: CapOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Half of the strangers' places are taken: they get less time. */
  get isStressed(): boolean {
    return this.#strangers * 2 >= this.#strangersMax;
  }

  /** A place for one connection, which may displace another; or the cap in the way. */
  admit(address: string, client: Client): ConnectionPlace | Cap {
    const now = this.#now();
    this.#sweep(now);
    const networks = networksOf(address);
    const own = this.#tally(networks.address, 1, now);
    const tallies =
      networks.network === networks.address
        ? [own]
        : [own, this.#tally(networks.network, NETWORK_FACTOR, now)];
    const known = own.knownUntil > now;
    // A provider's /48 may hold many customers: the tries of one do not close it to those who are
    // known.
    if ((known ? [own] : tallies).some(({ allowance }) => allowance < 1)) return "rate";
    const seat = new Seat(tallies, client, known, now);
    const cap = this.#makeRoom(seat, now);
    if (cap) return cap;
    for (const tally of tallies) tally.allowance = Math.max(0, tally.allowance - 1);
    this.#sit(seat);
    return this.#placeOf(seat);
  }

  get #strangersMax(): number {
    return Math.max(1, Math.floor(this.#options.connections * STRANGERS_SHARE));
  }

  /**
   * Displaces until there is a place for `newcomer`. Returns the cap that could not be met; null:
   * there is room.
   */
  #makeRoom(newcomer: Seat, now: number): Cap | null {
    const { connections, connectionsPerAddress } = this.#options;
    const [own, network] = newcomer.tallies as [Tally, Tally | undefined];
    const isOfNetwork = (seat: Seat): boolean => seat.tallies[1] === network;
    const caps: [Cap, isFull: () => boolean, isAmong: (seat: Seat) => boolean][] = [
      ["address", () => own.open >= connectionsPerAddress, (seat) => seat.tallies[0] === own],
      [
        "network",
        () => network !== undefined && network.strangers >= connectionsPerAddress * NETWORK_FACTOR,
        isOfNetwork,
      ],
      ["server", () => this.#open >= connections, () => true],
      [
        "strangers",
        () => !newcomer.known && this.#strangers >= this.#strangersMax,
        (seat) => !seat.known,
      ],
    ];
    for (const [cap, isFull, isAmong] of caps) {
      if (!isFull()) continue;
      const displaced = this.#mostSilent(newcomer, isAmong, now);
      if (!displaced) return cap;
      this.#rise(displaced);
      displaced.client.displace();
    }
    return null;
  }

  /**
   * Returns the seat that `newcomer` may take: the most silent one in the network with the most
   * places. A seat that was heard within the last second is safe from a network that holds as many
   * places, and a seat of a known address is safe from one that is not. Null: every seat is safe.
   */
  #mostSilent(newcomer: Seat, isAmong: (seat: Seat) => boolean, now: number): Seat | null {
    let first: Seat | null = null;
    let greediest: Seat | null = null;
    for (const seat of this.#waiting) {
      if (!isAmong(seat) || seat.client.isWaiting()) continue;
      first ??= seat;
      if (greediest === null || seat.crowd > greediest.crowd) greediest = seat;
    }
    if (first === null || greediest === null) return null;
    const isOutranked =
      newcomer.known === greediest.known ? greediest.crowd > newcomer.crowd + 1 : newcomer.known;
    if (isOutranked || now - greediest.heardAt >= SILENT_MS) return greediest;
    return now - first.heardAt >= SILENT_MS ? first : null;
  }

  #placeOf(seat: Seat): ConnectionPlace {
    let isFruitful = false;
    const proveFruitful = (): void => {
      if (isFruitful) return;
      isFruitful = true;
      for (const tally of seat.tallies)
        tally.allowance = Math.min(
          tally.allowance + 1,
          this.#options.attemptsPerMinute * tally.factor,
        );
    };
    return {
      known: seat.known,
      hear: () => {
        seat.heardAt = this.#now();
        if (this.#waiting.delete(seat)) this.#waiting.add(seat);
      },
      proveFruitful,
      authenticate: () => {
        proveFruitful();
        seat.tallies[0]!.knownUntil = this.#now() + KNOWN_MS;
        if (this.#waiting.delete(seat)) this.#countStranger(seat, -1);
      },
      leave: () => this.#rise(seat),
    };
  }

  #sit(seat: Seat): void {
    this.#open += 1;
    for (const tally of seat.tallies) tally.open += 1;
    this.#waiting.add(seat);
    this.#countStranger(seat, 1);
  }

  #rise(seat: Seat): void {
    if (seat.hasLeft) return;
    seat.hasLeft = true;
    this.#open -= 1;
    for (const tally of seat.tallies) tally.open -= 1;
    if (this.#waiting.delete(seat)) this.#countStranger(seat, -1);
  }

  #countStranger(seat: Seat, change: 1 | -1): void {
    for (const tally of seat.tallies) tally.strangers += change;
    if (!seat.known) this.#strangers += change;
  }

  #tally(group: string, factor: number, now: number): Tally {
    const most = this.#options.attemptsPerMinute * factor;
    const tally = this.#tallies.get(group) ?? {
      factor,
      open: 0,
      strangers: 0,
      allowance: most,
      at: now,
      knownUntil: 0,
    };
    tally.allowance = Math.min(tally.allowance + ((now - tally.at) / MINUTE_MS) * most, most);
    tally.at = now;
    this.#tallies.set(group, tally);
    return tally;
  }

  /** Forgets addresses of which nothing needs to be known. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    for (const [group, { open, at, knownUntil }] of this.#tallies) {
      if (open === 0 && now - at >= MINUTE_MS && knownUntil <= now) this.#tallies.delete(group);
    }
  }
}

class Seat {
  readonly tallies: readonly Tally[];
  readonly client: Client;
  readonly known: boolean;
  heardAt: number;
  hasLeft = false;

  constructor(tallies: readonly Tally[], client: Client, known: boolean, heardAt: number) {
    this.tallies = tallies;
    this.client = client;
    this.known = known;
    this.heardAt = heardAt;
  }

  /** The number of strangers that its network holds. */
  get crowd(): number {
    return this.tallies.at(-1)!.strangers;
  }
}
