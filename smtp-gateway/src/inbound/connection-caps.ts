// Decides which connections get a place (smtp-gateway/DESIGN.md §Floods). A connection is unknown
// until it authenticates, unless its address authenticated lately. Unknown connections share half
// of the places. When no place is free, the unauthenticated connection that has been silent longest
// is displaced, first in the network that holds the most places. A connection takes one from its
// address's allowance, and gives it back when it authenticates or names a genuine return-path.
import { ClientTallies, type ClientTally, NETWORK_FACTOR } from "./client-tallies.ts";

const UNKNOWN_SHARE = 0.5;
/**
 * A connection is protected for this long after its last activity. Otherwise networks with equally
 * many places would displace each other in the middle of a dialog.
 */
const DISPLACEABLE_AFTER_MS = 1_000;

interface CapOptions {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Connections per minute, and at once, that one address may open without a result. */
  readonly attemptsPerMinute: number;
}

/** The cap that refuses a connection; `strangers` is the cap on unknown connections. */
export type Cap = "server" | "strangers" | "address" | "network" | "rate";

/** The connection that asks for a place, or that may lose it. */
export interface Client {
  /** True: the client waits for our reply, so it must not be displaced. */
  readonly awaitsReply: () => boolean;
  /** Ends the connection, because another one gets its place. */
  readonly displace: () => void;
}

/** The place of one connection. */
export interface ConnectionSlot {
  /** True: the address authenticated within the last hour. */
  readonly known: boolean;
  /** Call when the client has sent something. */
  readonly noteActivity: () => void;
  /**
   * Gives the attempt back to the address's allowance, once, because the connection had a result.
   */
  readonly refundAttempt: () => void;
  /** Call when the client has authenticated. From then on it can't be displaced. */
  readonly authenticate: () => void;
  /** Gives the place up, once. */
  readonly release: () => void;
}

export class ConnectionCaps {
  readonly #options: CapOptions;
  readonly #now: () => number;
  readonly #tallies: ClientTallies;
  /** Connections that have not authenticated; the one silent for longest comes first. */
  readonly #unauthenticated = new Set<OpenConnection>();
  #open = 0;
  /** Number of unauthenticated connections from addresses that are not known. */
  #unknown = 0;

  constructor(options: CapOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
    this.#tallies = new ClientTallies(options.attemptsPerMinute);
  }

  /** True: unknown connections hold half of their places, so each of them gets less time. */
  get isStressed(): boolean {
    return this.#unknown * 2 >= this.#unknownMax;
  }

  /**
   * Returns a place for the connection, or the cap that refuses it. May displace another
   * connection.
   */
  admit(address: string, client: Client): ConnectionSlot | Cap {
    const now = this.#now();
    const tallies = this.#tallies.of(address, now);
    const [own] = tallies;
    const known = own.knownUntil > now;
    // A provider's /48 may hold many customers. One customer's attempts must not lock out the known
    // addresses.
    if ((known ? [own] : tallies).some(({ allowance }) => allowance < 1)) return "rate";
    const connection = new OpenConnection(tallies, client, known, now);
    const cap = this.#makeRoom(connection, now);
    if (cap) return cap;
    this.#tallies.spend(tallies);
    this.#add(connection);
    return this.#placeOf(connection);
  }

