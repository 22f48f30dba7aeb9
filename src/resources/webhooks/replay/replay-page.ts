// Makes one page of a replay: converts a page of the team's history to batches for the webhook
// (docs/webhooks.md §Replay). The events have their original ids, and the batches have new ids.
import type { Replay } from "../../../rpc/replay-calls.ts";
import type { Team } from "../../../endpoint.ts";
import type { Env } from "../../../env.ts";
import { DAY_MS } from "../../../limits.ts";
import { listEvents } from "../../events/history.ts";
import { webhookBatchesOf, eventTexts } from "../webhook-batches.ts";
import type { Position } from "../../../rpc/history-query.ts";
import { EVENT_TYPES } from "../../../rpc/event-types.ts";
import type { NewWebhookBatch } from "../../../rpc/outbox-calls.ts";

/**
 * Maximum number of events in a page. It limits memory: with the longest headers, a page has some
 * 20 million characters.
 */
const PAGE_EVENTS = 100;

export interface ReplayPage {
  /** The batches, oldest event first. */
  readonly batches: readonly NewWebhookBatch[];
  /** The position at which the replay continues. Null: the replay is complete. */
  readonly next: Position | null;
}

/**
 * Reads a page of events as webhook bodies with the timestamp `now` (Unix milliseconds). Leaves out
 * events older than the team's retention.
 */
export async function readReplayPage(
  env: Env,
  team: Team,
  webhookId: string,
  replay: Replay,
  now: number,
): Promise<ReplayPage> {
  const start = Math.max(replay.position.start, now - team.eventRetentionDays * DAY_MS);
  const filters = replay.types.length === EVENT_TYPES.length ? {} : { event_types: replay.types };
  const { events, next } = await listEvents(
    env,
    team,
    filters,
    { ...replay.position, start },
    PAGE_EVENTS,
  );
  return { batches: webhookBatchesOf(webhookId, eventTexts(events), now, replay.id), next };
}
