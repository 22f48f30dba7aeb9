// Cancels messages at about the moment when they become due. The answer to a cancel must agree with
// what happens to the message.
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { callApi } from "../harness/http-api.ts";
import type { LoadTarget } from "../harness/load.ts";

export interface RaceResult {
  readonly canceled: number;
  readonly released: number;
  /**
   * Races in which the answer differs from what happened, or in which there is not exactly one
   * winner.
   */
  readonly wrong: number;
  /** Milliseconds from a released message's scheduled time to its `email.sent`. */
  readonly lateMs: readonly number[];
}

interface Event {
  readonly email_id: string;
  readonly type: string;
  readonly occurred_at: string;
}

const AT_ONCE = 16;
const DUE_MS = 150;
/** The most milliseconds by which a cancel is sent before or after the scheduled time. */
const CANCEL_ABOUT_MS = 50;
const SETTLE_MS = 120_000;
const LOOK_EVERY_MS = 500;
const PAGE = 100;

export async function raceCancels(
  target: LoadTarget,
  message: object,
  races: number,
): Promise<RaceResult> {
  const begun = new Date(Date.now() - 1_000).toISOString();
  const dueAt = new Map<string, number>();
  const answers = new Map<string, number>();
  let left = races;
  const racer = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const at = Date.now() + DUE_MS;
      const { id } = await callApi<{ id: string }>(target, "POST", "/v1/email", {
        ...message,
        scheduled_at: new Date(at).toISOString(),
      });
      await sleep(Math.max(0, at - Date.now() + CANCEL_ABOUT_MS * (2 * Math.random() - 1)));
      dueAt.set(id, at);
      answers.set(id, await cancel(target, id));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, racer));
  const released = [...answers].filter(([, status]) => status === 409).map(([id]) => id);
  const canceled = [...answers].filter(([, status]) => status === 200).map(([id]) => id);
  const events = await deliveriesOf(target, begun, released.length);
  const sent = Map.groupBy(
    events.filter(({ type }) => type === "email.sent"),
    (event) => event.email_id,
  );
  const ends = Map.groupBy(
    events.filter(({ type }) => type === "email.delivered"),
    (event) => event.email_id,
  );
  const wrong =
    races -
    released.length -
    canceled.length +
    released.filter((id) => ends.get(id)?.length !== 1).length +
    canceled.filter((id) => ends.has(id) || sent.has(id)).length;
  return {
    canceled: canceled.length,
    released: released.length,
    wrong,
    lateMs: [...sent].map(([id, [first]]) => Date.parse(first!.occurred_at) - dueAt.get(id)!),
  };
}

async function cancel({ origin, apiKey }: LoadTarget, id: string): Promise<number> {
  const { statusCode, body } = await request(`${origin}/v1/email/${id}/cancel`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  await body.dump();
  return statusCode;
}

/** Waits for this many deliveries, then a little longer. Returns all events of the team. */
async function deliveriesOf(target: LoadTarget, start: string, count: number): Promise<Event[]> {
  const until = Date.now() + SETTLE_MS;
  for (;;) {
    await sleep(LOOK_EVERY_MS);
    const events = await eventsOf(target, start);
    const ended = events.filter(({ type }) => type === "email.delivered").length;
    if (ended >= count || Date.now() > until) {
      await sleep(LOOK_EVERY_MS);
      return eventsOf(target, start);
    }
  }
}

async function eventsOf(target: LoadTarget, start: string): Promise<Event[]> {
  const events: Event[] = [];
  for (let after = ""; ;) {
    const query = `limit=${PAGE}&start=${encodeURIComponent(start)}${after}`;
    const page = await callApi<{ data: Event[]; next_cursor: string | null }>(
      target,
      "GET",
      `/v1/events?${query}`,
    );
    events.push(...page.data);
    if (page.next_cursor === null) return events;
    after = `&after=${encodeURIComponent(page.next_cursor)}`;
  }
}
