// One side of a comparison under load. It records its rate, its latencies and its processor time
// per message, and returns the medians of its rounds. The time that its processes use when idle is
// subtracted.
import { setTimeout as sleep } from "node:timers/promises";
import { type LoadResult, sendFor, type LoadTarget } from "./load.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import { SINGLE } from "../../harness/sample-message.ts";
import { atLeast, atMost, type BenchRow, median, milliseconds, perSecond } from "./bench-result.ts";

const IDLE_MS = 2_000;

export interface Sample extends LoadResult {
  /** Processor milliseconds of the side's processes for each message. */
  readonly cpuMs: number;
}

export class Side {
  readonly #target: LoadTarget;
  readonly #pids: readonly number[];
  readonly #send;
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
    await sendFor(this.#target, callers, seconds, this.#send);
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
    const result = await sendFor(this.#target, callers, seconds, this.#send, begin);
    const cpu = this.#cpu() - before - this.#idle * result.seconds;
    const samples = this.#samples.get(callers) ?? [];
    this.#samples.set(callers, [...samples, { ...result, cpuMs: (cpu * 1_000) / result.messages }]);
  }

  /** Returns the median of one figure over the rounds with this many callers. */
  median(callers: number, figure: keyof Sample): number {
    return median((this.#samples.get(callers) ?? []).map((sample) => sample[figure]));
  }

  rateAndLatency(callers: number): string {
    const [p50, p99] = [this.median(callers, "p50Ms"), this.median(callers, "p99Ms")];
    const rate = perSecond(this.median(callers, "rate"));
    return `${rate}, p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}`;
  }

  #cpu(): number {
    return this.#pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  }
}

/** One side's part of each round. */
export interface RoundStep {
  readonly side: Side;
  readonly callers: number;
  readonly seconds: number;
}

/** Warms up all sides, measures them idle, and then runs the steps in each round. */
export async function runRounds(steps: readonly RoundStep[], rounds: number): Promise<void> {
  for (const { side, callers, seconds } of steps) await side.warmUp(callers, seconds / 3);
  await Promise.all(Array.from(new Set(steps.map(({ side }) => side)), (one) => one.measureIdle()));
  for (let round = 1; round <= rounds; round += 1) {
    console.error(`round ${round} of ${rounds}`);
    for (const { side, callers, seconds } of steps) await side.round(callers, seconds);
  }
}

/** Compares the rates. `peer` is a reason if the peer can't run. */
export function rateRow(
  work: string,
  callers: number,
  goal: number,
  ours: Side,
  peer: Side | string,
): BenchRow {
  const row = { work: withCallers(work, callers), measured: ours.rateAndLatency(callers) };
  if (typeof peer === "string") return { ...row, against: peer };
  const ratio = ours.median(callers, "rate") / peer.median(callers, "rate");
  const against = `peer: ${peer.rateAndLatency(callers)}`;
  return { ...row, against, ratio, ...atLeast(goal, ratio, "x the peer") };
}

/** Compares the processor times of a message. */
export function cpuRow(callers: number, goal: number, ours: Side, peer: Side | string): BenchRow {
  const [whole, theirs] = [ours, peer].map((side) =>
    typeof side === "string" ? undefined : side.median(callers, "cpuMs"),
  );
  const work = withCallers("workerd CPU a message", callers);
  const row = { work, measured: `${whole!.toFixed(3)} ms` };
  if (theirs === undefined) return row;
  const against = `peer, all its processes: ${theirs.toFixed(3)} ms`;
  const ratio = whole! / theirs;
  return { ...row, against, ratio, ...atMost(goal, ratio, "x the peer") };
}

export function withCallers(work: string, callers: number): string {
  return `${work}, ${callers} ${callers === 1 ? "caller" : "callers"}`;
}
