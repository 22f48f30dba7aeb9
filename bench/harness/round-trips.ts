// A team's messages, each timed to its 202 and to the webhook that tells of its delivery: queue,
// claim, compose, courier, settle, record and outbox lie in between. The webhook leads into this
// process, so that one clock tells all times.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { createHook } from "./http-api.ts";
import type { Cleanup } from "./cleanup.ts";
import type { LoadTarget } from "./load.ts";

export interface RoundTrip {
  /** Milliseconds from the request to its 202. Rejects for any other answer. */
  readonly accepted: Promise<number>;
  /**
   * Milliseconds from the 202 to the webhook; rejects as `accepted` does, and is open for as long
   * as no webhook comes.
   */
  readonly told: Promise<number>;
}

const EVENT = "email.delivered";
const ACCEPTED = 202;

export class RoundTrips {
  readonly #target: LoadTarget;
  readonly #body: string;
  readonly #pool: Pool;
  /**
   * By email id: when its webhook came, or who waits for it. A webhook may be here before the 202
   * is.
   */
  readonly #arrived = new Map<string, number>();
  readonly #awaited = new Map<string, (now: number) => void>();

  private constructor(target: LoadTarget, message: object, connections: number) {
    this.#target = target;
    this.#body = JSON.stringify(message);
    this.#pool = new Pool(target.origin, { connections, pipelining: 1 });
  }

  static async start(
    cleanup: Cleanup,
    target: LoadTarget,
    message: object,
    connections: number,
  ): Promise<RoundTrips> {
    const trips = new RoundTrips(target, message, connections);
    const server = createServer((request, response) => trips.#receive(request, response));
    await listening(server);
    cleanup.add(async () => {
      await trips.#pool.destroy();
      server.closeAllConnections();
      server.close();
    });
    await createHook(target, `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`, [
      EVENT,
    ]);
    return trips;
  }

  /** How many accepted messages no webhook has told of yet. */
  get open(): number {
    return this.#awaited.size;
  }

  /**
   * Webhooks that nobody waits for: of messages that were told of already, or that this never heard
   * to be accepted.
   */
  get unexpected(): number {
    return this.#arrived.size;
  }

  send(): RoundTrip {
    const begun = performance.now();
    const answered = this.#post();
    const accepted = answered.then(({ at }) => at - begun);
    const told = answered.then(async ({ id, at }) => (await this.#arrival(id)) - at);
    // Whoever looks at one of them alone, or at neither any more, must not end for it.
    for (const one of [accepted, told]) one.catch(() => undefined);
    return { accepted, told };
  }

  async #post(): Promise<{ readonly id: string; readonly at: number }> {
    const headers = {
      Authorization: `Bearer ${this.#target.apiKey}`,
      "Content-Type": "application/json",
    };
    const { statusCode, body } = await this.#pool.request({
      method: "POST",
      path: "/v1/email",
      headers,
      body: this.#body,
    });
    const text = await body.text();
    if (statusCode !== ACCEPTED) throw new Error(`POST /v1/email: ${statusCode} ${text}`);
    return { id: (JSON.parse(text) as { readonly id: string }).id, at: performance.now() };
  }

  async #arrival(id: string): Promise<number> {
    const at = this.#arrived.get(id);
    this.#arrived.delete(id);
    if (at !== undefined) return at;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#awaited.set(id, resolve);
    return promise;
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const now = performance.now();
      response.end();
      for (const id of emailIds(Buffer.concat(chunks).toString())) this.#tell(id, now);
    });
  }

  #tell(id: string, now: number): void {
    const resolve = this.#awaited.get(id);
    this.#awaited.delete(id);
    if (resolve) resolve(now);
    else this.#arrived.set(id, now);
  }
}

async function listening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
}

function emailIds(body: string): string[] {
  const { events } = JSON.parse(body) as {
    readonly events: readonly { readonly data: { readonly email_id: string } }[];
  };
  return events.map(({ data }) => data.email_id);
}
