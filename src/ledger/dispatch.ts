// Hands released jobs to the `deliver` queue (design.md section 1.3): ids only, in batches, one batch at a time, so that jobs released meanwhile share the next.
// What can't be handed over is not kept here: the outbox knows it, and the ledger's alarm releases it again.
import { logError } from "../lib/log.ts";
import type { DeliverJob } from "../mail/message.ts";
import type { JobRef } from "./contract.ts";

/** A queue takes 100 messages or 256 KB at once; 100 of ours are some 15 KB. */
const JOBS_PER_BATCH = 100;

export class Dispatcher {
  readonly #teamId: string;
  readonly #queue: () => Queue<DeliverJob>;
  readonly #sent: () => Promise<void>;
  #jobs: JobRef[] = [];
  #running = false;

  /** `sent` is called after each batch that the queue took. */
  constructor(teamId: string, queue: () => Queue<DeliverJob>, sent: () => Promise<void>) {
    this.#teamId = teamId;
    this.#queue = queue;
    this.#sent = sent;
  }

  /** Returns at once. */
  send(jobs: readonly JobRef[]): void {
    for (const job of jobs) this.#jobs.push(job);
    if (!this.#running) void this.#loop();
  }

  async #loop(): Promise<void> {
    this.#running = true;
    while (this.#jobs.length > 0) await this.#batch(this.#jobs.splice(0, JOBS_PER_BATCH));
    this.#running = false;
  }

  async #batch(jobs: readonly JobRef[]): Promise<void> {
    try {
      await this.#queue().sendBatch(jobs.map((job) => ({ body: { teamId: this.#teamId, ...job }, contentType: "json" as const })));
      await this.#sent();
    } catch (error) {
      logError("release_failed", error, { team_id: this.#teamId, email_ids: [...new Set(jobs.map(({ emailId }) => emailId))] });
    }
  }
}
