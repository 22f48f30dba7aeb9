// The JSON of a message in a list (contract.md §List of messages).
import * as z from "zod";
import { EVENT_TYPES } from "../../../rpc/event-types.ts";
import { RECIPIENT_STATES, type RecipientState } from "../../../rpc/recipient-states.ts";
import { knownRecipient } from "../lookup.ts";
import { FROM_NAME, timeText, toMessageMembers } from "../wire.ts";
import type { ListedMessage } from "./list-messages.ts";

/** Members are optional if only the list with `status=all` has them. */
export const ListedEmail = z
  .object({
    id: z.string(),
    created_at: z.iso.datetime(),
    scheduled_at: z.iso
      .datetime()
      .optional()
      .describe("Present only if the message was scheduled."),
    canceled_at: z.iso.datetime().optional().describe("Present only if the message was canceled."),
    from: z.string(),
    from_name: z.string().nullable().describe(FROM_NAME),
    recipients: z.array(z.string()).describe("All recipients, of `to`, `cc` and `bcc`."),
    to: z.array(z.string()).optional(),
    cc: z.array(z.string()).optional(),
    bcc: z.array(z.string()).optional(),
    subject: z.string(),
    message_id: z.string().optional(),
    template_id: z.string().nullable(),
    topic: z.string().nullable(),
    campaign: z.string().nullable(),
    tags: z.array(z.string()),
    metadata: z.record(z.string(), z.string()).nullable(),
    status: z
      .enum(RECIPIENT_STATES)
      .nullable()
      .optional()
      .describe(
        "The recipient's status; with several recipients, the status that matters most. Null: too " +
          "many events had to be read. `status`, `last_event`, `message_id`, `to`, `cc` and `bcc` " +
          "are present only with `status=all`.",
      ),
    last_event: z
      .object({
        type: z.enum(EVENT_TYPES),
        occurred_at: z.iso.datetime(),
        recipient: z.string(),
      })
      .nullable()
      .optional()
      .describe("The newest event; null: the message has no event."),
  })
  .meta({ id: "ListedEmail" });

export type ListedEmail = z.output<typeof ListedEmail>;

/** A message's status is the first status in this list that one of its recipients has. */
const MATTERING_MOST: readonly RecipientState[] = [
  "complained",
  "bounced",
  "suppressed",
  "delayed",
  "queued",
  "sent",
  "delivered",
];

export function toListedEmail(listed: ListedMessage): ListedEmail {
  const { message, createdAt, canceledAt, events } = listed;
  const { recipients, roles } = message;
  const inRole = (role: string) =>
    recipients.filter((_, index) => (roles?.charAt(index) ?? "t") === role);
  const [last] = events;
  return {
    id: message.emailId,
    created_at: timeText(createdAt),
    ...(message.scheduledAt !== undefined && { scheduled_at: timeText(message.scheduledAt) }),
    ...(canceledAt !== null && { canceled_at: timeText(canceledAt) }),
    from: message.from,
    from_name: message.fromName,
    recipients: [...recipients],
    to: inRole("t"),
    cc: inRole("c"),
    bcc: inRole("b"),
    ...toMessageMembers(message),
    metadata: message.metadata ?? null,
    status: statusOf(listed),
    last_event: last
      ? { type: last.type, occurred_at: timeText(last.occurredAt), recipient: last.recipient }
      : null,
  };
}

function statusOf(listed: ListedMessage): RecipientState | null {
  const { message, events, canceledAt, isReleased, isComplete } = listed;
  if (!isReleased) return canceledAt === null ? "scheduled" : "canceled";
  if (!isComplete) return null;
  const byAddress = Map.groupBy(events, ({ recipient }) => recipient.toLowerCase());
  const states = new Set(
    message.recipients.map(
      (address, index) =>
        knownRecipient(address, byAddress.get(address.toLowerCase()) ?? [], null, index).status,
    ),
  );
  return MATTERING_MOST.find((state) => states.has(state)) ?? "queued";
}
