// What a dead letter keeps of its job: the ids that a job of its queue consists of. Of what is no
// such job nothing is kept, since nobody knows what it is.
import type { QueueName } from "./queue-names.ts";

/** Longer than any id, and than any name of a record that the service publishes. */
const ID = /^[\w.-]{1,255}$/;
/** What a queue takes. */
const LONGEST_BODY = 128 * 1024;

const MEMBERS: Readonly<Record<QueueName, readonly string[]>> = {
  "postern-deliver": ["teamId", "emailId", "recipientIndex"],
  "postern-dns-cleanup": ["recordIds", "names", "domainId"],
  "postern-webhook": ["teamId", "webhookId"],
};

export type JobBody = Readonly<Record<string, string | number | readonly string[]>>;

/**
 * The jobs of one message of the queue, each as the body of a message of its own: a delivery's may
 * be several of one team's.
 */
export function bodiesOf(queue: QueueName, body: unknown): readonly unknown[] {
  const { teamId, jobs } = (body ?? {}) as { readonly teamId?: unknown; readonly jobs?: unknown };
  if (queue !== "postern-deliver" || !Array.isArray(jobs) || jobs.length === 0) return [body];
  return jobs.map((job: unknown) => ({ teamId, ...(job as object) }));
}

/**
 * The job's body when it has the queue's members alone, each an id, a whole number or a list of
 * ids; null for anything else.
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
