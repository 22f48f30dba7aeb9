// Sends one team's own traffic, to show how other teams affect it. A message goes to the simulator
// every 50 ms, even if earlier messages are not delivered yet.
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "../../harness/cleanup.ts";
import type { LoadTarget } from "../harness/load.ts";
import { MESSAGE } from "../../harness/sample-message.ts";
import { type RoundTrip, RoundTrips } from "../harness/round-trips.ts";
import { VARS } from "../../harness/tenant.ts";

/** All values are in milliseconds. */
export interface Latencies {
  /** Time from the request to its 202. */
  readonly accept: readonly number[];
  /** Time from the 202 to the arrival of the webhook. */
  readonly webhook: readonly number[];
}

const SEND_EVERY_MS = 50;
const CONNECTIONS = 16;
/** The longest wait for a webhook after the last message. */
const LATEST_MS = 60_000;
const MESSAGE_TO_SIMULATOR = { ...MESSAGE, to: [`delivered@simulator.${VARS["SERVICE_DOMAIN"]}`] };

export class Probe {
  readonly #trips: RoundTrips;

  private constructor(trips: RoundTrips) {
    this.#trips = trips;
  }

  static async start(cleanup: Cleanup, target: LoadTarget): Promise<Probe> {
    return new Probe(await RoundTrips.start(cleanup, target, MESSAGE_TO_SIMULATOR, CONNECTIONS));
  }

  /** Sends for this many seconds and waits for the webhooks. */
  async round(seconds: number): Promise<Latencies> {
    const trips: RoundTrip[] = [];
    const start = performance.now();
    for (let due = start; due < start + seconds * 1_000; due += SEND_EVERY_MS) {
      await sleep(Math.max(0, due - performance.now()));
      trips.push(this.#trips.send());
    }
    const accept = await Promise.all(trips.map(({ accepted }) => accepted));
    const late = sleep(LATEST_MS, "late" as const, { ref: false });
    const webhook = await Promise.race([Promise.all(trips.map(({ told }) => told)), late]);
    if (webhook === "late")
      throw new Error(`the webhooks of ${this.#trips.open} messages did not arrive`);
    return { accept, webhook };
  }
}
