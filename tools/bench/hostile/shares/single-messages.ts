// Sends single messages at fixed times, each to its own recipient. Measures how long they take to
// arrive at the servers of the cases about shares.
import { setTimeout as sleep } from "node:timers/promises";
import type { ShareServers } from "./share-servers.ts";

export interface Singles {
  /**
   * Milliseconds from when a message was due until its arrival. A missing message counts with the
   * time until now.
   */
  readonly latencies: readonly number[];
  readonly missing: number;
}

export interface SinglesPlan {
  readonly zone: string;
  /** Number of senders. Each sends one message a second. */
  readonly senders: number;
  readonly seconds: number;
}

const EVERY_MS = 1_000;
const LOOK_MS = 100;
const ARRIVE_MS = 5_000;

/**
 * Counts the messages of all runs so far. Each recipient's address has the count, so that no two
 * messages have the same recipient.
 */
let made = 0;

/**
 * `send` sends one message of the sender with this number. `onSecond` is called each second, with
 * the time since the start. A message counts as missing if `send` rejects.
 */
export async function measureSingles(
  servers: ShareServers,
  { zone, senders, seconds }: SinglesPlan,
  send: (sender: number, recipient: string) => Promise<unknown>,
  onSecond: (elapsedMs: number) => void = () => undefined,
): Promise<Singles> {
  const due = new Map<string, number>();
  const begun = performance.now();
  for (let second = 0; second < seconds; second += 1) {
    await sleep(Math.max(0, begun + second * EVERY_MS - performance.now()));
    for (let sender = 0; sender < senders; sender += 1) {
      made += 1;
      const recipient = `reset-${made}@r${sender}.${zone}`;
      due.set(recipient, performance.now());
      send(sender, recipient).catch((error: unknown) => console.error(String(error)));
    }
    onSecond(performance.now() - begun);
  }
  const until = performance.now() + ARRIVE_MS;
  const isMissing = (recipient: string): boolean => !servers.arrivals.has(recipient);
  while (performance.now() < until && [...due.keys()].some(isMissing)) await sleep(LOOK_MS);
  const now = performance.now();
  return {
    latencies: Array.from(due, ([to, at]) => (servers.arrivals.get(to) ?? now) - at),
    missing: [...due.keys()].filter(isMissing).length,
  };
}
