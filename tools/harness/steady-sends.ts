// Sends any number of different messages of one kind, in waves. A wave ends when the worker has no
// more work for its messages and their events were posted to the webhook.
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "./cleanup.ts";
import { listenOnLoopback } from "./loopback.ts";
import { attachmentOf, numberedMessage } from "./sample-message.ts";
import { createTenant, newDkimKey, type Tenant } from "./tenant.ts";
import type { Worker } from "./workerd.ts";

export interface SendKind {
  /** Messages in one request: 1, or the size of a batch. */
  readonly perRequest: number;
  /** Kilobytes attached to each message. */
  readonly attached: number;
  readonly hasWebhook: boolean;
}

const PLENTY = 1_000_000_000;
const SINGLE_CALLERS = 64;
const BATCH_CALLERS = 4;
const WAVE_MESSAGES = 2_000;
const LOOK_MS = 100;
const PATIENCE_MS = 180_000;
const ACCEPTED = 202;

export class SteadySends {
  readonly #worker: Worker;
  readonly #kind: SendKind;
  readonly #team: Tenant;
  #accepted = 0;
  /** Ids of the events that were posted to the webhook. An event may be posted more than once. */
  readonly #told = new Set<string>();

  private constructor(worker: Worker, kind: SendKind, team: Tenant) {
    this.#worker = worker;
    this.#kind = kind;
    this.#team = team;
  }

  /** Creates the team that sends the messages. */
  static async start(cleanup: Cleanup, worker: Worker, kind: SendKind): Promise<SteadySends> {
    const team = await createTenant(worker, PLENTY, newDkimKey());
    const sends = new SteadySends(worker, kind, team);
    if (kind.hasWebhook) await sends.#listen(cleanup);
    return sends;
  }

  get accepted(): number {
    return this.#accepted;
  }

  /**
   * Sends until `messages` are accepted in total. Begins no wave after the time `until` (Unix
   * milliseconds).
   */
  async sendUpTo(messages: number, until = Number.POSITIVE_INFINITY): Promise<void> {
    while (this.#accepted < messages && Date.now() < until) {
      await this.#sendWave(Math.min(messages, this.#accepted + WAVE_MESSAGES));
      await this.#awaitEnd();
    }
  }

  async #sendWave(upTo: number): Promise<void> {
    const { perRequest } = this.#kind;
    let next = this.#accepted;
    const caller = async (): Promise<void> => {
      while (next < upTo) {
        const number = next;
        next += perRequest;
        await this.#post(number);
        this.#accepted += perRequest;
      }
    };
    const callers = perRequest === 1 ? SINGLE_CALLERS : BATCH_CALLERS;
    await Promise.all(Array.from({ length: callers }, caller));
  }

  async #awaitEnd(): Promise<void> {
    const told = (): boolean => !this.#kind.hasWebhook || this.#told.size === this.#accepted;
    for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
      if (told() && (await this.#worker.stores.isSettled(this.#team.teamId))) return;
      await sleep(LOOK_MS);
    }
    const errors = this.#worker.errors().join("\n");
    throw new Error(
      `${this.#accepted} accepted, ${this.#told.size} reported, not settled: ${errors}`,
    );
  }

  /** Sends messages in one request. `number` is the number of the first message. */
  async #post(number: number): Promise<void> {
    const { perRequest, attached } = this.#kind;
    const attachments = attached > 0 ? [attachmentOf(attached)] : [];
    const emails = Array.from({ length: perRequest }, (_, index) =>
      numberedMessage(number + index),
    );
    const response = await fetch(
      `${this.#worker.origin}/v1/email${perRequest === 1 ? "" : "/batch"}`,
      {
        method: "POST",
        headers: {
          Authorization: `Bearer ${this.#team.apiKey}`,
          "Content-Type": "application/json",
          "Idempotency-Key": `receipts-${number}`,
        },
        body: JSON.stringify(
          perRequest === 1 ? { ...emails[0], attachments } : { defaults: { attachments }, emails },
        ),
      },
    );
    const text = await response.text();
    if (response.status !== ACCEPTED) throw new Error(`a send: ${response.status} ${text}`);
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
    const response = await fetch(`${this.#worker.origin}/v1/webhooks`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${this.#team.apiKey}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({
        name: "Told",
        url: `http://127.0.0.1:${port}/told`,
        events: ["email.delivered"],
      }),
    });
    if (!response.ok) throw new Error(`POST /v1/webhooks: ${await response.text()}`);
  }
}
