// Sends any number of different messages of one kind, in waves. A wave ends when the worker has no
// more work for its messages and their events were posted to the webhook.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "./cleanup.ts";
import { listenOnLoopback } from "./loopback.ts";
import { numberedMessage } from "./sample-message.ts";
import { createTenant, type Tenant } from "./tenant.ts";
import type { Worker } from "./workerd.ts";

const SINGLE_CALLERS = 64;
const BATCH_CALLERS = 4;
const WAVE_MESSAGES = 2_000;
const LOOK_MS = 100;
const PATIENCE_MS = 180_000;
const ACCEPTED = 202;

export class SteadySends {
  readonly #worker: Worker;
  /** Messages in one request: 1, or the size of a batch. */
  readonly #perRequest: number;
  readonly #team: Tenant;
  #accepted = 0;
  /** Ids of the events that were posted to the webhook. An event may be posted more than once. */
  readonly #told = new Set<string>();

  private constructor(worker: Worker, perRequest: number, team: Tenant) {
    this.#worker = worker;
    this.#perRequest = perRequest;
    this.#team = team;
  }

  /** Creates the team that sends the messages. */
  static async start(cleanup: Cleanup, worker: Worker, perRequest: number): Promise<SteadySends> {
    const sends = new SteadySends(worker, perRequest, await createTenant(worker));
    await sends.#listen(cleanup);
    return sends;
  }

  /** Sends until `messages` are accepted in total. */
  async sendUpTo(messages: number): Promise<void> {
    while (this.#accepted < messages) {
      await this.#sendWave(Math.min(messages, this.#accepted + WAVE_MESSAGES));
      await this.#awaitEnd();
    }
  }

  async #sendWave(upTo: number): Promise<void> {
    let next = this.#accepted;
    const caller = async (): Promise<void> => {
      while (next < upTo) {
        const number = next;
        next += this.#perRequest;
        await this.#post(number);
        this.#accepted += this.#perRequest;
      }
    };
    const callers = this.#perRequest === 1 ? SINGLE_CALLERS : BATCH_CALLERS;
    await Promise.all(Array.from({ length: callers }, caller));
  }

  async #awaitEnd(): Promise<void> {
    for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
      if (
        this.#told.size === this.#accepted &&
        (await this.#worker.stores.isSettled(this.#team.teamId))
      )
        return;
      await sleep(LOOK_MS);
    }
    const errors = this.#worker.errors().join("\n");
    throw new Error(
      `${this.#accepted} accepted, ${this.#told.size} reported, not settled: ${errors}`,
    );
  }

  /** Sends messages in one request. `number` is the number of the first message. */
  async #post(number: number): Promise<void> {
    const emails = Array.from({ length: this.#perRequest }, (_, index) =>
      numberedMessage(number + index),
    );
    const [path, body] =
      emails.length === 1 ? ["/v1/email", emails[0]!] : ["/v1/email/batch", { emails }];
    const response = await this.#call(path, body, { "Idempotency-Key": `receipts-${number}` });
    const text = await response.text();
    if (response.status !== ACCEPTED) throw new Error(`a send: ${response.status} ${text}`);
  }

  #call(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const Authorization = `Bearer ${this.#team.apiKey}`;
    return fetch(this.#worker.origin + path, {
      method: "POST",
      headers: { Authorization, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  async #listen(cleanup: Cleanup): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.end();
        const { events } = JSON.parse(Buffer.concat(chunks).toString()) as {
          events: { id: string }[];
        };
        for (const { id } of events) this.#told.add(id);
      });
    });
    const port = await listenOnLoopback(server);
    cleanup.add(() => server.closeAllConnections());
    cleanup.add(() => server.close());
    const url = `http://127.0.0.1:${port}/told`;
    const webhook = { name: "Told", url, events: ["email.delivered"] };
    const response = await this.#call("/v1/webhooks", webhook);
    if (!response.ok) throw new Error(`POST /v1/webhooks: ${await response.text()}`);
  }
}
