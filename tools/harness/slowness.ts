// Measures how slow this machine is now, so that a limit ends what hangs and never what is slow. A
// process measures once, and its children inherit the result.
import { availableParallelism } from "node:os";

const VARIABLE = "POSTERN_SLOWNESS";
/** A busy machine gives the loop many slices of a processor's time, so that its load shows. */
const TURNS = 500_000_000;
/** The time that the loop takes on the machine on which the limits were chosen. */
const EXPECTED_MS = 150;
/** The number of processors of that machine. */
const PROCESSORS = 2;
const SLOWEST = 6;

/** The time that work takes here, in multiples of its time on that machine. At least 1. */
let slowness: number | undefined;

/** Returns a limit for something that takes less than `ms` on the machine of the limits. */
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
