// Sends released jobs and questions to the `deliver` queue (docs/architecture.md §Release, §Ask):
// ids only, one batch at a time, so that jobs released meanwhile share the next batch. Jobs with
// little content share a queue message, and so do many questions, because the queue bills by
// message. What can't be sent is not kept here: its message is still open, and the ledger's alarm
// offers it again.
import { logError } from "../../lib/log.ts";
import type { AttemptAsk } from "../../rpc/ask-calls.ts";
import { attemptKey } from "../../rpc/attempt-key.ts";
import type { DeliverAsks, DeliverBody } from "../../rpc/queue-jobs.ts";
import type { JobRef } from "../../rpc/ledger-calls.ts";
import type { Released } from "../after-commit.ts";

/** A queue takes 100 messages or 256 KB in one call; 100 of our jobs are some 15 KB. */
const JOBS_PER_BATCH = 100;
/**
 * A consumer may get a hundred messages at once. With more jobs in each, its claim would be too
 * large, and too much would be under way when it dies.
 */
const JOBS_PER_MESSAGE = 5;
/** A key has some 45 characters, and the queue bills a message by each 64 KB. */
const ASKS_PER_MESSAGE = 1_000;
const IDS_PER_LINE = 100;

export class Dispatcher {
  readonly #teamId: string;
  readonly #queue: () => Queue<DeliverBody>;
  readonly #sent: () => Promise<void>;
  #jobs: Released[] = [];
  #asks: AttemptAsk[] = [];
  #running = false;

  /** `sent` is called after each batch that the queue took. */
  constructor(teamId: string, queue: () => Queue<DeliverBody>, sent: () => Promise<void>) {
    this.#teamId = teamId;
    this.#queue = queue;
    this.#sent = sent;
  }

  /** Adds jobs and questions to the batches to send. Returns at once. */
  send(jobs: readonly Released[], asks: readonly AttemptAsk[]): void {
    for (const job of jobs) this.#jobs.push(job);
    for (const ask of asks) this.#asks.push(ask);
    if (!this.#running) void this.#loop();
  }

  async #loop(): Promise<void> {
    this.#running = true;
    while (this.#jobs.length > 0 || this.#asks.length > 0) {
      const jobs = this.#jobs.splice(0, JOBS_PER_BATCH);
      const asks = this.#asks.splice(0, ASKS_PER_MESSAGE);
      const bodies: DeliverBody[] = groupJobs(jobs).map((some) => this.#bodyOf(some));
      if (asks.length > 0) bodies.push({ teamId: this.#teamId, asks: groupAsks(asks) });
      await this.#batch(bodies, [...jobs, ...asks]);
    }
    this.#running = false;
  }

  async #batch(bodies: readonly DeliverBody[], refs: readonly JobRef[]): Promise<void> {
    try {
      await this.#queue().sendBatch(bodies.map((body) => ({ body, contentType: "json" as const })));
      await this.#sent();
    } catch (error) {
      logError("release_failed", error, {
        team_id: this.#teamId,
        email_ids: [...new Set(refs.map(({ emailId }) => emailId))].slice(0, IDS_PER_LINE),
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

function groupAsks(asks: readonly AttemptAsk[]): DeliverAsks["asks"] {
  return [...Map.groupBy(asks, ({ host }) => host)].map(([host, some]) => ({
    host,
    keys: some.map((grant) => attemptKey(grant)),
  }));
}
