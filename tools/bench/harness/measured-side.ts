// One side of a comparison under load. It records its rate, its latencies and its processor time
// per message, and returns the medians of its rounds. The time that its processes use when idle is
// subtracted.
import { setTimeout as sleep } from "node:timers/promises";
import { type LoadResult, sendFor, type LoadTarget } from "./load.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import { type Send, SINGLE } from "../../harness/sample-message.ts";
import { median } from "./bench-result.ts";

const IDLE_MS = 2_000;

export interface Sample extends LoadResult {
  /** Processor milliseconds of the side's processes for each message. */
  readonly cpuMs: number;
}

export class Side {
  readonly #target: LoadTarget;
  readonly #pids: readonly number[];
  readonly #send: Send;
  readonly #samples = new Map<number, Sample[]>();
  /** Processor seconds per second that the side uses without load. */
  #idle = 0;

  constructor(target: LoadTarget, pids: readonly number[], send = SINGLE) {
    this.#target = target;
    this.#pids = pids;
    this.#send = send;
  }

  /** Warms up. Nothing is counted. */
  async warmUp(callers: number, seconds: number): Promise<void> {
    await sendFor(this.#target, callers, seconds, () => {}, this.#send);
  }

  /** Measures the processor time that the side uses when idle. */
  async measureIdle(): Promise<void> {
    const before = this.#cpu();
    await sleep(IDLE_MS);
    this.#idle = (this.#cpu() - before) / (IDLE_MS / 1_000);
  }

  async round(callers: number, seconds: number): Promise<void> {
    let before = 0;
    const begin = (): void => {
      before = this.#cpu();
    };
    const result = await sendFor(this.#target, callers, seconds, begin, this.#send);
    const cpu = this.#cpu() - before - this.#idle * result.seconds;
    const samples = this.#samples.get(callers) ?? [];
    this.#samples.set(callers, [...samples, { ...result, cpuMs: (cpu * 1_000) / result.messages }]);
  }

  /** Returns the median of one figure over the rounds with this many callers. */
  median(callers: number, figure: keyof Sample): number {
    return median((this.#samples.get(callers) ?? []).map((sample) => sample[figure]));
  }

  #cpu(): number {
    return this.#pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  }
}
