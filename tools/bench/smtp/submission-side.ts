// One SMTP server of `bench smtp` under load. It records the rates, latencies and processor time
// per message for each case, and returns the medians of the rounds.
import type { Child } from "../../harness/child.ts";
import { cpuSeconds, residentMegabytes } from "../../harness/machine.ts";
import { median, milliseconds, perSecond } from "../harness/bench-result.ts";
import type { LoadTotals, LoadCommand } from "./submission-load.ts";
import type { SubmissionServer } from "./submitter.ts";

export interface SubmissionCase {
  readonly sessions: number;
  readonly kilobytes: number;
  /**
   * True: each session sends all its messages over one connection. False: each message has a new
   * connection.
   */
  readonly kept: boolean;
}

interface Sample extends LoadTotals {
  /** Processor milliseconds of the side's processes for each message. */
  readonly cpuMs: number;
}

const LOAD_TIMEOUT_MS = 120_000;

/** One server under load, and the results of its rounds. */
export class SubmissionSide {
  readonly #load: Child;
  readonly #server: SubmissionServer;
  readonly #pids: readonly number[];
  readonly #takeAway: (() => Promise<number>) | undefined;
  readonly #samples = new Map<string, Sample[]>();

  /** `takeAway` returns how many messages were stored since its last call. */
  constructor(
    load: Child,
    server: SubmissionServer,
    pids: readonly number[],
    takeAway?: () => Promise<number>,
  ) {
    this.#load = load;
    this.#server = server;
    this.#pids = pids;
    this.#takeAway = takeAway;
  }

  async send(
    { sessions, kilobytes, kept }: SubmissionCase,
    rest: Pick<LoadCommand, "until"> & Partial<LoadCommand>,
  ): Promise<LoadTotals> {
    const command: LoadCommand = {
      server: this.#server,
      sessions,
      bytes: kilobytes * 1_024,
      ...(!kept && { messagesPerConnection: 1 }),
      warmUp: 1,
      ...rest,
    };
    const answer = await this.#load.ask<LoadTotals>(command, LOAD_TIMEOUT_MS);
    const stored = await this.#takeAway?.();
    if (stored !== undefined && stored !== answer.accepted)
      throw new Error(`${answer.accepted} messages were accepted, ${stored} stored`);
    return answer;
  }

  async round(one: SubmissionCase, seconds: number): Promise<void> {
    const before = this.#cpu();
    const answer = await this.send(one, { until: { seconds } });
    const cpuMs = ((this.#cpu() - before) * 1_000) / answer.accepted;
    const samples = this.#samples.get(nameOf(one)) ?? [];
    this.#samples.set(nameOf(one), [...samples, { ...answer, cpuMs }]);
  }

  /** Returns the median of one figure over the rounds of this case. */
  median(one: SubmissionCase, figure: "rate" | "p50Ms" | "p99Ms" | "cpuMs" | "bytes"): number {
    return median((this.#samples.get(nameOf(one)) ?? []).map((sample) => sample[figure]));
  }

  rateAndLatency(one: SubmissionCase): string {
    const [p50, p99] = [this.median(one, "p50Ms"), this.median(one, "p99Ms")].map(milliseconds);
    return `${perSecond(this.median(one, "rate"))}, p50 ${p50}, p99 ${p99}`;
  }

  megabytes(): number {
    return this.#pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0);
  }

  #cpu(): number {
    return this.#pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  }
}

export function nameOf({ sessions, kilobytes, kept }: SubmissionCase): string {
  return (
    `${kilobytes} KB, ${sessions} ${sessions === 1 ? "session" : "sessions"}, ` +
    (kept ? "kept" : "a new connection for each message")
  );
}
