// Remembers which servers take fewer messages over one connection than we would send. A limit is
// learned when a server refuses a message on a used connection, and a fresh connection gets further
// with it. From then on, connections to this server are closed after as many messages as the used
// one had carried.
import { SMTP_STAGES, type SmtpStage } from "./smtp-reply.ts";

/**
 * A refusal on a used connection. Only a fresh connection shows whether it was about the message.
 */
export interface RefusedReuse {
  readonly stage: SmtpStage;
  /** Number of transactions that had begun on the connection before. */
  readonly after: number;
}

/** A mail server, as the gateway and the worker's SMTP courier name it. */
interface Server {
  readonly host: string;
  readonly port: number;
}

/**
 * A limit holds for this long. If it is wrong, the server gets more connections than needed
 * meanwhile. If it is right, one message is refused each time it ends.
 */
const LIMIT_HOLDS_MS = 10 * 60_000;
const SERVERS_MAX = 10_000;

export class ReuseLimits {
  readonly #most: number;
  readonly #limits = new Map<string, { readonly messages: number; readonly until: number }>();

  /** `most`: messages over one connection to a server without a limit. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the number of messages after which a connection to the server is closed. */
  messagesFor({ host, port }: Server): number {
    const limit = this.#limits.get(`${host} ${port}`);
    return limit && limit.until > performance.now() ? limit.messages : this.#most;
  }

  /**
   * Compares a refusal with what a fresh connection reached: `reached` is the stage of its deciding
   * reply; null: no reply decided. Returns the new limit; null: the message got no further, so the
   * refusal was not about the connection.
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
