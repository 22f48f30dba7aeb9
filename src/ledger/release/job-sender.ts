// Sends released jobs and questions to the `deliver` queue (docs/architecture.md §Release, §Ask).
// Sends only ids, and one batch at a time, so that jobs released during a call share the next
// batch. Sends questions only when no job is left to send, so that mail goes first. Jobs with
// little content share a queue message, and so do many questions, because the queue bills by
// message. Jobs that can't be sent are dropped here, because the ledger's alarm releases them
// again.
import { logError } from "../../lib/log.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { AttemptQuestion } from "../../rpc/question-calls.ts";
import { attemptKey } from "../../rpc/attempt-key.ts";
import type { DeliverQuestions, DeliverBody } from "../../rpc/queue-jobs.ts";
import type { JobRef } from "../../rpc/ledger-calls.ts";
import type { ReleasedJob } from "../after-commit.ts";

/**
 * Maximum number of jobs in one call to the queue. A call may have 100 messages or 256 KB. 100 jobs
 * are some 15 KB.
 */
const JOBS_PER_BATCH = 100;
/**
 * Maximum number of jobs in one queue message. A consumer may get a hundred queue messages in one
 * batch. If each message had more jobs, the consumer would claim too many jobs in one call, and its
 * death would interrupt too many jobs.
 */
const JOBS_PER_MESSAGE = 5;
/**
 * Maximum number of questions in one queue message. The key in a question has some 45 characters,
 * and the queue bills each 64 KB of a message.
 */
const QUESTIONS_PER_MESSAGE = 1_000;
const IDS_PER_LINE = 100;
/** Maximum number of jobs, and of questions, that wait for the queue. */
const WAITING_MOST = 20_000;
/**
 * Time after which a call to the queue counts as failed, because one call that never ends would
 * block the team's mail. If the queue took the jobs of a failed call, they are sent twice, but
 * claimed once.
 */
const SEND_TIMEOUT_MS = 30_000;

export class JobSender {
  readonly #teamId: string;
  readonly #queue: () => Queue<DeliverBody>;
  readonly #sent: () => Promise<unknown> | null;
  readonly #timeoutMs: number;
  #jobs: ReleasedJob[] = [];
  #asks: AttemptQuestion[] = [];
  #running = false;

  /** `sent` is called after each batch that the queue took. */
  constructor(
    teamId: string,
    queue: () => Queue<DeliverBody>,
    sent: () => Promise<unknown> | null,
    timeoutMs = SEND_TIMEOUT_MS,
  ) {
    this.#teamId = teamId;
    this.#queue = queue;
    this.#sent = sent;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Adds jobs and questions to the batches to send. Drops further jobs while too many wait for a
   * slow queue, because the ledger's alarm releases them again. Returns at once.
   */
  send(jobs: readonly ReleasedJob[], asks: readonly AttemptQuestion[]): void {
    for (const job of jobs.slice(0, WAITING_MOST - this.#jobs.length)) this.#jobs.push(job);
    for (const ask of asks.slice(0, WAITING_MOST - this.#asks.length)) this.#asks.push(ask);
    if (!this.#running) void this.#loop();
  }

  async #loop(): Promise<void> {
    this.#running = true;
    while (this.#jobs.length > 0 || this.#asks.length > 0) {
      const jobs = this.#jobs.splice(0, JOBS_PER_BATCH);
      const asks = this.#jobs.length > 0 ? [] : this.#asks.splice(0, QUESTIONS_PER_MESSAGE);
      const bodies: DeliverBody[] = groupJobs(jobs).map((some) => this.#bodyOf(some));
      if (asks.length > 0) bodies.push({ teamId: this.#teamId, asks: groupQuestions(asks) });
      await this.#batch(bodies, [...jobs, ...asks]);
    }
    this.#running = false;
  }

  async #batch(bodies: readonly DeliverBody[], refs: readonly JobRef[]): Promise<void> {
    try {
      const batch = bodies.map((body) => ({ body, contentType: "json" as const }));
      await withTimeout(this.#timeoutMs, async () => this.#queue().sendBatch(batch));
      await this.#sent();
    } catch (error) {
      logError("release_failed", error, {
        team_id: this.#teamId,
        email_ids: [...new Set(refs.map(({ emailId }) => emailId))].slice(0, IDS_PER_LINE),
      });
    }
  }

  #bodyOf(released: readonly ReleasedJob[]): DeliverBody {
    const jobs = released.map(({ emailId, recipientIndex }) => ({ emailId, recipientIndex }));
    return jobs.length === 1
      ? { teamId: this.#teamId, ...jobs[0]! }
      : { teamId: this.#teamId, jobs };
  }
}

/** Groups neighbouring jobs of one content group into queue messages. */
function groupJobs(jobs: readonly ReleasedJob[]): ReleasedJob[][] {
  const messages: ReleasedJob[][] = [];
  for (const job of jobs) {
    const last = messages.at(-1);
    if (last && last.length < JOBS_PER_MESSAGE && last[0]!.contentGroup === job.contentGroup)
      last.push(job);
    else messages.push([job]);
  }
  return messages;
}

function groupQuestions(asks: readonly AttemptQuestion[]): DeliverQuestions["asks"] {
  return [...Map.groupBy(asks, ({ host }) => host)].map(([host, some]) => ({
    host,
    keys: some.map((grant) => attemptKey(grant)),
  }));
}
