// Serves POST /v1/webhooks/{id}/replay, which sends one webhook events of the team's history again,
// from a window and of some types (docs/webhooks.md §Replay). It answers when the replay is on
// disk; WebhookReplay does the rest.
import { coreFor } from "../../../db/client.ts";
import { type ApiRequest, endpoint, json, type HttpReply } from "../../../endpoint.ts";
import { newId } from "../../../lib/ids.ts";
import { WEBHOOK_REPLAYS } from "../../../limits.ts";
import { refuse } from "../../../refusal.ts";
import { positionOf } from "../../events/event-window.ts";
import { getWebhook } from "../store.ts";
import type { EventType } from "../../../contracts/event-types.ts";
import { ReplayWebhook, WebhookReplayed } from "../wire.ts";

export const replayEndpoint = endpoint({
  method: "POST",
  path: "/v1/webhooks/:id/replay",
  summary: "Send a webhook events of the past again",
  description:
    "Those from `start` up to `end`, never further back than the team's retention, of the " +
    "types named or, where none are, of those that the webhook is subscribed to. " +
    "They go to this webhook alone, with the ids that they had, in batches of their own, the " +
    "newest first. The answer shows the window in force. A webhook that is `disabled` is " +
    "refused (`errors.status`).",
  permission: "full",
  body: ReplayWebhook,
  responses: { 202: WebhookReplayed },
  handle: replay,
});

interface Asked {
  /** Unix milliseconds. */
  readonly start: number;
  readonly end?: number | undefined;
  readonly event_types?: readonly EventType[] | undefined;
}

async function replay({
  env,
  caller: { team },
  params,
  body,
  now,
}: ApiRequest<Asked>): Promise<HttpReply> {
  if (body.start >= (body.end ?? now))
    throw refuse("invalid", {
      errors: { start: ["must be before end, which is now unless it is given"] },
    });
  const webhook = await getWebhook(coreFor(env, team.id), params["id"] ?? "");
  if (webhook.status === "disabled")
    throw refuse("invalid", {
      errors: { status: ["is disabled: set it to active, then ask for the replay"] },
    });
  const id = newId("rpl");
  const types = body.event_types ?? (webhook.events as EventType[]);
  // Events from now on are sent as they happen.
  const end = Math.min(body.end ?? now, now);
  const position = positionOf({ start: body.start, end }, null, team.eventRetentionDays, now);
  if (!(await env.WEBHOOK_REPLAY.getByName(webhook.id).begin(team.id, { id, types, position })))
    throw refuse("invalid", {
      errors: {
        replays: [
          `are ${WEBHOOK_REPLAYS} under way already, which is the most that a webhook may have`,
        ],
      },
    });
  const shown = { start: toTime(position.start), end: toTime(Math.max(end, position.start)) };
  return json(202, { id, webhook_id: webhook.id, ...shown, event_types: types });
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
