// The current counters of a team's ledger (contract.md §Usage), for the team, the operator and
// tests. Times are Unix milliseconds.

/**
 * A limit on the number of distinct labels in a rolling window. The names are those of the team's
 * settings.
 */
export type LabelCap = "tagsPerHour" | "topicPerHour" | "campaignPerHour" | "campaignPer72Hours";

export interface Usage {
  readonly dailyUsed: number;
  readonly monthlyUsed: number;
  readonly overageCredits: number;
  /** When the daily and the monthly counter are reset to zero. */
  readonly dailyResetsAt: number;
  readonly monthlyResetsAt: number;
  /** The number of distinct labels used in each cap's window. */
  readonly labels: Readonly<Record<LabelCap, number>>;
  /** The numbers of open messages and of their open jobs. */
  readonly messages: number;
  readonly jobs: number;
  readonly delivery: OpenJobs;
  /** The number of events in the log that are not in a chunk yet. */
  readonly unpaged: number;
  /** The number of events in the log that are not dispatched to suppressions and webhooks yet. */
  readonly undelivered: number;
}

/** The number of open jobs in each state. */
interface OpenJobs {
  readonly waiting: number;
  readonly queued: number;
  readonly attempting: number;
  readonly deferred: number;
  readonly awaiting: number;
  /** When the oldest open message was accepted. Null: no message is open. */
  readonly oldestAcceptedAt: number | null;
}
