// The JSON of the endpoints for scheduled messages (contract.md §Scheduled sends).
import * as z from "zod";
import type { ScheduledMessage, WaitingCampaign } from "../../rpc/schedule-calls.ts";
import { EventQuery } from "../../resources/events/wire.ts";
import type { ListedEmail } from "../lookup/messages/wire.ts";
import { readStoredMessage } from "../message-start.ts";
import { ScheduledAt } from "../scheduled-at.ts";

export const MoveEmailRequest = z.object({
  scheduled_at: ScheduledAt.describe(
    "When the message goes out: up to 30 days ahead. A time in the past minute counts as now.",
  ),
});

export const MovedEmail = z
  .object({ id: z.string(), scheduled_at: z.iso.datetime() })
  .meta({ id: "MovedEmail" });

export const CanceledEmail = z
  .object({ id: z.string(), canceled_at: z.iso.datetime() })
  .meta({ id: "CanceledEmail" });

/**
 * The name of a campaign, which may be any text. A campaign without waiting messages gives an empty
 * result.
 */
const Campaign = z.string().min(1, "must not be empty");

export const CancelCampaignRequest = z.object({
  campaign: Campaign.describe("The `campaign` of the sends."),
});

export const CanceledCampaign = z
  .object({
    data: z
      .array(z.object({ id: z.string(), canceled_at: z.iso.datetime() }))
      .describe(
        "The messages that this call canceled, sorted by scheduled time, the earliest first.",
      ),
    has_more: z.boolean().describe("True if more messages of the campaign wait: call again."),
  })
  .meta({ id: "CanceledCampaign" });

export const WaitingCampaigns = z
  .object({
    data: z.array(
      z.object({
        campaign: z.string(),
        messages: z.int().describe("The number of waiting messages that were counted."),
        is_complete: z
          .boolean()
          .describe("False: the campaign has more waiting messages than `messages`."),
        first_at: z.iso.datetime().describe("When the campaign's next message goes out."),
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
      "`scheduled`, the default: messages that wait for their scheduled time. `all`: also messages " +
        "that were released or canceled.",
    ),
  order: z
    .enum(["soonest"])
    .optional()
    .describe(
      "`soonest`: sorted by scheduled time, the earliest first. Without `order`, the last " +
        "accepted comes first. Only for scheduled messages.",
    ),
  campaign: Campaign.optional().describe(
    "Only messages of this campaign. Scheduled ones are sorted by scheduled time, the " +
      "earliest first.",
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
    from_name: message.from.name,
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
