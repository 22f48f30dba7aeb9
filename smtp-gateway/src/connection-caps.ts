// How many connections an address may hold and how often it may come for nothing. An address is an IPv4 address or an IPv6 /64. A connection that leads
// to an authentication or to a genuine return-path costs nothing; any other takes from an allowance that grows back, so that customers are never slowed down.

/** After a fruitful connection, an address is trusted with an immediate greeting for so long. */
const KNOWN_MS = 60 * 60 * 1000;
const MINUTE_MS = 60_000;
const SWEEP_EVERY_MS = MINUTE_MS;

export interface CapOptions {
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Connections that lead to nothing, a minute; as many may come at once. */
  readonly attemptsPerMinute: number;
}

interface Visitor {
  open: number;
  /** What is left of the allowance, as of `at` (milliseconds of the process). */
  allowance: number;
  at: number;
  knownUntil: number;
}

export class ConnectionCaps {
  readonly #options: CapOptions;
  readonly #now: () => number;
  readonly #visitors = new Map<string, Visitor>();
  #open = 0;
  #sweptAt = 0;

  constructor(options: CapOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** A place for one connection, or why there is none. */
  admit(address: string): Place | "server" | "address" | "rate" {
    const now = this.#now();
    this.#sweep(now);
    if (this.#open >= this.#options.connections) return "server";
    const visitor = this.#visitor(addressGroup(address), now);
    if (visitor.open >= this.#options.connectionsPerAddress) return "address";
    if (visitor.allowance < 1) return "rate";
    visitor.allowance -= 1;
    visitor.open += 1;
    this.#open += 1;
    return new Place(
      visitor.knownUntil > now,
      () => {
        visitor.allowance = Math.min(visitor.allowance + 1, this.#options.attemptsPerMinute);
        visitor.knownUntil = this.#now() + KNOWN_MS;
      },
      () => {
        visitor.open -= 1;
        this.#open -= 1;
      },
    );
  }

  #visitor(group: string, now: number): Visitor {
    const { attemptsPerMinute } = this.#options;
    const visitor = this.#visitors.get(group) ?? { open: 0, allowance: attemptsPerMinute, at: now, knownUntil: 0 };
    const grown = ((now - visitor.at) / MINUTE_MS) * attemptsPerMinute;
    visitor.allowance = Math.min(visitor.allowance + grown, attemptsPerMinute);
    visitor.at = now;
    this.#visitors.set(group, visitor);
    return visitor;
  }

  /** Forgets addresses of which nothing needs to be known. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.#sweptAt = now;
    for (const [group, { open, at, knownUntil }] of this.#visitors) {
      if (open === 0 && now - at >= MINUTE_MS && knownUntil <= now) this.#visitors.delete(group);
    }
  }
}

/** One connection's place among the others. */
export class Place {
  /** The address had a fruitful connection not long ago. */
  readonly known: boolean;
  #fruitful: (() => void) | null;
  #leave: (() => void) | null;

  constructor(known: boolean, fruitful: () => void, leave: () => void) {
    this.known = known;
    this.#fruitful = fruitful;
    this.#leave = leave;
  }

  /** The connection was worth having; counts once. */
  proveFruitful(): void {
    this.#fruitful?.();
    this.#fruitful = null;
  }

  leave(): void {
    this.#leave?.();
    this.#leave = null;
  }
}

/** What addresses of one customer have in common: all of an IPv4 address, the first half of an IPv6 address. */
export function addressGroup(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::", 2);
  const left = head.split(":").filter((group) => group !== "");
  const right = (tail ?? "").split(":").filter((group) => group !== "");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
