// Sends single messages at fixed times, each to its own recipient. Measures how long they take to
// arrive at the servers of the cases about shares.
import { setTimeout as sleep } from "node:timers/promises";
import { sendSteadily } from "../../harness/ceiling.ts";
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

const LOOK_MS = 100;
const ARRIVE_MS = 5_000;

/**
 * Counts the messages of all runs so far. Each recipient's address has the count, so that no two
 * messages have the same recipient.
 */
let made = 0;

/**
 * `send` sends one message of the sender with this number. A message counts as missing if `send`
 * rejects. `onTime` is called again and again, with the seconds since the start.
 */
export async function measureSingles(
  servers: ShareServers,
  { zone, senders, seconds }: SinglesPlan,
  send: (sender: number, recipient: string) => Promise<unknown>,
  onTime: (seconds: number) => void = () => undefined,
): Promise<Singles> {
  const sent = new Map<string, number>();
  const load = {
    async follow(due: number) {
      made += 1;
      const sender = made % senders;
      const recipient = `reset-${made}@r${sender}.${zone}`;
      sent.set(recipient, due);
      await send(sender, recipient).catch(console.error);
    },
  };
  await sendSteadily(load, senders, (passed) => {
    onTime(passed);
    return passed >= seconds;
  });
  const until = performance.now() + ARRIVE_MS;
  const missing = (): number => [...sent.keys()].filter((to) => !servers.arrivals.has(to)).length;
  while (performance.now() < until && missing() > 0) await sleep(LOOK_MS);
  const now = performance.now();
  return {
    latencies: Array.from(sent, ([to, due]) => (servers.arrivals.get(to) ?? now) - due),
    missing: missing(),
  };
}
