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

/** Selects scheduled messages, and the position at which to begin. */
export type ScheduledRange =
  /** Selects messages with ids lower than `before`, newest first. */
  | { readonly order: "newest"; readonly before: string | null }
  /**
   * Selects messages after the position `after`, earliest release first. `campaign` null: selects
   * messages of all campaigns.
   */
  | {
      readonly order: "soonest";
      readonly campaign: string | null;
      readonly after: SchedulePosition | null;
    };

/** A position in the list of messages that is sorted by release time. */
export interface SchedulePosition {
  readonly scheduledAt: number;
  /** The message's number in the ledger. It orders messages with the same release time. */
  readonly number: number;
}

/** A page of messages that wait for their scheduled time. */
export interface ScheduledPage {
  readonly messages: readonly ScheduledMessage[];
  /** True if the range has more scheduled messages. */
  readonly isMore: boolean;
  /** The position of the page's last message. Absent: the page is sorted newest first. */
  readonly last?: SchedulePosition;
}

/** A campaign that has scheduled messages. */
export interface WaitingCampaign {
  readonly campaign: string;
  /** The number of the campaign's messages that the ledger counted. */
  readonly messages: number;
  /**
   * True: `messages` counts all scheduled messages of the campaign. False: the campaign may have
   * more messages.
   */
  readonly isComplete: boolean;
  /** When the first and the last message of the campaign will be released. */
  readonly firstAt: number;
  readonly lastAt: number;
}

/** The result of cancelCampaign(). */
export interface CanceledCampaign {
  readonly emailIds: readonly string[];
  /** True if the campaign has more scheduled messages. */
  readonly isMore: boolean;
}

/** The result of cancel(). `gone`: no scheduled or canceled message has this id. */
export type Cancellation =
  | { readonly kind: "canceled"; readonly canceledAt: number }
  | { readonly kind: "gone" };
