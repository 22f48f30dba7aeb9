// Simulates a team that sends one message an hour, by advancing the worker's clock. Its messages
// share nothing but the day's chunk.
import { setTimeout as sleep } from "node:timers/promises";
import { callApi } from "../harness/http-api.ts";
import { sendMessages } from "../harness/load.ts";
import { numberedMessage } from "../../harness/sample-message.ts";
import { createTenant } from "../../harness/tenant.ts";
import type { Worker } from "../../harness/workerd.ts";
import type { Bill, Goal } from "./bill.ts";
import { readTallies } from "./measure-load.ts";
import { CLOCK_PATH } from "./worker-clock.ts";

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours that pass before the first counted hour. */
const DAY_HOURS = 24;
/**
 * The worker must run with this LEASE_SPEEDUP. The alarm of an accepted message then fires after
 * 2.5 s instead of 30 s.
 */
export const HOURLY_FACTOR = 12;
/** Milliseconds to wait for the alarm, which fires after 2.5 s. */
const ALARM_MS = 3_000;

/**
 * Sends one message an hour for `hours`, with the day's chunk, and counts rows and queries. The
 * other costs depend on the clock, which this load advances.
 */
export async function hourlyBill(
  worker: Worker,
  hours: number,
  aftermathMs: number,
  goal: Goal,
): Promise<Bill> {
  const team = await createTenant(worker);
  const first = Math.ceil(Date.now() / DAY_MS) * DAY_MS + HOUR_MS / 2;
  const clock = { origin: worker.origin, apiKey: "" };
  const sendAt = async (hour: number): Promise<void> => {
    await callApi(clock, "GET", `${CLOCK_PATH}?at=${first + hour * HOUR_MS}`);
    const body = JSON.stringify({ ...numberedMessage(hour), tags: undefined });
    await sendMessages(team, 1, 1, () => body);
    await sleep(ALARM_MS);
  };
  // Each call stands for the hourly sweep, which makes the tables of a day in advance.
  for (const days of [0, 1, 2]) await worker.sweep(first + days * DAY_MS);
  // The first message of a day completes the chunk of the day before.
  await sendAt(0);
  await sendAt(DAY_HOURS);
  await readTallies(worker);
  for (let hour = 1; hour <= hours; hour += 1) await sendAt(DAY_HOURS + hour);
  await sleep(aftermathMs);
  const reading = await readTallies(worker);
  const name = "one message an hour, no webhook";
  return { name, messages: hours, reading, cpuMs: 0, shardBytes: 0, goal };
}
