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

/** The messages that wait for their time and are read, and the place where reading begins. */
export type ScheduledRange =
  /** Newest first: those with ids lower than `before`. */
  | { readonly order: "newest"; readonly before: string | null }
  /** The next to go out first: those after a place, of one campaign if it is not null. */
  | {
      readonly order: "soonest";
      readonly campaign: string | null;
      readonly after: SchedulePosition | null;
    };

/** A place among the messages in the order in which they go out. */
export interface SchedulePosition {
  readonly scheduledAt: number;
  /** The message's number in the ledger, by which messages of one time are in order. */
  readonly number: number;
}

/** Messages that wait for their time. */
export interface ScheduledPage {
  readonly messages: readonly ScheduledMessage[];
  /** True if more messages of the range wait. */
  readonly isMore: boolean;
  /** The place of the last message. Absent: newest first. */
  readonly last?: SchedulePosition;
}

/** A campaign of which messages wait for their time. */
export interface WaitingCampaign {
  readonly campaign: string;
  /** Messages that were counted. */
  readonly messages: number;
  /** False: the campaign has more messages, or was not counted. */
  readonly isComplete: boolean;
  /** When its first and its last message go out. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The answer to cancelCampaign(). */
export interface CanceledCampaign {
  readonly emailIds: readonly string[];
  /** True if more messages of the campaign wait. */
  readonly isMore: boolean;
}

/** The answer to cancel(). `gone`: no message of that id waits, and none was canceled. */
export type Cancellation =
  | { readonly kind: "canceled"; readonly canceledAt: number }
  | { readonly kind: "gone" };
