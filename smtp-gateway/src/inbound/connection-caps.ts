// Decides which SMTP connections may stay open (smtp-gateway/DESIGN.md §Floods). Each open
// connection has a slot. A connection is unknown until it authenticates, unless another client
// authenticated from its IP address within the last hour. Unknown connections share half of the
// slots. When no slot is free, a new connection displaces the longest silent unauthenticated
// connection of the network with the most slots. Each new connection lowers the number of
// connections that its IP address may still open. If the connection authenticates or names a
// genuine return-path, it no longer counts.
import type { IntakeSettings } from "../config.ts";
import { ClientTallies, type ClientTally, NETWORK_FACTOR } from "./client-tallies.ts";

const UNKNOWN_SHARE = 0.5;
/**
 * Milliseconds after its last activity in which a connection can't be displaced. Without this time,
 * networks with equally many slots would displace each other's connections in the middle of a
 * dialog.
 */
const DISPLACEABLE_AFTER_MS = 1_000;

type CapOptions = Pick<
  IntakeSettings,
  "connections" | "connectionsPerAddress" | "attemptsPerMinute"
>;

/** The limit that refuses a connection. `strangers` is the limit on unknown connections. */
export type Cap = "server" | "strangers" | "address" | "network" | "rate";

/** A client that asks for a slot, or that may lose its slot. */
export interface Client {
  /** True: the client waits for our reply, so its connection must not be displaced. */
  readonly awaitsReply: () => boolean;
  /** Ends the connection, because another connection gets its slot. */
  readonly displace: () => void;
}

/** The slot of one open connection. */
export interface ConnectionSlot {
  /** True: a client authenticated from this IP address within the last hour. */
  readonly known: boolean;
  /** Must be called when the client has sent something. */
  readonly noteActivity: () => void;
  /**
   * Raises by one the number of connections that the IP address may still open, because this
   * connection was useful. Further calls do nothing.
   */
  readonly refundAttempt: () => void;
  /**
   * Must be called when the client has authenticated. After that, the connection can't be
   * displaced.
   */
  readonly authenticate: () => void;
  /** Releases the slot. Further calls do nothing. */
  readonly release: () => void;
}

export class ConnectionCaps {
  readonly #options: CapOptions;
  readonly #now: () => number;
  readonly #tallies: ClientTallies;
  /** Connections that have not authenticated, the one that has been silent for longest first. */
  readonly #unauthenticated = new Set<OpenConnection>();
  #open = 0;
  /** Number of unauthenticated connections from IP addresses that are not known. */
  #unknown = 0;

  constructor(options: CapOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
    this.#tallies = new ClientTallies(options.attemptsPerMinute);
  }

  /**
   * True: unknown connections use at least half of their permitted slots, so each gets less time.
   */
  get isStressed(): boolean {
    return this.#unknown * 2 >= this.#unknownMax;
  }

  /**
   * Returns a slot for the connection, or the limit that refuses the connection. Another connection
   * may be displaced for it.
   */
  admit(address: string, client: Client): ConnectionSlot | Cap {
    const now = this.#now();
    const tallies = this.#tallies.of(address, now);
    const [own] = tallies;
    const known = own.knownUntil > now;
    // A known address is limited only by its own allowance, and not by that of its /48. A
    // provider's /48 may contain many customers, and one customer must not lock out another's known
    // address.
    if ((known ? [own] : tallies).some(({ allowance }) => allowance < 1)) return "rate";
    const connection = { tallies, client, known, activeAt: now, isRemoved: false };
    const cap = this.#makeRoom(connection, now);
    if (cap) return cap;
    this.#tallies.spend(tallies);
    this.#add(connection);
    return this.#slotOf(connection);
  }

  get #unknownMax(): number {
    return Math.max(1, Math.floor(this.#options.connections * UNKNOWN_SHARE));
  }

  /**
   * Displaces connections until a slot is free for `newcomer`. Returns null, or the limit that
   * refuses `newcomer`.
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
   * Returns the connection that `newcomer` displaces: the longest silent connection of the network
   * with the most slots, or else the longest silent connection of all. A connection that sent
   * something within the last second keeps its slot, with two exceptions. First, only `newcomer` is
   * known. Second, both are equally known, and the connection's network has more slots than the
   * newcomer's. Returns null if all connections keep their slots.
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
      if (mostCrowded === null || networkSizeOf(one) > networkSizeOf(mostCrowded))
        mostCrowded = one;
    }
    if (mostSilent === null || mostCrowded === null) return null;
    const isOutranked =
      newcomer.known === mostCrowded.known
        ? networkSizeOf(mostCrowded) > networkSizeOf(newcomer) + 1
        : newcomer.known;
    if (isOutranked || now - mostCrowded.activeAt >= DISPLACEABLE_AFTER_MS) return mostCrowded;
    return now - mostSilent.activeAt >= DISPLACEABLE_AFTER_MS ? mostSilent : null;
  }

  #slotOf(connection: OpenConnection): ConnectionSlot {
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

interface OpenConnection {
  readonly tallies: readonly [ClientTally, ...ClientTally[]];
  readonly client: Client;
  readonly known: boolean;
  /** Time when the client last sent something, in milliseconds of the process's clock. */
  activeAt: number;
  isRemoved: boolean;
}

/** Returns the number of unauthenticated connections in the IPv6 /48, or from the IPv4 address. */
function networkSizeOf({ tallies }: OpenConnection): number {
  return tallies.at(-1)!.unauthenticated;
}
