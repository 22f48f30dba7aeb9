// Simulates a team that sends one message an hour, for hours of the worker's own clock. Its
// messages share only the day's page.
import { setTimeout as sleep } from "node:timers/promises";
import { callApi } from "../harness/http-api.ts";
import { sendMessages, type LoadTarget } from "../harness/load.ts";
import { numberedMessage } from "../../harness/sample-message.ts";
import type { Worker } from "../../harness/workerd.ts";
import { CLOCK_PATH } from "./worker-clock.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** The day before the counted hours begin. */
const DAY_HOURS = 24;
/**
 * The RETRY_SPEEDUP that the worker needs: an accepted message's alarm fires after 30 s, here after
 * 2.
 */
export const HOURLY_FACTOR = 15;
/** Longer than the sped-up alarm. */
const ALARM_MS = 2_500;

/**
 * Sends for that many hours and waits for its page. Calls `before` before the first counted
 * message. Returns the number of counted messages.
 */
export async function sendHourly(
  worker: Worker,
  target: LoadTarget,
  hours: number,
  before: () => Promise<unknown>,
): Promise<number> {
  const first = Math.ceil(Date.now() / DAY_MS) * DAY_MS + HOUR_MS / 2;
  const sendAt = async (hour: number): Promise<void> => {
    await callApi(
      { origin: worker.origin, apiKey: "" },
      "GET",
      `${CLOCK_PATH}?at=${first + hour * HOUR_MS}`,
    );
    await sendMessages(target, 1, 1, () =>
      JSON.stringify({ ...numberedMessage(hour), tags: undefined }),
    );
    await sleep(ALARM_MS);
  };
  // Makes the day's tables ahead, as the hourly sweep does.
  for (const days of [0, 1, 2]) await worker.sweep(first + days * DAY_MS);
  // The first message of a day makes the previous day's page.
  await sendAt(0);
  await sendAt(DAY_HOURS);
  await before();
  for (let hour = 1; hour <= hours; hour += 1) await sendAt(DAY_HOURS + hour);
  return hours;
}
