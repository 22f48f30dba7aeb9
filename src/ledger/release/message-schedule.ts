// Decides what becomes of scheduled messages (contract.md §Scheduled sends): they wait, move, are
// canceled, or enter the ledger's open messages when their time has come. All of it runs inside a
// group commit, so that a message is either canceled or released.
import type { Candidate } from "../../contracts/ledger-contract.ts";
import type {
  Cancellation,
  ScheduledMessage,
  ScheduledPage,
} from "../../contracts/schedule-contract.ts";
import type { Released } from "./dispatch.ts";
import type { LedgerCounters } from "../admission/counters.ts";
import type { OpenMessages } from "../open/open-messages.ts";
import { refund } from "../admission/quota.ts";
import { CanceledRows } from "./canceled-rows.ts";
import { ScheduledRows } from "./scheduled-rows.ts";

/** Messages that one group commit releases: at most 48 MB of content, and usually 1 MB. */
const RELEASES_PER_COMMIT = 500;

export class MessageSchedule {
  readonly #counters: LedgerCounters;
  readonly #rows: ScheduledRows;
  readonly #canceled: CanceledRows;

  constructor(sql: SqlStorage, counters: LedgerCounters) {
    this.#counters = counters;
    this.#rows = new ScheduledRows(sql);
    this.#canceled = new CanceledRows(sql);
  }

  /** When the next message is due, Unix milliseconds; Infinity: none waits. */
  get dueAt(): number {
    return this.#rows.dueAt;
  }

  /** When sweep() next has something to do, Unix milliseconds; Infinity: never. */
  get sweepAt(): number {
    return this.#canceled.sweepAt;
  }

  /**
   * Keeps messages that were accepted at `now`. `overage`: how many of their recipients overage
   * credits paid for. Must run before their labels are counted.
   */
  add(candidates: readonly Candidate[], overage: number, now: number): void {
    if (candidates.every(({ scheduledAt }) => scheduledAt === undefined)) return;
    const fresh = this.#counters.labels.freshIn(candidates, now);
    let unpaid = overage;
    for (const [index, candidate] of candidates.entries()) {
      const { scheduledAt, recipientCount: recipients } = candidate;
      if (scheduledAt === undefined) continue;
      const own = Math.min(unpaid, recipients);
      unpaid -= own;
      const used = { acceptedAt: now, recipients, overage: own, labels: fresh[index]! };
      this.#rows.add({ candidate, scheduledAt, ...used });
    }
  }

  /** Releases messages that are due, up to RELEASES_PER_COMMIT, and returns their released jobs. */
  release(
    now: number,
    messages: OpenMessages,
    roomFor: (recipients: number) => number,
  ): readonly Released[] {
    const due = this.#rows.due(now, RELEASES_PER_COMMIT);
    if (due.length === 0) return [];
    const released = messages.insertDue(due, now, roomFor);
    this.#rows.drop(due);
    return released;
  }

  /**
   * Cancels a message and gives back what it used. Returns the answer, and the R2 key of content
   * that is not needed any more, or null.
   */
  cancel(
    emailId: string,
    now: number,
  ): { readonly answer: Cancellation; readonly contentKey: string | null } {
    const taken = this.#rows.take(emailId);
    if (!taken) {
      const before = this.#canceled.find(emailId);
      const answer: Cancellation = before
        ? { kind: "canceled", canceledAt: before.canceledAt }
        : { kind: "gone" };
      return { answer, contentKey: null };
    }
    const { meta, scheduledAt, contentKey, labels, ...used } = taken;
    this.#canceled.add({ emailId, meta, scheduledAt, canceledAt: now });
    this.#counters.quota = refund(this.#counters.quota, used, now);
    this.#counters.giveBackLabels(labels, used.acceptedAt);
    return { answer: { kind: "canceled", canceledAt: now }, contentKey };
  }

  /** Changes a message's time. Returns false if it does not wait. */
  move(emailId: string, scheduledAt: number): boolean {
    return this.#rows.move(emailId, scheduledAt);
  }

  /** Finds a message that waits or was canceled. */
  find(emailId: string): ScheduledMessage | undefined {
    return this.#rows.find(emailId) ?? this.#canceled.find(emailId);
  }

  isWaiting(emailId: string): boolean {
    return this.#rows.has(emailId);
  }

  list(limit: number, before: string | null): ScheduledPage {
    return this.#rows.list(limit, before);
  }

  contentKeys(): string[] {
    return this.#rows.contentKeys();
  }

  sweep(now: number): void {
    this.#canceled.sweep(now);
  }
}
