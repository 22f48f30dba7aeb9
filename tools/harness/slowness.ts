// Measures how slow this machine is now, so that limits end only what hangs, and not what is slow.
// A process measures once, and its children use the same result.
import { availableParallelism } from "node:os";

const VARIABLE = "POSTERN_SLOWNESS";
/** So long that a busy machine interrupts the loop often, and its load shows in the result. */
const TURNS = 500_000_000;
/** The time that the loop takes on the machine for which the limits were chosen. */
const EXPECTED_MS = 150;
/** The number of processors of that machine. */
const PROCESSORS = 2;
const SLOWEST = 6;

/** The time that work takes here, divided by its time on that machine; at least 1. */
let slowness: number | undefined;

/** Returns the limit here for work that takes less than `ms` on that machine. */
export function patience(ms: number): number {
  slowness ??= Number(process.env[VARIABLE]) || measure();
  process.env[VARIABLE] = String(slowness);
  return Math.ceil(ms * slowness);
}

function measure(): number {
  const begun = performance.now();
  for (let turn = 0; turn < TURNS; turn += 1);
  const took = performance.now() - begun;
  const measured = (took / EXPECTED_MS) * Math.max(1, PROCESSORS / availableParallelism());
  return Math.min(SLOWEST, Math.max(1, Math.round(measured * 10) / 10));
}
