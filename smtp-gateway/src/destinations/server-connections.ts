// Divides a destination's connections among its servers (docs/egress-protocol.md §Destinations).
// All mail hosts with the same addresses are one server. A server that does not answer can't take
// connections from servers of the same address block that answer. Pure: times are milliseconds of
// any clock that never jumps.
import {
  REPLY_COUNTS_MS,
  Concurrency,
  isNoBetter,
  partOf,
  type ServerState,
} from "./concurrency.ts";

interface Site {
  readonly concurrency: Concurrency;
  /** Number of the server's connections, open or being opened. */
  held: number;
}

const SERVERS_REMEMBERED = 1_000;

export class Sites {
  readonly #most: number;
  /** Servers by name, the one that has been unused for longest first. */
  readonly #known = new Map<string, Site>();
  readonly #holding = new Set<Site>();
  readonly #failing = new Set<string>();
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** `most`: maximum number of connections to the destination. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Number of connections that all servers together may have. */
  get connections(): number {
    let sum = 0;
    for (const { concurrency } of this.#known.values()) sum += concurrency.connections;
    return Math.min(this.#most, sum);
  }

  /**
   * Returns the state of the destination. It is `fails` if all its servers fail, and `answers` if
   * one of them has replied in the last minute.
   */
  serverStateAt(now: number): ServerState {
    if (this.#failing.size > 0 && this.#failing.size === this.#known.size) return "fails";
    return now - this.#answeredAt < REPLY_COUNTS_MS ? "answers" : "untried";
  }

  /**
   * Tells whether the server may have another connection. `ended`: a server with a connection that
   * is about to close. This connection does not count.
   */
  hasRoom(name: string, now: number, ended?: string): boolean {
    const site = this.#site(name);
    const back = ended === undefined ? undefined : this.#site(ended);
    const heldBy = (one: Site): number => one.held - (one === back ? 1 : 0);
    if (heldBy(site) >= site.concurrency.connections) return false;
    const serverState = site.concurrency.serverStateAt(now);
    let others = 0;
    for (const one of this.#holding)
      if (one !== site && isNoBetter(one.concurrency.serverStateAt(now), serverState))
        others += heldBy(one);
    return others === 0 || others + heldBy(site) < partOf(serverState, this.#most);
  }

  take(name: string): void {
    const site = this.#site(name);
    site.held += 1;
    this.#holding.add(site);
    this.#known.delete(name);
    this.#known.set(name, site);
  }

  release(name: string): void {
    const site = this.#site(name);
    site.held -= 1;
    if (site.held === 0) this.#holding.delete(site);
  }

  /**
   * Records a reply to a message. Returns true if any server may now have more connections than
   * before.
   */
  answered(name: string, now: number): boolean {
    const { concurrency } = this.#site(name);
    const isNew = concurrency.serverStateAt(now) !== "answers";
    this.#failing.delete(name);
    this.#answeredAt = now;
    return concurrency.answered(now) || isNew;
  }

  /** Records that the server could not be reached, or that it refused or broke a connection. */
  failed(name: string): void {
    const { concurrency } = this.#site(name);
    concurrency.failed();
    if (concurrency.fails) this.#failing.add(name);
  }

  #site(name: string): Site {
    const known = this.#known.get(name);
    if (known) return known;
    const site: Site = { concurrency: new Concurrency(this.#most), held: 0 };
    this.#known.set(name, site);
    if (this.#known.size > SERVERS_REMEMBERED) this.#dropOldest();
    return site;
  }

  #dropOldest(): void {
    for (const [name, { held }] of this.#known)
      if (held === 0) {
        this.#known.delete(name);
        this.#failing.delete(name);
        return;
      }
  }
}
