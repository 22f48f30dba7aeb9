// The mail whose delivery is measured. Each message has its own recipient at one of a few good
// servers, which accept everything immediately. These servers run in this process, so all times
// come from one clock.
import type { Cleanup } from "../../harness/cleanup.ts";
import { listenForMail, PLAIN_SERVER } from "../../harness/smtp/smtp-server.ts";
import type { OpenLoad } from "../harness/ceiling.ts";
import type { ServerRoute } from "./troubles.ts";

/** Sends a message to this recipient. Rejects if the message is not accepted. */
export type SendTo = (recipient: string) => Promise<unknown>;

export interface GoodFigures {
  /**
   * Milliseconds from when a message was due until its arrival. A missing message counts with the
   * time until now.
   */
  readonly latencies: readonly number[];
  readonly sent: number;
  readonly refused: number;
  readonly firstRefusal: string | undefined;
  /** Accepted messages that have not arrived yet. */
  readonly missing: number;
  readonly doubled: number;
}

const SERVERS = 4;

/** The good servers. Several loads may use them one after the other. */
export class GoodServers {
  readonly routes: ServerRoute[] = [];
  /** Is called at each arrival. The load that currently uses the servers sets this function. */
  onArrival: (recipient: string, at: number) => void = () => undefined;

  static async start(cleanup: Cleanup): Promise<GoodServers> {
    const servers = new GoodServers();
    for (let index = 0; index < SERVERS; index += 1) {
      const { port, close } = await listenForMail(0, "127.0.0.1", PLAIN_SERVER, () => (step) => {
        if (step.verb === "end")
          for (const recipient of step.to) servers.onArrival(recipient, performance.now());
        return step.usual;
      });
      cleanup.add(close);
      servers.routes.push([`mail-${index}.good.example`, port]);
    }
    return servers;
  }
}

interface Sent {
  readonly due: number;
  arrivedAt: number | null;
  readonly arrived: () => void;
}

let made = 0;

/** The good mail of one sender. Only one load at a time uses the good servers. */
export class GoodMail implements OpenLoad {
  readonly #servers: GoodServers;
  readonly #send: SendTo;
  #sent = new Map<string, Sent>();
  #refused = 0;
  #firstRefusal: string | undefined;
  #doubled = 0;
  #arrivals = 0;

  constructor(servers: GoodServers, send: SendTo) {
    this.#servers = servers;
    this.#send = send;
    servers.onArrival = (recipient, at) => this.#note(recipient, at);
  }

  get open(): number {
    return this.#sent.size - this.#arrivals - this.#refused;
  }

  async follow(due: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    made += 1;
    const recipient = `customer-${made}@${this.#servers.routes[made % SERVERS]![0]}`;
    this.#sent.set(recipient, { due, arrivedAt: null, arrived: resolve });
    try {
      await this.#send(recipient);
    } catch (error) {
      this.#refused += 1;
      this.#firstRefusal ??= String(error);
      return;
    }
    await promise;
  }

  /** Forgets all messages that were sent before. All of them must have arrived. */
  forget(): void {
    this.#sent = new Map();
    [this.#refused, this.#doubled, this.#arrivals] = [0, 0, 0];
  }

  figures(): GoodFigures {
    const now = performance.now();
    return {
      latencies: [...this.#sent.values()].map(({ due, arrivedAt }) => (arrivedAt ?? now) - due),
      sent: this.#sent.size,
      refused: this.#refused,
      firstRefusal: this.#firstRefusal,
      missing: this.open,
      doubled: this.#doubled,
    };
  }

  #note(recipient: string, at: number): void {
    const sent = this.#sent.get(recipient);
    if (!sent) return;
    if (sent.arrivedAt !== null) {
      this.#doubled += 1;
      return;
    }
    sent.arrivedAt = at;
    this.#arrivals += 1;
    sent.arrived();
  }
}
