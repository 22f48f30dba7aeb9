// Adds an endpoint to the worker for this bench. The endpoint fills webhooks' outboxes with the RPC
// that fan-out calls. Real messages would fill them too, but then the bench would also measure
// other work. The endpoint also reports how many batches are still open.
import { EVENTS, readyBody } from "./webhook-batch.ts";

/** Asks for the batches `<run>-0`, `<run>-1` and so on for one webhook. */
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

/** One call from fan-out has at most this many batches, made from a hundred events each. */
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
          waiting: await countWaiting(env, (await request.json()) as readonly string[]),
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

async function countWaiting(env: Env, webhookIds: readonly string[]): Promise<number> {
  const all = await Promise.all(webhookIds.map((id) => env.WEBHOOK_OUTBOX.getByName(id).waiting()));
  return all.reduce((sum, one) => sum + one, 0);
}
