// Returns pages of the lists in a webhook's Durable Objects: its deliveries and its replays.
// Refuses a cursor of another webhook's list, even if both webhooks belong to the same team.
import { coreOf } from "../../db/client.ts";
import { type ApiRequest, type HttpReply, listPage } from "../../endpoint.ts";
import { refuseMember } from "../../refusal.ts";
import { getWebhook } from "./store.ts";

/**
 * An entry of a list that is sorted by position, highest first. Newer entries have higher
 * positions.
 */
interface Kept {
  readonly position: number;
}

interface LogPosition {
  readonly webhookId: string;
  readonly before: number;
}

/**
 * Returns a page of a list. `read` gets the webhook's id, the maximum number of entries, and the
 * position below which to read.
 */
export async function listWebhookDeliveries<Entry extends Kept>(
  request: ApiRequest,
  noun: "deliveries" | "replays",
  read: (id: string, limit: number, before: number | null) => Promise<readonly Entry[]>,
  present: (webhookId: string, entry: Entry) => unknown,
): Promise<HttpReply> {
  const { limit, after } = request.page;
  const { id } = await getWebhook(coreOf(request), request.id);
  const position = after === null ? null : (JSON.parse(after) as LogPosition);
  if (position && position.webhookId !== id)
    throw refuseMember("after", `is not a cursor of this webhook's ${noun}`);
  const kept = await read(id, limit + 1, position?.before ?? null);
  const shown = kept.slice(0, limit);
  const last = kept.length > limit ? shown.at(-1) : undefined;
  return listPage(
    shown.map((one) => present(id, one)),
    last ? logPositionText({ webhookId: id, before: last.position }) : null,
  );
}

export function logPositionText(position: LogPosition): string {
  return JSON.stringify(position);
}
