// Finds open messages by their id, or by the facts in a provider's event. Changes nothing.
import type { ClaimedMessage, Grant, OpenMessage } from "../../rpc/ledger-calls.ts";
import { isAsked } from "./asked-job.ts";
import { beforeHeld } from "./held-job.ts";
import type { OpenMessages } from "./open-messages.ts";
import { type InFlight, leaseBefore } from "./in-flight.ts";
import { waitsForRoom } from "./room-wait.ts";
import { waitReasonOf } from "./wait-reason.ts";
import { type Job, type Leased, nextAttemptOf } from "./job.ts";

/** Maximum number of messages on disk whose jobs are examined for copies at gateways. */
const RESTING_EXAMINED = 1_000;

/** Finds a message that has recipients without a final outcome. */
export function findOpen(open: OpenMessages, emailId: string): OpenMessage | undefined {
  const { rows, memory, outage, holds } = open;
  const entry = memory.find(emailId);
  const seq = memory.seqOf(emailId);
  if (seq === undefined) return undefined;
  const row = rows.find(seq);
  const jobs = Array.from({ length: row.recipients }, (_, index) => entry?.jobs[index]);
  const released = entry?.released ?? 0;
  const waitForRoom = jobs.map(waitsForRoom);
  const { hold, heldMs } = holds.hasAny
    ? holds.stateOf(rows.originOf(seq), Date.now())
    : { hold: undefined, heldMs: 0 };
  const unreleased = outage.isOn || hold ? "courier" : "rate";
  return {
    meta: row.meta,
    startsAt: row.startsAt,
    nextAttempts: jobs.map(nextAttemptOf),
    holds: jobs.map((job, index) => (index < released ? waitReasonOf(job) : unreleased)),
    ...(waitForRoom.includes(true) && { waitForRoom }),
    ...(hold && { hold }),
    ...(heldMs > 0 && { heldMs }),
  };
}

/** Reads an open message with its content. */
export function readOpen(open: OpenMessages, emailId: string): ClaimedMessage | undefined {
  const seq = open.memory.seqOf(emailId);
  return seq === undefined ? undefined : open.rows.read([seq], Infinity)[0];
}

/**
 * Returns ids of open messages below `before`, unsorted. The highest `limit` of these ids are
 * always among them.
 */
export function openIdsBelow(
  { memory, rows }: OpenMessages,
  before: string,
  limit: number,
): string[] {
  return [
    ...memory.inFlight.idsBelow(before, limit),
    ...memory.resting.idsBelow(before, limit),
    ...rows.idsOfWaiting(before, limit),
  ];
}

/** Returns whether a message has recipients without a final outcome. */
export function hasOpen({ memory }: OpenMessages, emailId: string): boolean {
  return memory.seqOf(emailId) !== undefined;
}

/**
 * Returns whether this attempt of a recipient is still the latest attempt and has no final outcome.
 */
export function isAttemptOpen(
  { memory }: OpenMessages,
  { emailId, recipientIndex, attempt }: Grant,
): boolean {
  const job = beforeHeld(memory.find(emailId)?.jobs[recipientIndex], attempt);
  return job !== undefined && job.state !== "done" && job.attempt === attempt;
}

/**
 * Finds messages whose JSON contains `text`. Returns each message with those of its attempts that a
 * consumer began by the time `at` (Unix milliseconds), and whose copies no gateway can have.
 */
export function attemptsUnderWay(
  { memory, rows }: OpenMessages,
  text: string,
  at: number,
): { readonly meta: string; readonly grants: readonly Grant[] }[] {
  const begun = new Map<number, Grant[]>();
  for (const [emailId, { seq, jobs }] of memory.inFlight.all()) {
    const grants = Object.entries<Job>(jobs).flatMap(([index, job]) =>
      isBegun(job, at) ? [{ emailId, recipientIndex: Number(index), attempt: job.attempt }] : [],
    );
    if (grants.length > 0) begun.set(seq, grants);
  }
  const found = begun.size === 0 ? [] : rows.metasWith([...begun.keys()], text);
  return found.map(({ seq, meta }) => ({ meta, grants: begun.get(seq)! }));
}

/**
 * Counts the recipients whose copy is, or may be, at one of these gateways. `hosts` are the
 * gateways' URLs. A consumer that began after `until` (Unix milliseconds) gave these gateways no
 * copy. A copy counts if the ledger does not know when its consumer began. If many resting messages
 * have a copy at a gateway, the count may be too low, but is not 0.
 */
export function countHandedOver(
  { memory }: OpenMessages,
  hosts: readonly string[],
  until: number,
): number {
  if (hosts.length === 0) return 0;
  const mayHave = (index: number, job: Job | undefined, entry: InFlight): boolean => {
    const lease = isAsked(job) ? job : leaseBefore(index, job, entry);
    if (lease?.host === undefined) return lease !== undefined && (lease.claimedAt ?? 0) <= until;
    return hosts.includes(lease.host);
  };
  const inMemory = Array.from(memory.inFlight.all(), ([, entry]) => entry);
  const resting = memory.restingHandedOver(RESTING_EXAMINED);
  let count = 0;
  for (const entry of [...inMemory, ...resting])
    for (let index = 0; index < entry.released; index += 1)
      if (mayHave(index, entry.jobs[index], entry)) count += 1;
  return resting.length === RESTING_EXAMINED ? Math.max(1, count) : count;
}

/** Reads the large content of a message in flight. Returns null if the message is not in flight. */
export function readLargeContent(
  { memory, rows }: OpenMessages,
  emailId: string,
): Uint8Array<ArrayBuffer> | null {
  const entry = memory.find(emailId);
  return entry ? rows.large.read(entry.seq) : null;
}

/**
 * Returns whether a consumer has had a lease since `at` or earlier, for a courier that does not
 * remember attempts.
 */
function isBegun(job: Job, at: number): job is Leased {
  return (
    job.state === "leased" &&
    job.asks === undefined &&
    !job.unheard &&
    (job.claimedAt ?? Infinity) <= at
  );
}
