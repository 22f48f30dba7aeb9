// Remembers for a minute which API keys the worker accepted. So the gateway does not ask the worker
// each time if a client opens a new connection for each message. Each entry is a hash of a key and
// the IP address that used it. The worker still checks the key with every message.
import { hash } from "node:crypto";

const GOOD_KEY_KEPT_MS = 60_000;
const KEYS_MAX = 10_000;

export class KeyCache {
  readonly #now: () => number;
  /**
   * The time when each entry expires (milliseconds of the process's clock), by hash of key and IP
   * address, the oldest entry first.
   */
  readonly #good = new Map<string, number>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  isGood(key: string, client: string): boolean {
    const until = this.#good.get(entryOf(key, client));
    return until !== undefined && until > this.#now();
  }

  noteGood(key: string, client: string): void {
    const entry = entryOf(key, client);
    this.#good.delete(entry);
    this.#good.set(entry, this.#now() + GOOD_KEY_KEPT_MS);
    if (this.#good.size <= KEYS_MAX) return;
    const [oldest] = this.#good.keys();
    if (oldest !== undefined) this.#good.delete(oldest);
  }

  forget(key: string, client: string): void {
    this.#good.delete(entryOf(key, client));
  }
}

function entryOf(key: string, client: string): string {
  return hash("sha256", `${client} ${key}`, "base64");
}
