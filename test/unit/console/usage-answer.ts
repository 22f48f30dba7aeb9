// Makes answers of GET /v1/usage for tests.
import type { Usage } from "../../../packages/postern/src/generated/types.ts";

interface Used {
  readonly dailyUsed?: number;
  readonly topicUsed?: number;
  readonly waiting?: number;
}

/**
 * Makes the API's usage answer. The limit of messages a day and the limit of distinct topics are
 * both 100.
 */
export function usageWith({ dailyUsed = 0, topicUsed = 0, waiting = 0 }: Used): Usage {
  return {
    daily: { used: dailyUsed, limit: 100, resets_at: "2026-11-23T00:00:00.000Z" },
    monthly: {
      used: dailyUsed,
      limit: 1_000,
      resets_at: "2026-12-01T00:00:00.000Z",
      overage_credits: 0,
    },
    labels: {
      tags_per_hour: { used: 0, limit: 1_000 },
      topic_per_hour: { used: topicUsed, limit: 100 },
      campaign_per_hour: { used: 0, limit: 200 },
      campaign_per_72_hours: { used: 0, limit: 1_000 },
    },
    requests_per_second: 10,
    delivery: {
      rate_per_minute: 600,
      waiting,
      queued: 0,
      attempting: 0,
      deferred: 0,
      awaiting: 0,
      oldest_accepted_at: null,
    },
  };
}
