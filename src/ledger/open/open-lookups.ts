// Finds open messages by their id, or by the facts in a provider's event. Changes nothing.
import type { MentioningMessage } from "../../rpc/ledger.ts";
import type { Grant, OpenMessage } from "../../rpc/ledger-calls.ts";
import { isAsked } from "./asked-job.ts";
import { type InFlight, type InFlightSchedule, leaseBefore } from "./in-flight.ts";
import { waitReasonOf } from "./wait-reason.ts";
import { type Job, type Jobs, nextAttemptOf } from "./job.ts";
import type { MessageRows } from "./message-rows.ts";

export class OpenLookups {
  readonly #rows: MessageRows;
  readonly #inFlight: InFlightSchedule;

  constructor(rows: MessageRows, inFlight: InFlightSchedule) {
    this.#rows = rows;
    this.#inFlight = inFlight;
  }

  /** The message's jobs: from memory, or from its row. */
  jobsOf({ jobs, seq }: InFlight): Jobs {
    return jobs ?? this.#rows.readJobs(seq);
  }

  /** Finds a message that has recipients without a final outcome. */
  find(emailId: string): OpenMessage | undefined {
    const entry = this.#inFlight.get(emailId);
    const seq = entry?.seq ?? this.#rows.seqOfWaiting(emailId);
    if (seq === undefined) return undefined;
    const row = this.#rows.find(seq);
    const known = entry?.jobs ?? row.jobs;
    const jobs = Array.from({ length: row.recipients }, (_, index) => known[index]);
    const released = entry?.released ?? 0;
    return {
      meta: row.meta,
      startsAt: row.startsAt,
      nextAttempts: jobs.map(nextAttemptOf),
      holds: jobs.map((job, index) => waitReasonOf(job, index < released)),
    };
  }

  /** Searches the JSON of open messages for `text`, ignoring case. Newest first, up to `limit`. */
  mentioning(text: string, limit: number): MentioningMessage[] {
    return this.#rows.mentioning(text, limit);
  }

  /**
   * Returns ids of open messages below `before`, unsorted. The highest `limit` of these ids are
   * always among them.
   */
  idsBelow(before: string, limit: number): string[] {
    return [...this.#inFlight.idsBelow(before, limit), ...this.#rows.idsOfWaiting(before, limit)];
  }

  /** Tells whether a message has recipients without a final outcome. */
  has(emailId: string): boolean {
    return (
      this.#inFlight.get(emailId) !== undefined || this.#rows.seqOfWaiting(emailId) !== undefined
    );
  }

  /** Tells whether this attempt of a recipient is still the latest and has no final outcome. */
  isOpen({ emailId, recipientIndex, attempt }: Grant): boolean {
    const entry = this.#inFlight.get(emailId);
    const job = entry && this.jobsOf(entry)[recipientIndex];
    return job !== undefined && job.state !== "done" && job.attempt === attempt;
  }

  /**
   * Finds messages whose JSON contains `text`. Returns each message with those of its attempts that
   * are on disk and that a consumer began no later than `at` (Unix milliseconds).
   */
  underWay(
    text: string,
    at: number,
  ): { readonly meta: string; readonly grants: readonly Grant[] }[] {
    return this.#rows.leased(text).map(({ id: emailId, meta, jobs }) => ({
      meta,
      grants: Object.entries<Job>(JSON.parse(jobs) as Jobs).flatMap(([index, job]) =>
        job.state === "leased" && !job.unheard && (job.claimedAt ?? Infinity) <= at
          ? [{ emailId, recipientIndex: Number(index), attempt: job.attempt }]
          : [],
      ),
    }));
  }

  /**
   * Counts the recipients whose copy is, or may be, at one of these gateways. `hosts`: the
   * gateways' URLs.
   */
  countHandedOver(hosts: readonly string[]): number {
    if (hosts.length === 0) return 0;
    const mayHave = (index: number, job: Job | undefined, entry: InFlight): boolean => {
      const lease = isAsked(job) ? job : leaseBefore(index, job, entry);
      return lease !== undefined && (lease.host === undefined || hosts.includes(lease.host));
    };
    let count = 0;
    for (const entry of this.#inFlight.all()) {
      const jobs = this.jobsOf(entry);
      for (let index = 0; index < entry.released; index += 1)
        if (mayHave(index, jobs[index], entry)) count += 1;
    }
    return count;
  }

  /** Reads the large content of a message in flight; null: the message is not in flight. */
  readLarge(emailId: string): Uint8Array<ArrayBuffer> | null {
    const entry = this.#inFlight.get(emailId);
    return entry ? this.#rows.large.read(entry.seq) : null;
  }

  /** The R2 keys of all content that open messages have in R2. */
  contentKeys(): string[] {
    return this.#rows.contentKeys();
  }

  /**
   * Returns the start of the oldest open message (its scheduled time, else its acceptance), in Unix
   * milliseconds. Throws if no message is open.
   */
  oldestStart(): number {
    return this.#rows.oldestAcceptedAt();
  }
}
