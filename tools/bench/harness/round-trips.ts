// Sends a team's messages. Measures the time of each to its 202, and to the webhook that reports
// its delivery. A message passes queue, claim, compose, courier, settle, record and outbox in
// between. This process receives the webhooks, so all times come from one clock.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { createBenchWebhook } from "./http-api.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import { MESSAGE } from "../../harness/sample-message.ts";
import { type LoadTarget, SendConnections } from "./load.ts";

export interface RoundTrip {
  /** Milliseconds from the request to its 202. Rejects for any other answer. */
  readonly accepted: Promise<number>;
  /**
   * Milliseconds from the 202 to the webhook. Rejects if `accepted` rejects. Does not settle before
   * the webhook arrives.
   */
  readonly told: Promise<number>;
}

interface Told {
  readonly events: readonly { readonly data: { readonly email_id: string } }[];
}

export class RoundTrips {
  readonly #body: string;
  readonly #pool: SendConnections;
  /**
   * `#arrived` has the arrival times of webhooks by email id. `#awaited` has the callers that wait
   * for a webhook. A webhook may arrive before the 202.
   */
  readonly #arrived = new Map<string, number>();
  readonly #awaited = new Map<string, (now: number) => void>();

  private constructor(target: LoadTarget, message: object, connections: number) {
    this.#body = JSON.stringify(message);
    this.#pool = new SendConnections(target, connections);
  }

  static async start(
    cleanup: Cleanup,
    target: LoadTarget,
    connections: number,
    message: object = MESSAGE,
  ): Promise<RoundTrips> {
    const trips = new RoundTrips(target, message, connections);
    const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const told = (await json(request)) as Told;
      response.end();
      trips.#tell(told);
    };
    const server = createServer((request, response) => {
      receive(request, response).catch(console.error);
    });
    const port = await listenOnLoopback(server);
    cleanup.add(async () => {
      await trips.#pool.close();
      server.closeAllConnections();
      server.close();
    });
    await createBenchWebhook(target, `http://127.0.0.1:${port}/told`);
    return trips;
  }

  /** Number of accepted messages whose webhook has not arrived. */
  get open(): number {
    return this.#awaited.size;
  }

  /**
   * Number of webhooks that no caller waits for. Either the message was already reported, or its
   * 202 never arrived.
   */
  get unexpectedCount(): number {
    return this.#arrived.size;
  }

  send(): RoundTrip {
    const begun = performance.now();
    const answered = this.#pool
      .post(this.#body)
      .then((text) => ({ id: (JSON.parse(text) as { id: string }).id, at: performance.now() }));
    const accepted = answered.then(({ at }) => at - begun);
    const told = answered.then(async ({ id, at }) => (await this.#arrival(id)) - at);
    // A caller may ignore one of the promises. The rejection of an ignored promise must not end the
    // process.
    for (const one of [accepted, told]) one.catch(() => undefined);
    return { accepted, told };
  }

  async #arrival(id: string): Promise<number> {
    const at = this.#arrived.get(id);
    this.#arrived.delete(id);
    if (at !== undefined) return at;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#awaited.set(id, resolve);
    return promise;
  }

  #tell({ events }: Told): void {
    const now = performance.now();
    for (const { email_id: id } of events.map(({ data }) => data)) {
      const resolve = this.#awaited.get(id);
      this.#awaited.delete(id);
      if (resolve) resolve(now);
      else this.#arrived.set(id, now);
    }
  }
}
