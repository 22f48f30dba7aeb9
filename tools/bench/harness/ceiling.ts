// Finds the rate that a system sustains. First it measures the rate while a constant number of
// messages is under way. Then it looks for the highest fraction of that rate at which messages that
// are sent at fixed times do not pile up.
import { setTimeout as sleep } from "node:timers/promises";
import { perSecond } from "./bench-result.ts";

/** A system under load. */
export interface OpenLoad {
  /** Number of messages that are under way. */
  readonly open: number;
  /**
   * Sends one message. `due` is the time at which it should be sent. Resolves when the message has
   * arrived or was refused. Never rejects.
   */
  follow(due: number): Promise<void>;
}

/**
 * Messages in the system while it warms up and while its full rate is measured. They fill several
 * queue batches, so that no part is idle.
 */
export const IN_SYSTEM = 400;
/**
 * Fractions of the full rate, tried in order. Messages at fixed times form smaller batches and cost
 * more, so a system rarely sustains the full rate.
 */
const TRIED = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];
/**
 * The largest backlog that a system may have, in seconds of load. A system sustains a rate if the
 * messages under way at the end are at most those that the rate sends in this time.
 */
export const BEHIND_SECONDS = 1;
const TICK_MS = 5;
const DRAIN_MS = 60_000;

/**
 * Measures how many messages arrive in a second while IN_SYSTEM messages are under way. Sends the
 * next message when one arrives.
 */
export async function measureFullRate(load: OpenLoad, seconds: number): Promise<number> {
  const start = performance.now();
  const until = start + seconds * 1_000;
  let arrived = 0;
  const line = async (): Promise<void> => {
    while (performance.now() < until) {
      await load.follow(performance.now());
      if (performance.now() < until) arrived += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_SYSTEM }, line));
  return arrived / seconds;
}

/** Returns the highest fraction of `full` that the system sustains. Throws if it sustains none. */
export async function findSustainedRate(
  load: OpenLoad,
  full: number,
  trySeconds: number,
): Promise<number> {
  for (const rate of TRIED.map((share) => share * full)) {
    await waitUntilDrained(load);
    await sendSteadily(load, rate, (seconds) => seconds >= trySeconds);
    const behind = load.open;
    console.log(`${perSecond(rate)}: ${behind} under way after ${trySeconds} s`);
    await waitUntilDrained(load);
    if (behind <= rate * BEHIND_SECONDS) return rate;
  }
  throw new Error(
    "the system sustains none of the rates that were tried; the lowest was " +
      perSecond(full * TRIED.at(-1)!),
  );
}

/**
 * Sends `rate` messages a second at fixed times, until `isOver` returns true. Returns the seconds
 * that have passed.
 */
export async function sendSteadily(
  load: Pick<OpenLoad, "follow">,
  rate: number,
  isOver: (seconds: number) => boolean,
): Promise<number> {
  const start = performance.now();
  const seconds = (): number => (performance.now() - start) / 1_000;
  for (let sent = 0; !isOver(seconds()); await sleep(TICK_MS))
    for (; sent < seconds() * rate; sent += 1) void load.follow(start + (sent * 1_000) / rate);
  return seconds();
}

/** Waits until no message is under way, but at most `withinMs` milliseconds. */
export async function waitUntilDrained(load: OpenLoad, withinMs = DRAIN_MS): Promise<void> {
  const until = performance.now() + withinMs;
  while (load.open > 0 && performance.now() < until) await sleep(TICK_MS);
}
