// Remembers the servers that announce PIPELINING (RFC 2920) but do not answer commands that come
// together. Such a server gets one command at a time.
import { type RememberedServer, ServerMemory } from "./server-memory.ts";
import type { SmtpConnection } from "./smtp-connection.ts";

export class OneByOneServers {
  readonly #servers = new ServerMemory<true>();

  remember(server: RememberedServer): void {
    this.#servers.remember(server, true);
  }

  /** Prepares a connection to the server for its next transaction. */
  prepare(connection: SmtpConnection, server: RememberedServer): void {
    const { capabilities } = connection;
    if (capabilities.pipelining && this.#servers.recall(server))
      connection.capabilities = { ...capabilities, pipelining: false };
  }
}
