// Remembers the servers that accept fewer messages over one connection than the client would send.
// A server has such a limit if it refuses a message on a used connection, but a fresh connection
// gets further with the same message. After that, a connection to this server is closed when it has
// sent as many messages as the used connection had.
import { type RememberedServer, ServerMemory } from "./server-memory.ts";
import { SMTP_STAGES, type SmtpStage } from "./smtp-reply.ts";

/**
 * A refusal of a message on a used connection. Only a fresh connection shows whether the reason was
 * the message or the connection.
 */
export interface RefusedReuse {
  readonly stage: SmtpStage;
  /** Number of earlier transactions on the used connection. */
  readonly after: number;
}

export class ReuseLimits {
  readonly #most: number;
  readonly #limits = new ServerMemory<number>();

  /**
   * `most`: maximum number of messages over one connection, for a server without a remembered
   * limit.
   */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the number of messages after which a connection to this server is closed. */
  messagesFor(server: RememberedServer): number {
    return this.#limits.recall(server) ?? this.#most;
  }

  /**
   * Compares the second try of a message on a fresh connection with its refusal on a used
   * connection. `reached`: the SMTP stage of the deciding reply on the fresh connection. Null: no
   * reply decided there. Returns the new limit. Returns null if the message got no further, because
   * the used connection was not the reason then.
   */
  learn(
    server: RememberedServer,
    { stage, after }: RefusedReuse,
    reached: SmtpStage | null,
  ): number | null {
    if (reached === null || SMTP_STAGES.indexOf(reached) <= SMTP_STAGES.indexOf(stage)) return null;
    const messages = Math.min(after, this.messagesFor(server));
    this.#limits.remember(server, messages);
    return messages;
  }
}
