// Sends any number of different messages of one team, in waves. A wave ends when the worker has no
// more work for its messages and their events were posted to the webhook.
import { expect } from "vitest";
import { numberedMessage } from "../../tools/harness/sample-message.ts";
import type { Tenant } from "../../tools/harness/tenant.ts";
import { type MemoryHarness, startReceiver } from "./memory-harness.ts";

const SINGLE_CALLERS = 64;
const BATCH_CALLERS = 4;
const WAVE_MESSAGES = 2_000;

export class SteadySends {
  readonly #harness: MemoryHarness;
  /** Messages in one request: 1, or the size of a batch. */
  readonly #perRequest: number;
  readonly #team: Tenant;
  /** Ids of the events that were posted to the webhook. */
  readonly #told: ReadonlySet<string>;
  #accepted = 0;

  private constructor(
    harness: MemoryHarness,
    perRequest: number,
    team: Tenant,
    told: ReadonlySet<string>,
  ) {
    this.#harness = harness;
    this.#perRequest = perRequest;
    this.#team = team;
    this.#told = told;
  }

  static async start(harness: MemoryHarness, perRequest: number): Promise<SteadySends> {
    const team = await harness.tenant();
    const receiver = await startReceiver(harness, team.apiKey);
    return new SteadySends(harness, perRequest, team, receiver.events);
  }

  /** Sends until `messages` are accepted in total. */
  async sendUpTo(messages: number): Promise<void> {
    const { stores } = this.#harness.worker;
    while (this.#accepted < messages) {
      await this.#sendWave(Math.min(messages, this.#accepted + WAVE_MESSAGES));
      await expect.poll(() => this.#told.size).toBe(this.#accepted);
      await expect.poll(() => stores.isSettled(this.#team.teamId)).toBe(true);
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

  /** Sends messages in one request. `number` is the number of the first message. */
  async #post(number: number): Promise<void> {
    const emails = Array.from({ length: this.#perRequest }, (_, at) =>
      numberedMessage(number + at),
    );
    const [path, body] =
      emails.length === 1 ? ["/v1/email", emails[0]] : ["/v1/email/batch", { emails }];
    const key = { "Idempotency-Key": `receipts-${number}` };
    const { apiKey } = this.#team;
    const response = await this.#harness.fetch("POST", path, apiKey, JSON.stringify(body), key);
    expect(response.status, await response.text()).toBe(202);
  }
}
