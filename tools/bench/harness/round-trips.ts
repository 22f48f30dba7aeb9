// Sends a team's messages. Measures the time of each to its 202, and to the webhook that reports
// its delivery. In between, a message passes queue, claim, compose, courier, settle, record and
// outbox. This process receives the webhooks, so all times come from one clock.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { listenOnLoopback } from "../../harness/loopback.ts";
import { createBenchWebhook, type BenchWebhookFormat } from "./http-api.ts";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { LoadTarget } from "./load.ts";

export interface RoundTrip {
  /** Milliseconds from the request to its 202. Rejects for any other answer. */
  readonly accepted: Promise<number>;
  /**
   * Milliseconds from the 202 to the webhook. Rejects if `accepted` rejects. Does not settle before
   * the webhook arrives.
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
   * `#arrived` has the arrival times of webhooks by email id. `#awaited` has the callers that wait
   * for a webhook. A webhook may arrive before the 202.
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
    format: BenchWebhookFormat = "batch",
  ): Promise<RoundTrips> {
    const trips = new RoundTrips(target, message, connections);
    const server = createServer((request, response) => trips.#receive(request, response));
    await listenOnLoopback(server);
    cleanup.add(async () => {
      await trips.#pool.destroy();
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    await createBenchWebhook(target, `http://127.0.0.1:${port}/told`, [EVENT], format);
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
    const answered = this.#post();
    const accepted = answered.then(({ at }) => at - begun);
    const told = answered.then(async ({ id, at }) => (await this.#arrival(id)) - at);
    // A caller may ignore one of the promises. The rejection of an ignored promise must not end the
    // process.
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

interface Told {
  readonly data: { readonly email_id: string };
}

/** Reads webhooks of both formats. */
function emailIds(body: string): string[] {
  const told = JSON.parse(body) as Told | { readonly events: readonly Told[] };
  return "events" in told
    ? told.events.map(({ data }) => data.email_id)
    : [`email_${told.data.email_id}`];
}
