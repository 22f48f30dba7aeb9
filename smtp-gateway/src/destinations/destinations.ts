// Finds the destination of a mail server. A destination stays in memory after its lanes are gone,
// so that the gateway does not forget the limits that it announced. If there are too many
// destinations, those without lanes are dropped, the one that has been unused for longest first.
import { Destination, type DestinationOptions, type DestinationState } from "./destination.ts";
import { destinationOf, type ServerAddresses } from "./destination-name.ts";

interface DestinationsOptions extends Omit<DestinationOptions, "name" | "pool" | "most"> {
  readonly connectionsPerHost: number;
}

/** The destination of a lane, with the limits of its connections. */
export interface LaneDestination {
  readonly destination: Destination;
  /**
   * Maximum number of messages over one connection, by the provider's figures. The gateway's
   * setting may be lower.
   */
  readonly messagesPerConnection: number;
  /**
   * The name under which the gateway remembers how many messages a server accepts over one
   * connection. All servers of a provider share one name. Any other server has its own name.
   */
  readonly reuseName: string;
}

const KEPT = 10_000;

export class Destinations {
  readonly #options: DestinationsOptions;
  /** Destinations by IP pool and name, the one that has been unused for longest first. */
  readonly #known = new Map<string, Destination>();

  constructor(options: DestinationsOptions) {
    this.#options = options;
  }

  get states(): DestinationState[] {
    return Array.from(this.#known.values(), ({ state }) => state);
  }

  of(server: ServerAddresses, pool: string): LaneDestination {
    const { name, limits } = destinationOf(server);
    const { connectionsPerHost, ...options } = this.#options;
    const key = `${pool} ${name}`;
    const most = Math.min(limits?.connections ?? connectionsPerHost, connectionsPerHost);
    const destination = this.#known.get(key) ?? new Destination({ ...options, name, pool, most });
    this.#known.delete(key);
    this.#known.set(key, destination);
    this.#dropOldest();
    return {
      destination,
      messagesPerConnection: limits?.messagesPerConnection ?? Number.POSITIVE_INFINITY,
      reuseName: limits?.name ?? server.host,
    };
  }

  #dropOldest(): void {
    if (this.#known.size <= KEPT) return;
    for (const [key, { lanes }] of this.#known)
      if (lanes.size === 0) {
        this.#known.delete(key);
        return;
      }
  }
}
