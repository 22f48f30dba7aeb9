// Remembers the servers that accept fewer messages over one connection than we would send. A limit
// is learned if a server refuses a message on a used connection, but a fresh connection gets
// further with the same message. After that, connections to this server are closed when they have
// carried as many messages as the used connection had.
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

/** `host` is a mail server, a provider of mail servers, or (in the worker) the relay. */
interface Server {
  readonly host: string;
  readonly port: number;
}

/**
 * Milliseconds for which a limit is remembered. While a wrong limit is remembered, it costs only
 * more connections. When a right limit is forgotten, it costs one refused message to learn it
 * again.
 */
const LIMIT_HOLDS_MS = 10 * 60_000;
const SERVERS_MAX = 10_000;

export class ReuseLimits {
  readonly #most: number;
  readonly #limits = new Map<string, { readonly messages: number; readonly until: number }>();

  /** `most`: maximum of messages over one connection, for a server without a remembered limit. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the number of messages after which a connection to this server is closed. */
  messagesFor({ host, port }: Server): number {
    const limit = this.#limits.get(`${host} ${port}`);
    return limit && limit.until > performance.now() ? limit.messages : this.#most;
  }

  /**
   * Learns from the second try of a message that was refused on a used connection. `reached`: the
   * SMTP stage of the deciding reply on the fresh connection; null: no reply decided there. Returns
   * the new limit. Returns null if the message got no further, so that the connection was not the
   * reason.
   */
  learn(server: Server, { stage, after }: RefusedReuse, reached: SmtpStage | null): number | null {
    if (reached === null || SMTP_STAGES.indexOf(reached) <= SMTP_STAGES.indexOf(stage)) return null;
    const messages = Math.min(after, this.messagesFor(server));
    const name = `${server.host} ${server.port}`;
    this.#limits.delete(name);
    if (this.#limits.size >= SERVERS_MAX) this.#limits.delete(this.#limits.keys().next().value!);
    this.#limits.set(name, { messages, until: performance.now() + LIMIT_HOLDS_MS });
    return messages;
  }
}
