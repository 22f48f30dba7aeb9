// The counters of a team's ledger at one moment (contract.md §Usage): for the team, for the
// operator and for tests. Times are Unix milliseconds.

/** A cap on distinct labels in a rolling window, as the team's settings name it. */
export type LabelCap = "tagsPerHour" | "topicPerHour" | "campaignPerHour" | "campaignPer72Hours";

export interface Usage {
  readonly dailyUsed: number;
  readonly monthlyUsed: number;
  readonly overageCredits: number;
  /** When the counters of the day and of the month begin again at zero. */
  readonly dailyResetsAt: number;
  readonly monthlyResetsAt: number;
  /** Distinct labels that were used in each cap's window. */
  readonly labels: Readonly<Record<LabelCap, number>>;
  /** Open messages and their open jobs. */
  readonly messages: number;
  readonly jobs: number;
  readonly delivery: OpenJobs;
  /** Events of the log that are in no chunk yet. */
  readonly unpaged: number;
  /** Events of the log that are not handed over to suppressions and webhooks yet. */
  readonly undelivered: number;
}

/** Open jobs by state. */
interface OpenJobs {
  readonly waiting: number;
  readonly queued: number;
  readonly attempting: number;
  readonly deferred: number;
  readonly awaiting: number;
  /** When the oldest open message was accepted; null: no message is open. */
  readonly oldestAcceptedAt: number | null;
}
