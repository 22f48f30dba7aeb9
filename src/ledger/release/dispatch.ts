// Sends released jobs to the `deliver` queue (docs/architecture.md §Release): ids only, one batch
// at a time, so that jobs released meanwhile share the next batch. Jobs with little content share a
// queue message, because the queue bills by message. A job that can't be sent is not kept here: its
// message is still open, and the ledger's alarm releases it again.
import { logError } from "../../lib/log.ts";
import type { DeliverBody } from "../../contracts/queue-jobs.ts";
import type { Released } from "../after-commit.ts";

/** A queue takes 100 messages or 256 KB in one call; 100 of our jobs are some 15 KB. */
const JOBS_PER_BATCH = 100;
/**
 * A consumer may get a hundred messages at once. With more jobs in each, its claim would be too
 * large, and too much would be under way when it dies.
 */
const JOBS_PER_MESSAGE = 5;

export class Dispatcher {
  readonly #teamId: string;
  readonly #queue: () => Queue<DeliverBody>;
  readonly #sent: () => Promise<void>;
  #jobs: Released[] = [];
  #running = false;

  /** `sent` is called after each batch that the queue took. */
  constructor(teamId: string, queue: () => Queue<DeliverBody>, sent: () => Promise<void>) {
    this.#teamId = teamId;
    this.#queue = queue;
    this.#sent = sent;
  }

  /** Adds jobs to the batches to send. Returns at once. */
  send(jobs: readonly Released[]): void {
    for (const job of jobs) this.#jobs.push(job);
    if (!this.#running) void this.#loop();
  }

  async #loop(): Promise<void> {
    this.#running = true;
    while (this.#jobs.length > 0) await this.#batch(this.#jobs.splice(0, JOBS_PER_BATCH));
    this.#running = false;
  }

  async #batch(jobs: readonly Released[]): Promise<void> {
    try {
      await this.#queue().sendBatch(
        groupJobs(jobs).map((some) => ({ body: this.#bodyOf(some), contentType: "json" as const })),
      );
      await this.#sent();
    } catch (error) {
      logError("release_failed", error, {
        team_id: this.#teamId,
        email_ids: [...new Set(jobs.map(({ emailId }) => emailId))],
      });
    }
  }

  #bodyOf(released: readonly Released[]): DeliverBody {
    const jobs = released.map(({ emailId, recipientIndex }) => ({ emailId, recipientIndex }));
    return jobs.length === 1
      ? { teamId: this.#teamId, ...jobs[0]! }
      : { teamId: this.#teamId, jobs };
  }
}

/** Groups neighbouring jobs of one content group into queue messages. */
function groupJobs(jobs: readonly Released[]): Released[][] {
  const messages: Released[][] = [];
  for (const job of jobs) {
    const last = messages.at(-1);
    if (last && last.length < JOBS_PER_MESSAGE && last[0]!.contentGroup === job.contentGroup)
      last.push(job);
    else messages.push([job]);
  }
  return messages;
}
