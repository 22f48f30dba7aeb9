// `bench provider`: a team sends a list to a provider that allows five connections and takes ten
// messages a second. The bench shows the order in which the messages arrive, and how long the
// provider's connections are idle. The peer is a computed schedule: its sender always uses all five
// connections and sends in the order of acceptance.
import { setTimeout as sleep } from "node:timers/promises";
import type { Cleanup } from "../../harness/cleanup.ts";
import { listenForMail, PLAIN_SERVER } from "../../harness/smtp/smtp-server.ts";
import { bundleWorker } from "../../harness/worker-bundle.ts";
import type { BenchOptions, BenchSize } from "../bench-options.ts";
import { atMost, type BenchResult, type BenchRow, errorRow } from "../harness/bench-result.ts";
import { startPostern } from "../hostile/mail-sides.ts";

const DOMAIN = "provider.example";
const CONNECTIONS = 5;
const PER_SECOND = 10;
const MESSAGES: Readonly<Record<BenchSize, number>> = { full: 1_500, quick: 200, smoke: 20 };
const LIST_PART = 100;
/**
 * The fraction of the messages that counts as the oldest. These messages have a row of their own.
 */
const OLDEST = 1 / 4;
/** Time limit for the whole list, as a multiple of the schedule's last time. */
const PATIENCE = 4;
const LOOK_MS = 100;
/**
 * Goals for the whole list and for its oldest part: the longest times, as multiples of the
 * schedule's times.
 */
const LAST_GOAL = 1.1;
const OLDEST_GOAL = 1.33;
const IDLE_PERCENT = 5;

interface Arrivals {
  /**
   * Seconds from the first request until the provider accepted each message. The key is the
   * message's number.
   */
  readonly at: Map<number, number>;
  /** Seconds for which connections were busy with a message, summed over all connections. */
  busySeconds: number;
  doubled: number;
  refusedConnections: number;
}

export async function provider({ size }: BenchOptions, cleanup: Cleanup): Promise<BenchResult> {
  const messages = MESSAGES[size];
  const arrivals: Arrivals = { at: new Map(), busySeconds: 0, doubled: 0, refusedConnections: 0 };
  let start = performance.now();
  const port = await startProvider(cleanup, arrivals, () => (performance.now() - start) / 1_000);
  const { sendList } = await startPostern(cleanup, await bundleWorker(cleanup), [[DOMAIN, port]]);
  start = performance.now();
  for (let from = 0; from < messages; from += LIST_PART)
    await sendList(recipients(from, Math.min(LIST_PART, messages - from)));
  const longest = (PATIENCE * messages * 1_000) / PER_SECOND;
  while (arrivals.at.size < messages && performance.now() - start < longest) await sleep(LOOK_MS);
  return {
    notes: [
      `one team sends ${messages} messages of 2 KB in batches of ${LIST_PART}; the provider takes ` +
        `${PER_SECOND} a second over ${CONNECTIONS} connections, and refuses further connections ` +
        `with 421 (it refused ${arrivals.refusedConnections})`,
    ],
    rows: rowsOf(arrivals, messages),
  };
}

function recipients(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `c-${from + index}@${DOMAIN}`);
}

/** Returns the provider's port. Each of its connections accepts one message every half second. */
async function startProvider(
  cleanup: Cleanup,
  arrivals: Arrivals,
  now: () => number,
): Promise<number> {
  const takeSeconds = CONNECTIONS / PER_SECOND;
  const server = await listenForMail(0, "127.0.0.1", PLAIN_SERVER, (session) => async (step) => {
    if (step.verb === "greeting" && server.open() > CONNECTIONS) {
      arrivals.refusedConnections += 1;
      return session.end("421 4.7.0 Too many concurrent connections");
    }
    if (step.verb !== "end") return step.usual;
    await sleep(takeSeconds * 1_000);
    arrivals.busySeconds += takeSeconds;
    for (const recipient of step.to) {
      const number = Number(/^c-(\d+)@/.exec(recipient)![1]);
      if (arrivals.at.has(number)) arrivals.doubled += 1;
      else arrivals.at.set(number, now());
    }
    return step.usual;
  });
  cleanup.add(server.close);
  return server.port;
}

function rowsOf({ at, busySeconds, doubled }: Arrivals, messages: number): BenchRow[] {
  const oldest = Math.floor(messages * OLDEST);
  const last = Math.max(...at.values());
  const oldestLast = Math.max(...[...at].filter(([n]) => n < oldest).map(([, seconds]) => seconds));
  const idle = 100 * (1 - busySeconds / (CONNECTIONS * last));
  return [
    scheduleRow("the last message arrives", last, messages, LAST_GOAL),
    scheduleRow("the last of the oldest quarter", oldestLast, oldest, OLDEST_GOAL),
    {
      work: "the provider's connections wait for mail",
      measured: `${idle.toFixed(1)} % of the time`,
      ...atMost(IDLE_PERCENT, idle, " %"),
    },
    errorRow(`${messages} messages`, {
      missing: messages - at.size,
      "delivered twice": doubled,
    }),
  ];
}

function scheduleRow(work: string, seconds: number, messages: number, goal: number): BenchRow {
  const scheduled = messages / PER_SECOND;
  const ratio = seconds / scheduled;
  return {
    work,
    measured: `${seconds.toFixed(1)} s`,
    against: `schedule ${scheduled.toFixed(1)} s`,
    ratio,
    ...atMost(goal, ratio),
  };
}
