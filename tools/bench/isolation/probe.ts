// Sends one team's own traffic, to show how other teams affect it. A message goes to the simulator
// every 50 ms, even if earlier messages are not delivered yet.
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "../../harness/cleanup.ts";
import { sendSteadily } from "../harness/ceiling.ts";
import { MESSAGE } from "../../harness/sample-message.ts";
import { type RoundTrip, RoundTrips } from "../harness/round-trips.ts";
import { createTenant, VARS } from "../../harness/tenant.ts";
import type { Worker } from "../../harness/workerd.ts";

/** All values are in milliseconds. */
export interface Latencies {
  /** Time from the request to its 202. */
  readonly accept: readonly number[];
  /** Time from the 202 to the arrival of the webhook. */
  readonly webhook: readonly number[];
}

/** Sends for this many seconds and waits for the webhooks. */
export type ProbeRound = (seconds: number) => Promise<Latencies>;

const PER_SECOND = 20;
const CONNECTIONS = 16;
/** The longest wait for a webhook after the last message. */
const LATEST_MS = 60_000;
const MESSAGE_TO_SIMULATOR = { ...MESSAGE, to: [`delivered@simulator.${VARS["SERVICE_DOMAIN"]}`] };

export async function startProbe(cleanup: Cleanup, worker: Worker): Promise<ProbeRound> {
  const team = await createTenant(worker);
  const trips = await RoundTrips.start(cleanup, team, CONNECTIONS, MESSAGE_TO_SIMULATOR);
  return async (seconds) => {
    const sent: RoundTrip[] = [];
    const load = { follow: async () => void sent.push(trips.send()) };
    await sendSteadily(load, PER_SECOND, (passed) => passed >= seconds);
    const accept = await Promise.all(sent.map(({ accepted }) => accepted));
    const late = sleep(LATEST_MS, "late" as const, { ref: false });
    const webhook = await Promise.race([Promise.all(sent.map(({ told }) => told)), late]);
    if (webhook === "late") throw new Error(`the webhooks of ${trips.open} messages are missing`);
    return { accept, webhook };
  };
}
