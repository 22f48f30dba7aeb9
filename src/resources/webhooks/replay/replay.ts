// Serves POST /v1/webhooks/{id}/replay, which sends past events of the team to one webhook again,
// by window and type (docs/webhooks.md §Replay). Also serves GET /v1/webhooks/{id}/replays, which
// shows the progress of each replay. The response to a POST is sent when the replay is on disk. The
// Durable Object WebhookReplay then sends the events.
import { entryBy } from "../../../audit.ts";
import { coreOf } from "../../../db/client.ts";
import {
  type ApiRequest,
  type Endpoint,
  endpoint,
  json,
  type HttpReply,
} from "../../../endpoint.ts";
import { newId } from "../../../lib/ids.ts";
import { WEBHOOK_REPLAYS } from "../../../limits.ts";
import { refuseMember } from "../../../refusal.ts";
import { positionOf } from "../../events/event-window.ts";
import { listWebhookDeliveries } from "../webhook-delivery-list.ts";
import { getWebhook } from "../store.ts";
import type { EventType } from "../../../rpc/event-types.ts";
import { ReplayWebhook, ShownReplay, toReplay, WebhookReplayed } from "../wire.ts";
import { objectOf } from "../../../object-of.ts";
import { toTime } from "../../../time-text.ts";

export const replayEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/v1/webhooks/:id/replay",
    summary: "Send a webhook events of the past again",
    description:
      "Sends the events from `start` up to `end`; the window never reaches back beyond the " +
      "team's retention. `event_types` selects types; by default, the types that the webhook " +
      "is subscribed to. The events go only to this webhook, newest first. They keep their " +
      "ids, but come in new batches. The answer shows the window in force. A webhook that is " +
      "`disabled` is refused (`errors.status`).",
    permission: "full",
    body: ReplayWebhook,
    audit: { store: "replay", operation: "webhook.replay" },
    responses: { 202: WebhookReplayed },
    handle: replay,
  }),
  endpoint({
    method: "GET",
    path: "/v1/webhooks/:id/replays",
    operationId: "listWebhookReplays",
    summary:
      "List a webhook's replays that are running or ended in the last seven days, newest first",
    description:
      "A replay goes backwards from its `end` to its `start`, and stays only a little ahead " +
      "of the receiver. It is `done` when all of its events were passed to the webhook's " +
      "deliveries, and `stopped` if the webhook was disabled before that.",
    permission: "full",
    paginated: true,
    responses: { 200: ShownReplay },
    handle: (request) =>
      listWebhookDeliveries(
        request,
        "replays",
        (id, limit, before) =>
          objectOf(request.env, "WEBHOOK_REPLAY", id).list(limit, before, request.now),
        toReplay,
      ),
  }),
];

interface Asked {
  /** Unix milliseconds. */
  readonly start: number;
  readonly end?: number | undefined;
  readonly event_types?: readonly EventType[] | undefined;
  readonly events?: readonly EventType[] | undefined;
  readonly event_type?: readonly EventType[] | undefined;
}

async function replay(request: ApiRequest<Asked>): Promise<HttpReply> {
  const { env, body, author, now } = request;
  const { team } = request.caller;
  if (body.start >= (body.end ?? now))
    throw refuseMember("start", "must be before `end`, which is now by default");
  const webhook = await getWebhook(coreOf(request), request.id);
  if (webhook.status === "disabled")
    throw refuseMember("status", "is disabled: set it to active, then ask for the replay");
  const id = newId("rpl");
  const asked = body.event_types ?? body.events ?? body.event_type;
  const types = asked ?? (webhook.events as EventType[]);
  // The window ends now at the latest, because the webhook gets future events anyway.
  const end = Math.min(body.end ?? now, now);
  const position = positionOf({ start: body.start, end }, null, team.eventRetentionDays, now);
  const until = Math.max(end, position.start);
  const replays = objectOf(env, "WEBHOOK_REPLAY", webhook.id);
  const entry = author && entryBy(author, webhook.id);
  if (!(await replays.begin(team.id, { id, types, position }, until, now, entry)))
    throw refuseMember(
      "replays",
      `are limited to ${WEBHOOK_REPLAYS} at a time per webhook: wait until a replay has ended`,
    );
  const shown = { start: toTime(position.start), end: toTime(until) };
  return json(202, { id, webhook_id: webhook.id, ...shown, event_types: types });
}