  get #unknownMax(): number {
    return Math.max(1, Math.floor(this.#options.connections * UNKNOWN_SHARE));
  }

  /**
   * Displaces connections until `newcomer` has a place. Returns the cap that still refuses it, or
   * null.
   */
  #makeRoom(newcomer: OpenConnection, now: number): Cap | null {
    const { connections, connectionsPerAddress } = this.#options;
    const [own, network] = newcomer.tallies;
    const caps: [Cap, isFull: () => boolean, isAmong: (one: OpenConnection) => boolean][] = [
      ["address", () => own.open >= connectionsPerAddress, (one) => one.tallies[0] === own],
      [
        "network",
        () =>
          network !== undefined &&
          network.unauthenticated >= connectionsPerAddress * NETWORK_FACTOR,
        (one) => one.tallies[1] === network,
      ],
      ["server", () => this.#open >= connections, () => true],
      [
        "strangers",
        () => !newcomer.known && this.#unknown >= this.#unknownMax,
        (one) => !one.known,
      ],
    ];
    for (const [cap, isFull, isAmong] of caps) {
      if (!isFull()) continue;
      const displaced = this.#findDisplaceable(newcomer, isAmong, now);
      if (!displaced) return cap;
      this.#remove(displaced);
      displaced.client.displace();
    }
    return null;
  }

  /**
   * Returns the connection that `newcomer` may displace: the one silent for longest in the network
   * with the most places. A connection that sent something within the last second is safe if its
   * network holds no more places than the newcomer's. A known connection is safe from an unknown
   * one. Null: all are safe.
   */
  #findDisplaceable(
    newcomer: OpenConnection,
    isAmong: (one: OpenConnection) => boolean,
    now: number,
  ): OpenConnection | null {
    let mostSilent: OpenConnection | null = null;
    let mostCrowded: OpenConnection | null = null;
    for (const one of this.#unauthenticated) {
      if (!isAmong(one) || one.client.awaitsReply()) continue;
      mostSilent ??= one;
      if (mostCrowded === null || one.networkSize > mostCrowded.networkSize) mostCrowded = one;
    }
    if (mostSilent === null || mostCrowded === null) return null;
    const isOutranked =
      newcomer.known === mostCrowded.known
        ? mostCrowded.networkSize > newcomer.networkSize + 1
        : newcomer.known;
    if (isOutranked || now - mostCrowded.activeAt >= DISPLACEABLE_AFTER_MS) return mostCrowded;
    return now - mostSilent.activeAt >= DISPLACEABLE_AFTER_MS ? mostSilent : null;
  }

  #placeOf(connection: OpenConnection): ConnectionSlot {
    let isRefunded = false;
    const refundAttempt = (): void => {
      if (!isRefunded) this.#tallies.refund(connection.tallies);
      isRefunded = true;
    };
    return {
      known: connection.known,
      noteActivity: () => {
        connection.activeAt = this.#now();
        if (this.#unauthenticated.delete(connection)) this.#unauthenticated.add(connection);
      },
      refundAttempt,
      authenticate: () => {
        refundAttempt();
        this.#tallies.noteKnown(connection.tallies[0], this.#now());
        if (this.#unauthenticated.delete(connection)) this.#countUnauthenticated(connection, -1);
      },
      release: () => this.#remove(connection),
    };
  }

  #add(connection: OpenConnection): void {
    this.#open += 1;
    for (const tally of connection.tallies) tally.open += 1;
    this.#unauthenticated.add(connection);
    this.#countUnauthenticated(connection, 1);
  }

  #remove(connection: OpenConnection): void {
    if (connection.isRemoved) return;
    connection.isRemoved = true;
    this.#open -= 1;
    for (const tally of connection.tallies) tally.open -= 1;
    if (this.#unauthenticated.delete(connection)) this.#countUnauthenticated(connection, -1);
  }

  #countUnauthenticated(connection: OpenConnection, change: 1 | -1): void {
    for (const tally of connection.tallies) tally.unauthenticated += change;
    if (!connection.known) this.#unknown += change;
  }
}

class OpenConnection {
  readonly tallies: readonly [ClientTally, ...ClientTally[]];
  readonly client: Client;
  readonly known: boolean;
  /** When its client sent something last, milliseconds of the process. */
  activeAt: number;
  isRemoved = false;

  constructor(
    tallies: readonly [ClientTally, ...ClientTally[]],
    client: Client,
    known: boolean,
    activeAt: number,
  ) {
    this.tallies = tallies;
    this.client = client;
    this.known = known;
    this.activeAt = activeAt;
  }

  /** Number of unauthenticated connections of its network; for IPv4, of its address. */
  get networkSize(): number {
    return this.tallies.at(-1)!.unauthenticated;
  }
}
