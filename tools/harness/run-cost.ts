// Measures the cost of a run: seconds by the wall clock, and the processor time of all processes
// that the run started and waited for. L is the processor time of a fixed loop. It makes the
// numbers of different machines comparable.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { readProcess, TICKS_PER_SECOND } from "./process-table.ts";

/** The program whose processor time is L. */
const LOOP = "for(let i=0;i<2e9;i++);";

export interface Cost {
  readonly seconds: number;
  /** Null: this system does not report the processor time of ended children. */
  readonly processorSeconds: number | null;
}

/** Measures the time from its creation. */
export class Stopwatch {
  readonly #begun = performance.now();
  readonly #before = childrenSeconds();

  read(): Cost {
    const now = childrenSeconds();
    return {
      seconds: (performance.now() - this.#begun) / 1_000,
      processorSeconds: now === null || this.#before === null ? null : now - this.#before,
    };
  }
}

/**
 * Returns L: the processor seconds that LOOP takes on this machine now. One loop runs on each
 * processor at the same time, because two processors of one core are slower when both work.
 */
export async function measureLoop(): Promise<number> {
  const script = `${LOOP}const{user,system}=process.cpuUsage();console.log((user+system)/1e6)`;
  const loops = Array.from({ length: availableParallelism() }, async () => {
    const loop = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    return Number(await text(loop.stdout));
  });
  const seconds = await Promise.all(loops);
  return seconds.reduce((sum, one) => sum + one, 0) / seconds.length;
}

/** Formats a line such as `the inner ring: 201 s (134 L), 330 processor seconds (220 L), L 1.50 s`. */
export function costLine(name: string, { seconds, processorSeconds }: Cost, loop: number): string {
  const inLoops = (time: number) => `${(time / loop).toFixed(0)} L`;
  const processor =
    processorSeconds === null
      ? "processor time unknown"
      : `${processorSeconds.toFixed(0)} processor seconds (${inLoops(processorSeconds)})`;
  return `${name}: ${seconds.toFixed(0)} s (${inLoops(seconds)}), ${processor}, L ${loop.toFixed(2)} s`;
}

function childrenSeconds(): number | null {
  const self = readProcess(process.pid);
  return self && self.childrenTicks / TICKS_PER_SECOND;
}
