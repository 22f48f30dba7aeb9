// Consumes the `deliver` queue: groups a batch by team and delivers the jobs of each team. After
// the batch's mail, passes the ledgers' questions about attempts to the gateways. If the work for a
// team fails, the queue tries it again. If the queue loses a job, an alarm of the ledger releases
// the job again after a wait (docs/architecture.md §Again). No job delays other jobs: an invalid
// queue message immediately becomes a dead letter, and a queue message that failed before is
// delivered alone. On the last try of a queue message, each of its jobs is delivered alone.
import { type Env } from "../../env.ts";
import { settingsOf } from "../../settings.ts";
import { logError } from "../../lib/log.ts";
import { bodiesOf } from "../../resources/dead-letters/job-body.ts";
import { giveUp, retryOrGiveUp } from "../../resources/dead-letters/failed-jobs.ts";
import { QUEUE_ATTEMPTS } from "../../resources/dead-letters/job-queues.ts";
import { Couriers } from "./couriers/couriers.ts";
import type { DeliverQuestions, DeliverJob, DeliverJobs } from "../../rpc/queue-jobs.ts";
import type { TakeReaderMail } from "./simulator/simulator-courier.ts";
import { askForOutcomes } from "./ask.ts";
import { deliverJobs } from "./deliver.ts";

const QUEUE = "postern-deliver";
const ID = /^[\w-]{1,100}$/;

/**
 * Maximum bytes of large content that the claims of one batch return together. Other large content
 * is loaded one message at a time. Composing a copy takes about four times the memory of its
 * content, and an isolate has 128 MB.
 */
const LARGE_BYTES = 8 * 1024 * 1024;

type JobMessage = Message<DeliverJob | DeliverJobs>;
type AskMessage = Message<DeliverQuestions>;
type Deliver = (teamId: string, jobs: readonly DeliverJob[]) => Promise<void>;

/**
 * Resolves when the queue can continue. `waitUntil` keeps the invocation alive for outcomes that
 * come soon (wrangler.toml's flag `queue_consumer_no_wait_for_wait_until`). `takeReaderMail`
 * receives the replies of simulated readers.
 */
export async function consumeDeliverJobs(
  batch: MessageBatch,
  env: Env,
  waitUntil: (work: Promise<void>) => void,
  takeReaderMail: TakeReaderMail | null = null,
): Promise<void> {
  const couriers = new Couriers(env, settingsOf(env), undefined, takeReaderMail);
  const questions = batch.messages.filter(isAskMessage);
  const messages = batch.messages.filter(isJobMessage);
  const [last, others] = [messages.filter(isLast), messages.filter((message) => !isLast(message))];
  const shares = Map.groupBy(others, ({ id, body, attempts }) =>
    attempts > 1 ? `${body.teamId} ${id}` : body.teamId,
  );
  const claims = shares.size + last.flatMap(jobsOf).length;
  const deliver: Deliver = (teamId, jobs) =>
    deliverJobs(env, teamId, jobs, couriers, Math.floor(LARGE_BYTES / claims), (work) =>
      waitUntil(work.catch((error: unknown) => logFault(error, teamId, jobs))),
    );
  await Promise.all([
    ...batch.messages
      .filter((message) => !isJobMessage(message) && !isAskMessage(message))
      .map((message) => giveUp(env, QUEUE, message, "the body is not a job")),
    ...[...shares.values()].map((share) => deliverShare(env, share, deliver)),
    ...last.map((message) => deliverOneByOne(env, message, deliver)),
  ]);
  // The mail goes first, and the queue does not wait for the gateways' responses, so no question
  // delays mail.
  for (const message of questions) {
    message.ack();
    waitUntil(ask(env, message.body, couriers));
  }
}

/**
 * Asks the gateways. The queue does not retry a question that fails, because the ledger asks again.
 */
async function ask(env: Env, questions: DeliverQuestions, couriers: Couriers): Promise<void> {
  try {
    await askForOutcomes(env, questions, couriers);
  } catch (error) {
    logError("ask_failed", error, { team_id: questions.teamId });
  }
}

async function deliverShare(
  env: Env,
  share: readonly JobMessage[],
  deliver: Deliver,
): Promise<void> {
  const teamId = share[0]?.body.teamId ?? "";
  const jobs = share.flatMap(jobsOf);
  try {
    await deliver(teamId, jobs);
    for (const message of share) message.ack();
  } catch (error) {
    logFault(error, teamId, jobs);
    await Promise.all(share.map((message) => retryOrGiveUp(env, QUEUE, message, error)));
  }
}

/** Delivers each job of a queue message alone. Only jobs that fail become dead letters. */
async function deliverOneByOne(env: Env, message: JobMessage, deliver: Deliver): Promise<void> {
  const { teamId } = message.body;
  const faults: { readonly error: unknown; readonly job: DeliverJob }[] = [];
  const deliverAlone = async (job: DeliverJob): Promise<void> => {
    try {
      await deliver(teamId, [job]);
    } catch (error) {
      logFault(error, teamId, [job]);
      faults.push({ error, job });
    }
  };
  await Promise.all(jobsOf(message).map(deliverAlone));
  const [first] = faults;
  if (!first) return message.ack();
  const failed = faults.map(({ job }) => job);
  await giveUp(env, QUEUE, message, first.error, failed);
}

function logFault(error: unknown, teamId: string, jobs: readonly DeliverJob[]): void {
  logError("deliver_failed", error, {
    team_id: teamId,
    email_ids: [...new Set(jobs.map(({ emailId }) => emailId))],
  });
}

function jobsOf({ body }: JobMessage): readonly DeliverJob[] {
  return bodiesOf(QUEUE, body) as readonly DeliverJob[];
}

function isLast({ attempts }: JobMessage): boolean {
  return attempts >= QUEUE_ATTEMPTS[QUEUE];
}

function isJobMessage(message: Message): message is JobMessage {
  return bodiesOf(QUEUE, message.body).every(isDeliverJob);
}

function isAskMessage(message: Message): message is AskMessage {
  const { teamId, asks } = (message.body ?? {}) as Partial<DeliverQuestions>;
  return isId(teamId) && Array.isArray(asks) && asks.every(isAskedHost);
}

function isAskedHost(body: unknown): boolean {
  const { host, keys } = (body ?? {}) as Partial<DeliverQuestions["asks"][number]>;
  return (host === null || typeof host === "string") && Array.isArray(keys);
}

function isDeliverJob(body: unknown): boolean {
  const { teamId, emailId, recipientIndex, jobs } = (body ?? {}) as Partial<
    DeliverJob & DeliverJobs
  >;
  return isId(teamId) && isId(emailId) && Number.isInteger(recipientIndex) && jobs === undefined;
}

function isId(value: unknown): boolean {
  return typeof value === "string" && ID.test(value);
}
