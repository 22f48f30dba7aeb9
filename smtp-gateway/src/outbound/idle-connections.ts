// Stores the idle connections of one lane, and closes each connection that has been idle for too
// long.
import type { ServerConnection } from "./server-connection.ts";

export class IdleConnections {
  readonly #entries: { connection: ServerConnection; timer: NodeJS.Timeout }[] = [];
  readonly #restMs: number;

  constructor(restMs: number) {
    this.#restMs = restMs;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Stores an idle connection. `end` is called when the connection has been idle for too long. */
  rest(connection: ServerConnection, end: () => void): void {
    const timer = setTimeout(() => {
      this.forget(connection);
      end();
    }, this.#restMs);
    this.#entries.push({ connection, timer });
    connection.resting = true;
  }

  /**
   * Returns the connection that became idle last, so that older connections can reach their time
   * limit.
   */
  wake(): ServerConnection | undefined {
    for (let entry = this.#entries.pop(); entry; entry = this.#entries.pop()) {
      clearTimeout(entry.timer);
      entry.connection.resting = false;
      if (!entry.connection.lost) return entry.connection;
    }
    return undefined;
  }

  forget(connection: ServerConnection): void {
    const at = this.#entries.findIndex((entry) => entry.connection === connection);
    if (at >= 0) clearTimeout(this.#entries.splice(at, 1)[0]!.timer);
  }
}
