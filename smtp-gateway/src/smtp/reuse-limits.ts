// Remembers which servers take fewer messages over one connection than we would send. A server
// shows it by refusing a message on a connection that carried others, where a fresh one gets
// further: its connections are then closed after as many messages as they have carried at that
// refusal.
import { SMTP_STAGES, type SmtpStage } from "./smtp-reply.ts";

/** A refusal on a connection that was used before. A fresh connection shows what it was about. */
export interface RefusedReuse {
  readonly stage: SmtpStage;
  /** Number of transactions that the connection had begun before. */
  readonly after: number;
}

/** A mail server, as both users of this client know it. */
interface Server {
  readonly host: string;
  readonly port: number;
}

/**
 * A limit holds so long: a server that refused for a passing reason gets more connections than it
 * needs meanwhile, and one that takes one message a connection refuses a message each time it ends.
 */
const LIMIT_HOLDS_MS = 10 * 60_000;
const SERVERS_MAX = 10_000;

export class ReuseLimits {
  readonly #most: number;
  readonly #limits = new Map<string, { readonly messages: number; readonly until: number }>();

  /** `most`: messages over one connection to a server that has refused none. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the number of messages after which a connection to the server is closed. */
  messagesFor({ host, port }: Server): number {
    const limit = this.#limits.get(`${host} ${port}`);
    return limit && limit.until > performance.now() ? limit.messages : this.#most;
  }

  /**
   * Judges a refusal by what became of the message over a fresh connection: `reached` is the stage
   * of the reply that decided there; null: none did. Returns the limit that holds from now on;
   * null: the message got no further, so that the refusal says nothing about connections.
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
