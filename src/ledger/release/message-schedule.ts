// Stores scheduled messages until they are released, moved or canceled (contract.md §Scheduled
// sends). A message becomes one of the ledger's open messages at its scheduled time. All changes
// run inside a group commit, so that a message is either canceled or released.
import type { CanceledCampaign, Cancellation, ScheduledMessage } from "../../rpc/schedule-calls.ts";
import type { QuotaUse } from "../admission/counters.ts";
import type { LedgerChange, ReleasedJob } from "../after-commit.ts";
import type { WaitedMessage } from "../open/message-rows.ts";
import { CanceledRows } from "./canceled-rows.ts";
import { type LeavingMessage, ScheduledRows } from "./scheduled-rows.ts";

/**
 * Maximum number of messages that one group commit releases. Their content is at most 48 MB, and
 * usually 1 MB.
 */
const RELEASES_PER_COMMIT = 500;

/** Gives the quotas back the amounts that a canceled message took. */
export interface QuotaReturns {
  giveBack(use: QuotaUse, now: number): void;
}

export class MessageSchedule {
  readonly rows: ScheduledRows;
  readonly canceled: CanceledRows;
  readonly #quotas: QuotaReturns;

  constructor(sql: SqlStorage, quotas: QuotaReturns) {
    this.#quotas = quotas;
    this.rows = new ScheduledRows(sql);
    this.canceled = new CanceledRows(sql);
  }

  /**
   * Removes up to RELEASES_PER_COMMIT due messages from the schedule. `release` copies the messages
   * from their rows.
   */
  takeDue(
    now: number,
    release: (due: readonly WaitedMessage[]) => readonly ReleasedJob[],
  ): readonly ReleasedJob[] {
    const due = this.rows.due(now, RELEASES_PER_COMMIT);
    if (due.length === 0) return [];
    const released = release(due);
    this.rows.drop(due);
    return released;
  }

  /**
   * Cancels a message that was not released. Gives the quotas back the amounts that the message
   * took.
   */
  cancel(emailId: string, now: number): LedgerChange<Cancellation> {
    const taken = this.rows.take(emailId);
    if (!taken) {
      const before = this.canceled.find(emailId);
      return {
        result: before ? { kind: "canceled", canceledAt: before.canceledAt } : { kind: "gone" },
      };
    }
    return {
      result: { kind: "canceled", canceledAt: now },
      unusedContent: this.#endCanceled([taken], now),
    };
  }

  /** Cancels up to `limit` messages of a campaign, those with the earliest scheduled time first. */
  cancelCampaign(campaign: string, limit: number, now: number): LedgerChange<CanceledCampaign> {
    const taken = this.rows.takeCampaign(campaign, limit);
    return {
      result: {
        emailIds: taken.map(({ emailId }) => emailId),
        isMore: taken.length === limit && this.rows.hasCampaign(campaign),
      },
      unusedContent: this.#endCanceled(taken, now),
    };
  }

  /** Finds a message that waits for its scheduled time or was canceled. */
  find(emailId: string): ScheduledMessage | undefined {
    return this.rows.find(emailId) ?? this.canceled.find(emailId);
  }

  /**
   * Returns ids of scheduled and canceled messages below `before`, unsorted. The highest `limit` of
   * these ids are always among them.
   */
  idsBelow(before: string, limit: number): string[] {
    return [...this.rows.idsBelow(before, limit), ...this.canceled.idsBelow(before, limit)];
  }

  /**
   * Stores the facts of canceled messages, and gives the quotas back the amounts that the messages
   * took. Returns the R2 keys of their content.
   */
  #endCanceled(taken: readonly LeavingMessage[], now: number): string[] {
    return taken.flatMap(({ emailId, meta, scheduledAt, contentKey, ...use }) => {
      this.canceled.add({ emailId, meta, scheduledAt, canceledAt: now });
      this.#quotas.giveBack(use, now);
      return contentKey === null ? [] : [contentKey];
    });
  }
}
