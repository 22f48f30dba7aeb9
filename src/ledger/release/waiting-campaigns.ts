// Counts, for each campaign, the messages that wait for their scheduled time (contract.md
// §Scheduled sends). The query uses the index to jump from campaign to campaign, so that the number
// of rows that it reads does not grow with the number of messages.
import type { WaitingCampaign } from "../../rpc/schedule-calls.ts";
import { CAMPAIGNS_SHOWN, MESSAGES_SEARCHED } from "../../limits.ts";

/**
 * SQL that creates the index of campaigns. A message without a campaign has an empty stream name,
 * and is not in this index.
 */
export const CAMPAIGN_INDEX =
  "CREATE INDEX IF NOT EXISTS scheduled_campaign ON scheduled (stream, due_at) WHERE stream <> ''";

interface CampaignRow extends Record<string, SqlStorageValue> {
  campaign: string;
  first_at: number;
  last_at: number;
}

const CAMPAIGNS = `
  WITH RECURSIVE names (name) AS (
    SELECT min(stream) FROM scheduled WHERE stream <> ''
    UNION ALL
    SELECT (SELECT min(stream) FROM scheduled WHERE stream > name AND stream <> '')
    FROM names WHERE name IS NOT NULL LIMIT ${CAMPAIGNS_SHOWN + 1}
  )
  SELECT name AS campaign,
    (SELECT min(due_at) FROM scheduled WHERE stream = name AND stream <> '') AS first_at,
    (SELECT max(due_at) FROM scheduled WHERE stream = name AND stream <> '') AS last_at
  FROM names WHERE name IS NOT NULL ORDER BY first_at, name LIMIT ${CAMPAIGNS_SHOWN}`;

const COUNT = `
  SELECT count(*) AS messages FROM
    (SELECT 1 FROM scheduled WHERE stream = ? AND stream <> '' LIMIT ?)`;

/**
 * Counts the messages of each campaign. The campaign with the earliest scheduled time comes first.
 * Counts at most MESSAGES_SEARCHED messages in all.
 */
export function countWaitingCampaigns(sql: SqlStorage): WaitingCampaign[] {
  let left = MESSAGES_SEARCHED;
  return sql
    .exec<CampaignRow>(CAMPAIGNS)
    .toArray()
    .map(({ campaign, first_at: firstAt, last_at: lastAt }) => {
      const { messages } = sql.exec<{ messages: number }>(COUNT, campaign, left + 1).one();
      const counted = Math.min(messages, left);
      left -= counted;
      return { campaign, messages: counted, isComplete: messages === counted, firstAt, lastAt };
    });
}
