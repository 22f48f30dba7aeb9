// Reduces a job to the ids that its dead letter stores. A body of an unknown form is not stored,
// because it could contain private data. Pure.
import type { QueueName } from "./job-queues.ts";

/**
 * Matches an id, or the name of a DNS record. The service publishes only names shorter than 255
 * characters.
 */
const ID = /^[\w.-]{1,255}$/;
/** Maximum size of a queue message, in bytes. */
const LONGEST_BODY = 128 * 1024;

const MEMBERS: Readonly<Record<QueueName, readonly string[]>> = {
  "postern-deliver": ["teamId", "emailId", "recipientIndex"],
  "postern-dns-cleanup": ["recordIds", "names", "domainId", "onboard", "offboard"],
  "postern-webhook": ["teamId", "webhookId"],
};

export type JobBody = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * Returns the body of each job of one queue message. A message of the `deliver` queue may contain
 * several jobs of one team. A message with `asks` (questions to a gateway about attempts) contains
 * no jobs. Questions need no dead letter, because the ledger repeats them.
 */
export function bodiesOf(queue: QueueName, body: unknown): readonly unknown[] {
  const { teamId, jobs, asks } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (queue === "postern-deliver" && Array.isArray(asks)) return [];
  if (queue !== "postern-deliver" || !Array.isArray(jobs) || jobs.length === 0) return [body];
  return jobs.map((job: unknown) => ({ teamId, ...(job as object) }));
}

/**
 * Returns the job's body. Returns null if the body is empty or too long, or has a member that jobs
 * of this queue do not have. Each value must be an id, an integer or a list of ids.
 */
export function idsOf(queue: QueueName, body: unknown): JobBody | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  if (
    members.length === 0 ||
    !members.every(([name, value]) => MEMBERS[queue].includes(name) && isIds(value))
  )
    return null;
  const ids = Object.fromEntries(members) as JobBody;
  return JSON.stringify(ids).length <= LONGEST_BODY ? ids : null;
}

function isIds(value: unknown): boolean {
  return isId(value) || Number.isSafeInteger(value) || (Array.isArray(value) && value.every(isId));
}

function isId(value: unknown): boolean {
  return typeof value === "string" && ID.test(value);
}
