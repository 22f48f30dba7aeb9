// The worker with a door of the bench's own into its webhooks' outboxes: batches go in by the RPC
// that fan-out calls, since making them of real messages would measure everything else as well; and
// it tells how many have not ended.
import { EVENTS, readyBody } from "./webhook-batch.ts";

/** Batches `<run>-0`, `<run>-1`, … for one webhook. */
export interface OutboxFeed {
  readonly teamId: string;
  readonly webhookId: string;
  readonly run: string;
  readonly batches: number;
}

interface Outbox {
  enqueue(teamId: string, batches: readonly object[]): Promise<{ readonly stored: number }>;
  waiting(): Promise<number>;
}

interface Env {
  readonly WEBHOOK_OUTBOX: { getByName(name: string): Outbox };
}

interface Handler {
  fetch(request: Request, env: Env, context: unknown): Response | Promise<Response>;
}

export const FEED_PATH = "/bench/feed";
export const WAITING_PATH = "/bench/waiting";

/** As many as a hundred events each make of one recording of the pipeline, at most. */
const BATCHES_A_CALL = 100;

export function withOutboxFeed(worker: Handler): Handler {
  return {
    ...worker,
    async fetch(request, env, context) {
      const { pathname } = new URL(request.url);
      if (pathname === FEED_PATH)
        return Response.json({ stored: await feed(env, (await request.json()) as OutboxFeed) });
      if (pathname === WAITING_PATH)
        return Response.json({
          waiting: await waiting(env, (await request.json()) as readonly string[]),
        });
      return worker.fetch(request, env, context);
    },
  };
}

async function feed(env: Env, { teamId, webhookId, run, batches }: OutboxFeed): Promise<number> {
  const outbox = env.WEBHOOK_OUTBOX.getByName(webhookId);
  const all = Array.from({ length: batches }, (_, index) => {
    const id = `wb_${run}-${index}`;
    return { id, eventCount: EVENTS, body: readyBody(id) };
  });
  let stored = 0;
  for (let at = 0; at < all.length; at += BATCHES_A_CALL)
    stored += (await outbox.enqueue(teamId, all.slice(at, at + BATCHES_A_CALL))).stored;
  return stored;
}

async function waiting(env: Env, webhookIds: readonly string[]): Promise<number> {
  const all = await Promise.all(webhookIds.map((id) => env.WEBHOOK_OUTBOX.getByName(id).waiting()));
  return all.reduce((sum, one) => sum + one, 0);
}
