// The arguments and results of the ledger's calls about scheduled messages (contract.md §Scheduled
// sends). Times are Unix milliseconds.

/** A message that was never released. */
export interface ScheduledMessage {
  readonly emailId: string;
  /** The message (mail/message.ts Message) as JSON. */
  readonly meta: string;
  readonly scheduledAt: number;
  /** When the message was canceled. Null: the message waits for its scheduled time. */
  readonly canceledAt: number | null;
}

/** Selects the scheduled messages to read, and where to begin. */
export type ScheduledRange =
  /** Selects messages with ids lower than `before`, newest first. */
  | { readonly order: "newest"; readonly before: string | null }
  /**
   * Sorted by release, earliest first: messages after the position `after`. `campaign` null:
   * messages of all campaigns.
   */
  | {
      readonly order: "soonest";
      readonly campaign: string | null;
      readonly after: SchedulePosition | null;
    };

/** A position among the messages, sorted by the time at which they will be released. */
export interface SchedulePosition {
  readonly scheduledAt: number;
  /** The message's number in the ledger. Messages with the same time are sorted by this number. */
  readonly number: number;
}

/** A page of messages that wait for their scheduled time. */
export interface ScheduledPage {
  readonly messages: readonly ScheduledMessage[];
  /** True if the range has more scheduled messages. */
  readonly isMore: boolean;
  /** The position of the page's last message. Absent if the page is sorted newest first. */
  readonly last?: SchedulePosition;
}

/** A campaign that has scheduled messages. */
export interface WaitingCampaign {
  readonly campaign: string;
  /** The number of the campaign's messages that the ledger counted. */
  readonly messages: number;
  /**
   * True: `messages` is the number of all scheduled messages of the campaign. False: the campaign
   * has more messages, or was not counted.
   */
  readonly isComplete: boolean;
  /** When the first and the last message of the campaign will be released. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The answer to cancelCampaign(). */
export interface CanceledCampaign {
  readonly emailIds: readonly string[];
  /** True if the campaign has more scheduled messages. */
  readonly isMore: boolean;
}

/** The answer to cancel(). `gone`: no message with this id is scheduled or canceled. */
export type Cancellation =
  | { readonly kind: "canceled"; readonly canceledAt: number }
  | { readonly kind: "gone" };
