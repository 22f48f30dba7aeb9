// Measures how slow this machine is now, for storms and scenarios in which simulated time passes
// faster than real time: on a slow machine it passes less fast. A process measures once, and its
// children use the same result.
import { availableParallelism } from "node:os";

const VARIABLE = "POSTERN_SLOWNESS";
/**
 * The loop has so many iterations that a busy machine interrupts it often. The result therefore
 * includes the machine's load.
 */
const TURNS = 500_000_000;
/** The time that the loop takes on the machine for which the times were chosen. */
const EXPECTED_MS = 150;
/** The number of processors of the machine for which the times were chosen. */
const PROCESSORS = 2;
const SLOWEST = 6;

/**
 * The factor by which work takes longer here than on the machine for which the times were chosen;
 * at least 1.
 */
let slowness: number | undefined;

/** Converts a time of `ms` milliseconds into that of this machine, which is longer if it is slow. */
export function patience(ms: number): number {
  return Math.ceil(ms * currentSlowness());
}

/** Measures the slowness for this process's children, which would else measure beside each other. */
export function currentSlowness(): number {
  return slowness ?? share(Number(process.env[VARIABLE]) || measure());
}

/** Sets the factor for this process, and for the children that inherit its environment. */
function share(factor: number): number {
  slowness = factor;
  process.env[VARIABLE] = String(factor);
  return factor;
}

function measure(): number {
  const begun = performance.now();
  for (let turn = 0; turn < TURNS; turn += 1);
  const took = performance.now() - begun;
  const measured = (took / EXPECTED_MS) * Math.max(1, PROCESSORS / availableParallelism());
  return Math.min(SLOWEST, Math.max(1, Math.round(measured * 10) / 10));
}
