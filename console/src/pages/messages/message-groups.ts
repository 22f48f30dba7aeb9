// Groups the loaded events of the log by message and recipient. Pure.
import type { LogEvent } from "./newest-events.ts";
import { compareConcern, type RecipientOutcome } from "../message/recipient-facts.ts";
import { bounceName, bounceSentence } from "../message/bounce-sentence.ts";

export interface RecipientGroup {
  readonly recipient: string;
  readonly status: RecipientOutcome;
  /** The recipient's events, newest first. */
  readonly events: readonly LogEvent[];
}

export interface MessageGroup {
  readonly emailId: string;
  /** The newest event. */
  readonly last: LogEvent;
  /** The recipients with a loaded event, the worst status first. */
  readonly recipients: readonly RecipientGroup[];
}

/**
 * Groups events by message, in the order of each message's newest event. `events` must be newest
 * first.
 */
export function groupByMessage(events: readonly LogEvent[]): MessageGroup[] {
  return [...Map.groupBy(events, ({ email_id: id }) => id)].flatMap(([emailId, own]) => {
    const [last] = own;
    return last ? [{ emailId, last, recipients: byRecipient(own) }] : [];
  });
}

function byRecipient(events: readonly LogEvent[]): RecipientGroup[] {
  return [...Map.groupBy(events, ({ recipient }) => recipient.toLowerCase()).values()]
    .map((own) => ({ recipient: own[0]?.recipient ?? "", status: statusOf(own), events: own }))
    .toSorted((left, right) => compareConcern(left.status, right.status));
}

export interface RecipientRow extends RecipientGroup {
  readonly emailId: string;
  readonly last: LogEvent;
}

/** Returns a row for each message and recipient, in the order of their newest events. */
export function rowsByRecipient(events: readonly LogEvent[]): RecipientRow[] {
  return groupByMessage(events)
    .flatMap(({ emailId, recipients }) =>
      recipients.flatMap((one) => {
        const [last] = one.events;
        return last ? [{ ...one, emailId, last }] : [];
      }),
    )
    .toSorted((left, right) => right.last.occurred_at.localeCompare(left.last.occurred_at));
}

/** Returns the status that follows from the events, by the same rule as GET /v1/email/{id}. */
function statusOf(events: readonly Pick<LogEvent, "type">[]): RecipientOutcome {
  const types = new Set(events.map(({ type }) => type.slice("email.".length)));
  for (const status of ["complained", "bounced", "suppressed"] as const)
    if (types.has(status)) return status;
  if (["delivered", "opened", "clicked", "unsubscribed"].some((type) => types.has(type)))
    return "delivered";
  return types.has("delayed") ? "delayed" : "sent";
}

/** Returns why the mail to a recipient bounced, as a clause. Empty: the mail did not bounce. */
export function bounceReason(group: RecipientGroup): string {
  const bounce = bounceOf(group);
  return bounce ? bounceSentence(bounce) : "";
}

/** Returns the bounce reason in two or three words. */
export function bounceBrief(group: RecipientGroup): string {
  const bounce = bounceOf(group);
  return bounce ? bounceName(bounce) : "";
}

function bounceOf({ status, events }: RecipientGroup): LogEvent | undefined {
  return status === "bounced" ? events.find(({ type }) => type === "email.bounced") : undefined;
}
