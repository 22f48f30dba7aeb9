// Measures how slow this machine is now. Storms and scenarios simulate time that passes faster than
// real time. The simulated time passes less fast on a slow machine. A process measures once, and
// its children use the same result.
import { availableParallelism } from "node:os";

const VARIABLE = "POSTERN_SLOWNESS";
/**
 * The loop has so many iterations that a busy machine interrupts it often. The result therefore
 * includes the machine's load.
 */
const TURNS = 500_000_000;
/** The milliseconds of the loop on the reference machine, for which all times were chosen. */
const EXPECTED_MS = 150;
/** The number of processors of the reference machine. */
const PROCESSORS = 2;
const SLOWEST = 6;

/** The factor by which work takes longer here than on the reference machine. It is at least 1. */
let slowness: number | undefined;

/** Multiplies a time of `ms` milliseconds by this machine's slowness. */
export function patience(ms: number): number {
  return Math.ceil(ms * currentSlowness());
}

/**
 * Returns the slowness. Measures it for this process's children too, because their measurements at
 * the same time would disturb each other.
 */
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
