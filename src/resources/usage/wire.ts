// The schema of a team's usage (contract.md §Usage).
import * as z from "zod";
import type { LabelCap, Usage } from "../../rpc/usage-calls.ts";
import type { Team } from "../../endpoint.ts";
import { toTime } from "../../time-text.ts";

const LabelUsage = z.object({ used: z.int(), limit: z.int() }).meta({ id: "LabelUsage" });

export const TeamUsage = z
  .object({
    daily: z.object({
      used: z.int(),
      limit: z.int(),
      resets_at: z.iso.datetime().describe("The next midnight in UTC."),
    }),
    monthly: z.object({
      used: z.int().describe("Without the messages that overage credits paid for."),
      limit: z.int(),
      resets_at: z.iso.datetime().describe("The first midnight of the next month in UTC."),
      overage_credits: z
        .int()
        .describe("The prepaid messages that are left. They may be sent in addition to the limit."),
    }),
    labels: z
      .object({
        tags_per_hour: LabelUsage,
        topic_per_hour: LabelUsage,
        campaign_per_hour: LabelUsage,
        campaign_per_72_hours: LabelUsage,
      })
      .describe("Distinct labels used in each cap's rolling window."),
    requests_per_second: z.int().describe("The limit. `RateLimit-Remaining` shows what is left."),
    delivery: z
      .object({
        rate_per_minute: z.int().describe("The maximum number of recipients released in a minute."),
        waiting: z.int().describe("Recipients that wait for their release, at this rate."),
        queued: z.int().describe("Recipients that were released but not attempted yet."),
        attempting: z.int().describe("Recipients with an attempt under way."),
        deferred: z.int().describe("Recipients that wait for their next attempt."),
        awaiting: z
          .int()
          .describe(
            "Recipients of copies that a provider accepted and has reported no outcome of.",
          ),
        oldest_accepted_at: z.iso
          .datetime()
          .nullable()
          .describe(
            "When the oldest message of such recipients was accepted. Null without such " +
              "recipients.",
          ),
      })
      .describe("Accepted recipients without a final outcome, by the state they are in."),
  })
  .meta({ id: "Usage" });

export function toUsage(
  { limits, labelCaps }: Pick<Team, "limits" | "labelCaps">,
  { delivery, labels, ...usage }: Usage,
): z.output<typeof TeamUsage> {
  const labelUsage = (cap: LabelCap) => ({ used: labels[cap], limit: labelCaps[cap] });
  const { oldestAcceptedAt, ...open } = delivery;
  return {
    daily: { used: usage.dailyUsed, limit: limits.daily, resets_at: toTime(usage.dailyResetsAt) },
    monthly: {
      used: usage.monthlyUsed,
      limit: limits.monthly,
      resets_at: toTime(usage.monthlyResetsAt),
      overage_credits: usage.overageCredits,
    },
    labels: {
      tags_per_hour: labelUsage("tagsPerHour"),
      topic_per_hour: labelUsage("topicPerHour"),
      campaign_per_hour: labelUsage("campaignPerHour"),
      campaign_per_72_hours: labelUsage("campaignPer72Hours"),
    },
    requests_per_second: limits.requestsPerSecond,
    delivery: {
      rate_per_minute: limits.deliveryRatePerMinute,
      ...open,
      oldest_accepted_at: toTime(oldestAcceptedAt),
    },
  };
}
