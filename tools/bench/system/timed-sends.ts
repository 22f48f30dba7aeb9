// The load of a whole deployment: one team's messages, each sent when it is due. A message is
// finished when its webhook arrives.
import type { Cleanup } from "../../harness/cleanup.ts";
import { createTenant } from "../../harness/tenant.ts";
import type { Worker } from "../../harness/workerd.ts";
import { type BenchRow, errorRow } from "../harness/bench-result.ts";
import { type OpenLoad, waitUntilDrained } from "../harness/ceiling.ts";
import type { Sink } from "./bench-system.ts";
import { RoundTrips } from "../harness/round-trips.ts";

/** Milliseconds from when a message was due to its 202, and to its webhook. */
export interface SendTimes {
  readonly accept: number[];
  readonly told: number[];
}

const CONNECTIONS = 64;

export class TimedSends implements OpenLoad {
  /** The number of messages whose webhook has arrived. */
  told = 0;
  readonly #trips: RoundTrips;
  #sent = 0;
  #refused = 0;
  #firstRefusal: string | undefined;
  #times: SendTimes = { accept: [], told: [] };

  private constructor(trips: RoundTrips) {
    this.#trips = trips;
  }

  static async start(cleanup: Cleanup, worker: Worker, deliveryRate?: number): Promise<TimedSends> {
    const team = await createTenant(worker, deliveryRate);
    return new TimedSends(await RoundTrips.start(cleanup, team, CONNECTIONS));
  }

  get open(): number {
    return this.#trips.open;
  }

  get notes(): readonly string[] {
    return this.#firstRefusal === undefined ? [] : [`the first refusal: ${this.#firstRefusal}`];
  }

  /** Returns the times from now on. An acceptance counts when the message was due. */
  begin(): SendTimes {
    this.#times = { accept: [], told: [] };
    return this.#times;
  }

  async follow(due: number): Promise<void> {
    const { accept } = this.#times;
    this.#sent += 1;
    const late = performance.now() - due;
    const { accepted, told } = this.#trips.send();
    try {
      const acceptMs = late + (await accepted);
      accept.push(acceptMs);
      const toldMs = await told;
      this.#times.told.push(acceptMs + toldMs);
      this.told += 1;
    } catch (error) {
      this.#refused += 1;
      this.#firstRefusal ??= String(error);
    }
  }

  /** Waits for the last arrivals, each at most `withinMs`, and counts the errors. */
  async errors(sink: Sink, withinMs: number): Promise<BenchRow> {
    const wanted = this.#sent - this.#refused;
    const arrived = (await sink.arrivals(wanted, withinMs)).length;
    await waitUntilDrained(this, withinMs);
    return errorRow(`${this.#sent.toLocaleString("en-US")} messages`, {
      refused: this.#refused,
      "not reported": this.open,
      "reported twice": this.#trips.unexpectedCount,
      "delivered twice": arrived - wanted,
    });
  }
}
