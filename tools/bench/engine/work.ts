// Repeats one piece of work in its own process and measures the processor time of one repetition.
// Processor time depends less on other load than wall clock time does. Figures are the medians of
// the rounds.
import { request } from "undici";
import type { Child } from "../../harness/child.ts";
import { cpuSeconds } from "../../harness/machine.ts";
import { median } from "../harness/bench-result.ts";

/** A request to the worker process to repeat a task this many times. */
export interface EngineTurns {
  readonly task: string;
  readonly times: number;
}

/**
 * A process that does the work. `output` is the result of the last repetition, so that the bench
 * can check that results are equal.
 */
export interface EngineWorker {
  readonly pid: number;
  perform(turns: EngineTurns): Promise<{ readonly output: string }>;
}

interface Sample {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const ANSWER_TIMEOUT_MS = 60_000;
/**
 * Milliseconds of work that one request asks for. With so much work, the time for asking and a
 * clock tick of 10 ms do not matter.
 */
const QUESTION_MS = 200;

export class EngineWork {
  readonly #worker: EngineWorker;
  readonly #task: string;
  readonly #samples: Sample[] = [];
  #times = 1;

  constructor(worker: EngineWorker, task: string) {
    this.#worker = worker;
    this.#task = task;
  }

  /** Repeats the work without counting, and returns the output. */
  async warmUp(seconds: number): Promise<string> {
    const until = performance.now() + seconds * 1_000;
    for (;;) {
      const before = performance.now();
      const { output } = await this.#perform();
      const took = performance.now() - before;
      if (took < QUESTION_MS / 2) this.#times *= 2;
      else if (performance.now() > until) return output;
    }
  }

  async round(seconds: number): Promise<void> {
    const before = cpuSeconds(this.#worker.pid);
    const start = performance.now();
    let turns = 0;
    do {
      await this.#perform();
      turns += this.#times;
    } while (performance.now() < start + seconds * 1_000);
    const wallMs = (performance.now() - start) / turns;
    this.#samples.push({
      cpuMs: ((cpuSeconds(this.#worker.pid) - before) * 1_000) / turns,
      wallMs,
    });
  }

  /** Returns the milliseconds for one repetition. */
  median(figure: keyof Sample): number {
    return median(this.#samples.map((sample) => sample[figure]));
  }

  #perform(): Promise<{ readonly output: string }> {
    return this.#worker.perform({ task: this.#task, times: this.#times });
  }
}

/** Starts a bench's own worker in workerd. */
export function inWorkerd({
  origin,
  pid,
}: {
  readonly origin: string;
  readonly pid: number;
}): EngineWorker {
  return {
    pid,
    async perform(turns) {
      const { statusCode, body } = await request(origin, {
        method: "POST",
        body: JSON.stringify(turns),
        bodyTimeout: ANSWER_TIMEOUT_MS,
      });
      const output = await body.text();
      if (statusCode !== 200) throw new Error(`${turns.task}: ${statusCode} ${output}`);
      return { output };
    },
  };
}

export function inChild(child: Child): EngineWorker {
  return { pid: child.pid, perform: (turns) => child.ask(turns, ANSWER_TIMEOUT_MS) };
}
