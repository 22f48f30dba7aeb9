// The arguments and results of the ledger's calls about scheduled messages (contract.md §Scheduled
// sends). Times are Unix milliseconds.

/** A message that was never released. */
export interface ScheduledMessage {
  readonly emailId: string;
  /** JSON of mail/message.ts Message. */
  readonly meta: string;
  readonly scheduledAt: number;
  /** Null: the message waits for its time. */
  readonly canceledAt: number | null;
}

/** Messages that wait for their time, newest first. */
export interface ScheduledPage {
  readonly messages: readonly ScheduledMessage[];
  /** True if older messages wait too. */
  readonly isMore: boolean;
}

/** The answer to cancel(). `gone`: no message of that id waits, and none was canceled. */
export type Cancellation =
  | { readonly kind: "canceled"; readonly canceledAt: number }
  | { readonly kind: "gone" };
