// Remembers one fact about each of many mail servers for ten minutes, such as a limit that a server
// did not announce. When the memory is full, the oldest fact is forgotten first.

/**
 * A server. `host` is the name of a mail server, of a provider, or (in the worker) of the relay.
 */
export interface RememberedServer {
  readonly host: string;
  readonly port: number;
}

/**
 * Milliseconds for which a fact is remembered. A wrong fact costs only more connections or round
 * trips while it is remembered. A right fact costs one failed try to learn it again after it is
 * forgotten.
 */
const HOLDS_MS = 10 * 60_000;
const SERVERS_MAX = 10_000;

export class ServerMemory<Fact> {
  readonly #facts = new Map<string, { readonly fact: Fact; readonly until: number }>();

  recall(server: RememberedServer): Fact | undefined {
    const known = this.#facts.get(nameOf(server));
    return known && known.until > performance.now() ? known.fact : undefined;
  }

  remember(server: RememberedServer, fact: Fact): void {
    const name = nameOf(server);
    this.#facts.delete(name);
    if (this.#facts.size >= SERVERS_MAX) this.#facts.delete(this.#facts.keys().next().value!);
    this.#facts.set(name, { fact, until: performance.now() + HOLDS_MS });
  }
}

function nameOf({ host, port }: RememberedServer): string {
  return `${host} ${port}`;
}
