// Manages all connections to mail servers. There is one lane for each combination of server, IP
// pool and TLS requirement, and each lane has a destination. This file also chooses the source
// addresses of new connections.
import { isIP, type Socket } from "node:net";
import type { Attempt } from "./attempt.ts";
import { ConnectionShares } from "../destinations/connection-shares.ts";
import { Destinations } from "../destinations/destinations.ts";
import { Lane, type LaneLoad } from "./lane.ts";
import type { ServerResult } from "./lane-job.ts";
import { destinationGauges, mostUsed } from "../destinations/destination-gauges.ts";
import type { DestinationState } from "../destinations/destination.ts";
import { GatewayMetrics } from "../gateway-metrics.ts";
import { OneByOneServers } from "../smtp/one-by-one-servers.ts";
import { ReuseLimits } from "../smtp/reuse-limits.ts";
import type { MailServer, Opening, ServerConnection } from "./server-connection.ts";
import type { GatewaySettings } from "../config.ts";

type MailConnectionsOptions = Pick<
  GatewaySettings,
  | "hostname"
  | "sources"
  | "connections"
  | "connectionsPerHost"
  | "messagesPerConnection"
  | "timeouts"
>;

export class MailConnections {
  readonly #options: MailConnectionsOptions;
  readonly #metrics: GatewayMetrics;
  readonly #lanes = new Map<string, Lane>();
  readonly #reuseLimits: ReuseLimits;
  readonly #oneByOne = new OneByOneServers();
  /**
   * Sockets that are not closed yet, each with its connection. The connection is null until it is
   * open. Sockets are destroyed directly, because an abort signal for connect() would keep them all
   * in memory.
   */
  readonly #sockets = new Map<Socket, ServerConnection | null>();
  readonly #shares: ConnectionShares;
  readonly #destinations: Destinations;
  /** The lanes with an idle connection, in the order in which they got one. */
  readonly #resting = new Set<Lane>();
  #rotation = 0;
  #closing = false;
  #onEmpty: () => void = () => {};

  constructor(options: MailConnectionsOptions, metrics = new GatewayMetrics()) {
    this.#options = options;
    this.#metrics = metrics;
    this.#reuseLimits = new ReuseLimits(options.messagesPerConnection);
    this.#shares = new ConnectionShares(options.connections, () => this.#onEmpty());
    this.#destinations = new Destinations({
      shares: this.#shares,
      connectionsPerHost: options.connectionsPerHost,
      waitMs: options.timeouts.wait,
      closeOneIdle: () => this.#closeOneIdle(),
    });
    metrics.readFrom(() => {
      const { waiting, ...connections } = this.#load();
      return {
        postern_gateway_connections: connections,
        postern_gateway_lanes: this.#lanes.size,
        postern_gateway_waiting_messages: waiting,
        ...destinationGauges(this.#destinations.states),
      };
    });
  }

  /** The destinations with the most connections and waiting messages, the most used first. */
  get mostUsed(): DestinationState[] {
    return mostUsed(this.#destinations.states);
  }

  /** Tells whether this gateway has the IP pool. If it does not, no other pool may replace it. */
  knows(pool: string | null): boolean {
    return pool === null || this.#options.sources.has(pool);
  }

  /**
   * Sends a message to one server, over a connection that is idle or will become free. Resolves
   * with null if the attempt was returned to the worker.
   */
  send(target: MailServer, attempt: Attempt): Promise<ServerResult | null> {
    if (this.#closing) {
      attempt.giveBack("draining");
      return Promise.resolve(null);
    }
    const { promise, resolve } = Promise.withResolvers<ServerResult | null>();
    const { mail, since, waitsSince } = attempt;
    const { pool, team, priority } = mail;
    const waitsUntil = waitsSince + this.#options.timeouts.wait;
    this.#lane(target, pool).add({ attempt, team, priority, since, resolve, waitsUntil });
    return promise;
  }

  /**
   * Returns all waiting messages to the worker. Closes connections at once if they are idle or
   * being opened, and every other connection after its message.
   */
  close(): void {
    this.#closing = true;
    for (const lane of this.#lanes.values()) {
      lane.endWaits();
      while (lane.closeOneIdle());
    }
    for (const [socket, connection] of this.#sockets) if (!connection) destroy(socket);
  }

  /**
   * Closes each connection that does not wait for the reply to a final dot. Before the final dot,
   * no server has accepted the message.
   */
  cutOff(): void {
    for (const connection of this.#sockets.values())
      if (connection && !connection.awaitsVerdict) connection.close();
  }

  /** Resolves when all connections are closed. */
  async closed(): Promise<void> {
    if (this.#shares.taken === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  #lane(target: MailServer, pool: string | null): Lane {
    const key = [
      target.host,
      target.port,
      pool ?? "",
      target.tlsRequired,
      target.mayBeOurs,
      ...target.addresses.toSorted(),
    ].join(" ");
    const known = this.#lanes.get(key);
    if (known) return known;
    const sources = this.#options.sources.get(pool ?? "default") ?? [];
    const found = this.#destinations.of(target, pool ?? "default");
    const { lanes } = found.destination;
    const lane: Lane = new Lane(target, {
      ...this.#options,
      ...found,
      reuseLimits: this.#reuseLimits,
      oneByOne: this.#oneByOne,
      resting: this.#resting,
      onSocket: (socket) => this.#hold(socket),
      nextSources: () => this.#pick(sources),
      onOpening: (opening) => this.#note(opening),
      onUnused: () => {
        lanes.delete(lane);
        this.#lanes.delete(key);
      },
      closing: () => this.#closing,
    });
    this.#lanes.set(key, lane);
    lanes.add(lane);
    return lane;
  }

  #hold(socket: Socket): void {
    if (this.#closing) return destroy(socket);
    this.#sockets.set(socket, null);
    socket.once("close", () => this.#sockets.delete(socket));
  }

  #load(): LaneLoad {
    const sum = { busy: 0, idle: 0, opening: 0, waiting: 0 };
    for (const { load } of this.#lanes.values())
      for (const what of Object.keys(sum) as (keyof LaneLoad)[]) sum[what] += load[what];
    return sum;
  }

  #note(opening: Opening): void {
    if ("connection" in opening) {
      const { connection } = opening;
      if (this.#sockets.has(connection.socket)) this.#sockets.set(connection.socket, connection);
      return this.#metrics.count("postern_gateway_connections_opened_total");
    }
    const { outcome } = opening.refused;
    const why = outcome.kind === "reply" ? `${Math.floor(outcome.code / 100)}xx` : outcome.cause;
    this.#metrics.count("postern_gateway_connections_failed_total", [why]);
  }

  /**
   * Returns at most one IPv4 and one IPv6 source address. Each call returns the next ones in the
   * list.
   */
  #pick(sources: readonly string[]): readonly string[] {
    const turn = this.#rotation++;
    return [4, 6].flatMap((family) => {
      const own = sources.filter((source) => isIP(source) === family);
      return own.length === 0 ? [] : [own[turn % own.length]!];
    });
  }

  /** Closes one idle connection, so that another destination can open one. */
  #closeOneIdle(): void {
    for (const lane of this.#resting) if (lane.closeOneIdle()) return;
  }
}

function destroy(socket: Socket): void {
  socket.destroy(Object.assign(new Error("aborted"), { code: "ABORT_ERR" }));
}
