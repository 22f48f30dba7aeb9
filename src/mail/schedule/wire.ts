// The JSON of the endpoints for scheduled messages (contract.md §Scheduled sends).
import * as z from "zod";
import type { ScheduledMessage, WaitingCampaign } from "../../rpc/schedule-calls.ts";
import { EventQuery } from "../../resources/events/wire.ts";
import type { ListedEmail } from "../lookup/messages/wire.ts";
import { readStoredMessage } from "../message-start.ts";
import { ScheduledAt } from "../scheduled-at.ts";

export const MoveEmailRequest = z.object({
  scheduled_at: ScheduledAt.describe(
    "When the message goes out: up to 30 days ahead. A time in the past minute is now.",
  ),
});

export const MovedEmail = z
  .object({ id: z.string(), scheduled_at: z.iso.datetime() })
  .meta({ id: "MovedEmail" });

export const CanceledEmail = z
  .object({ id: z.string(), canceled_at: z.iso.datetime() })
  .meta({ id: "CanceledEmail" });

/** Any text is a campaign to ask for. One that no message waits of is empty. */
const Campaign = z.string().min(1, "must not be empty");

export const CancelCampaignRequest = z.object({
  campaign: Campaign.describe("The `campaign` of the sends."),
});

export const CanceledCampaign = z
  .object({
    data: z
      .array(z.object({ id: z.string(), canceled_at: z.iso.datetime() }))
      .describe("The messages that this call canceled, the next to go out first."),
    has_more: z.boolean().describe("True if more messages of the campaign wait: call again."),
  })
  .meta({ id: "CanceledCampaign" });

export const WaitingCampaigns = z
  .object({
    data: z.array(
      z.object({
        campaign: z.string(),
        messages: z.int().describe("Messages that wait, as far as they were counted."),
        is_complete: z.boolean().describe("False: the campaign has more messages than `messages`."),
        first_at: z.iso.datetime().describe("When its next message goes out."),
        last_at: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: "WaitingCampaigns" });

const { recipient, topic, template_id, tags } = EventQuery.shape;

export const ListEmailsQuery = z.object({
  status: z
    .enum(["scheduled", "all"])
    .optional()
    .describe(
      "`scheduled`, the default: the messages that wait for their time. `all`: these, and those " +
        "that were released or canceled.",
    ),
  order: z
    .enum(["soonest"])
    .optional()
    .describe(
      "Only of scheduled messages: the next to go out first. Without it, the last accepted comes " +
        "first.",
    ),
  campaign: Campaign.optional().describe(
    "Only messages of this campaign; scheduled ones with the next to go out first.",
  ),
  recipient,
  topic,
  template_id,
  tags,
});

export function toScheduledEmail({ emailId, meta, scheduledAt }: ScheduledMessage): ListedEmail {
  const message = readStoredMessage(meta, scheduledAt);
  return {
    id: emailId,
    created_at: new Date(message.acceptedAt).toISOString(),
    scheduled_at: new Date(scheduledAt).toISOString(),
    from: message.from.email,
    recipients: [...message.recipients],
    subject: message.subject,
    template_id: message.templateId,
    topic: message.topic,
    campaign: message.campaign,
    tags: [...message.tags],
    metadata: message.metadata ?? null,
  };
}

export function toWaitingCampaigns(
  campaigns: readonly WaitingCampaign[],
): z.output<typeof WaitingCampaigns> {
  return {
    data: campaigns.map(({ campaign, messages, isComplete, firstAt, lastAt }) => ({
      campaign,
      messages,
      is_complete: isComplete,
      first_at: new Date(firstAt).toISOString(),
      last_at: new Date(lastAt).toISOString(),
    })),
  };
}
